import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { examineManifest, normalizeVersion } from "./manifest.ts";
import { readToml } from "./toml-reader.ts";

const plain = (text: string): unknown => JSON.parse(JSON.stringify(readToml(text)));

test("tables, dotted keys, strings of every kind, arrays and inline tables are read", () => {
  const text = `
title = "a # no comment" # a comment
[project]
name = 'p'
"quoted key" = """
two
lines"""
dynamic = [ "version", # why
  'b', ]
urls.Repository = "https://x.example"
license = { file = "LICENSE", year = 2_026 }
[tool.studio]
PublisherId = "a\\u0062\\n"
on = true
[[tool.list]]
x = 1.5
`;
  assert.deepEqual(plain(text), {
    title: "a # no comment",
    project: {
      name: "p",
      "quoted key": "two\nlines",
      dynamic: ["version", "b"],
      urls: { Repository: "https://x.example" },
      license: { file: "LICENSE", year: 2026 },
    },
    tool: { studio: { PublisherId: "ab\n", on: true }, list: [{ x: 1.5 }] },
  });
});

test("what is not understood hides nothing that follows", () => {
  const text = 'date = 2026-01-01T00:00:00Z\n= nonsense\nkey without equals\n[project]\nname = "p"\n';
  assert.equal(Reflect.get(Object(readToml(text)["project"]), "name"), "p");
});

test("a key may be called like a method of objects", () => {
  assert.deepEqual(Object.keys(readToml('__proto__ = "x"\nconstructor = "y"')), ["__proto__", "constructor"]);
});

test("any text is read to its end", () => {
  const pieces = fc.constantFrom(...'[]{}="\'#,.\n\\ ab"""'.split(""), '"""', "'''", "[[", "a.b");
  fc.assert(fc.property(fc.array(pieces, { maxLength: 80 }), (parts) => void readToml(parts.join(""))));
});

test("deep nesting ends quietly", () => {
  readToml(`a = ${"[".repeat(100_000)}`);
  readToml(`a = ${"{b=".repeat(100_000)}`);
});

test("numbers are read as leniently as publishing tools write them, and have three parts", () => {
  const cases: Readonly<Record<string, string | null>> = {
    "1": "1.0.0",
    "1.2": "1.2.0",
    "v1.2.3": "1.2.3",
    "1.2.3-rc.1": "1.2.3-rc.1",
    "01.2": "1.2.0",
    " 1.2.3 ": "1.2.3",
    "": null,
    "1.2.3.4": null,
    latest: null,
    "1..2": null,
    "1.0.0-": null,
    "1.0.0--": "1.0.0--",
    "1.0.0b1": "1.0.0-b1",
    "1.0.0-rc.1+build.5": "1.0.0-rc.1",
  };
  for (const [text, expected] of Object.entries(cases)) assert.equal(normalizeVersion(text), expected, text);
});

test("a number that is computed at build time cannot contradict", () => {
  const text = '[project]\nname = "p"\ndynamic = ["version"]\n[tool.studio]\npublisherid = "acme"';
  assert.deepEqual(examineManifest(text, { publisherId: "acme", nodeId: "p", version: "9.9.9" }), []);
});
