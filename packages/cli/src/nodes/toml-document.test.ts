import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readToml, TomlProblem } from "./toml-document.ts";

test("tables, dotted keys, four kinds of strings, lists and inline tables are read", () => {
  const document = readToml(`# a manifest
title = "a \\"quoted\\" \\u00e9"
[project]
name = 'plain'
urls.Repository = "https://git.example/x"
long = """
one \\
  two"""
raw = '''a\\n'''
deps = [ "a>=1", # why
  "b", ]
license = { file = "LICENSE", deep.er = 1 }
[tool."odd name"]
on = true
[[many]]
n = 1
[[many]]
n = 2_000
`);
  assert.deepEqual(JSON.parse(JSON.stringify(document)), {
    title: 'a "quoted" é',
    project: {
      name: "plain",
      urls: { Repository: "https://git.example/x" },
      long: "one two",
      raw: "a\\n",
      deps: ["a>=1", "b"],
      license: { file: "LICENSE", deep: { er: 1 } },
    },
    tool: { "odd name": { on: true } },
    many: [{ n: 1 }, { n: 2000 }],
  });
});

test("a mistake is refused with its line", () => {
  const wrong: [string, number][] = [
    ["a = 1\nb 2\n", 2],
    ["a = 1 2\n", 1],
    ["a = [1 2]\n", 1],
    ["a = 1\na = 2\n", 2],
    ["[x\na = 1\n", 1],
    ['a = "open\n', 1],
    ["a = 1\n[a.b]\n", 2],
  ];
  for (const [text, line] of wrong) {
    assert.throws(
      () => readToml(text),
      (error) => error instanceof TomlProblem && error.line === line,
      text,
    );
  }
});

test("no text makes it throw anything else, or hang", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."[]{}='\"#.,\\\n\ta1_-"), maxLength: 60 }), (text) => {
      try {
        readToml(text);
      } catch (error) {
        assert.ok(error instanceof TomlProblem, String(error));
      }
    }),
    { numRuns: 500 },
  );
});

test("a key called __proto__ is only a key", () => {
  const document = readToml('__proto__.polluted = "yes"\n');
  assert.equal(Reflect.get({}, "polluted"), undefined);
  assert.deepEqual(Object.keys(document), ["__proto__"]);
});
