import assert from "node:assert/strict";
import { test } from "node:test";
import { runClass } from "../../../test/support/run-class.ts";
import { runGraph } from "../../../test/support/run-graph.ts";
import { classTableOf } from "../class-table.ts";

type Row = readonly [name: string, inputs: Readonly<Record<string, unknown>>, result: unknown];

const table: readonly Row[] = [
  ["StringConcatenate", { string_a: "a", string_b: "b", delimiter: ", " }, "a, b"],
  ["StringConcatenate", { string_a: "", string_b: "", delimiter: "-" }, "-"],
  ["StringSubstring", { string: "a😀cd", start: 1, end: 3 }, "😀c"],
  ["StringSubstring", { string: "abcd", start: -2, end: 9 }, "cd"],
  ["StringLength", { string: "a😀c" }, 3],
  ["CaseConverter", { string: "hello World", mode: "UPPERCASE" }, "HELLO WORLD"],
  ["CaseConverter", { string: "hello World", mode: "lowercase" }, "hello world"],
  ["CaseConverter", { string: "hello World", mode: "Capitalize" }, "Hello world"],
  ["CaseConverter", { string: "they're 2nd", mode: "Title Case" }, "They'Re 2Nd"],
  ["StringTrim", { string: " a ", mode: "Both" }, "a"],
  ["StringTrim", { string: " a ", mode: "Left" }, "a "],
  ["StringTrim", { string: " a ", mode: "Right" }, " a"],
  ["CaseConverter", { string: "straße ßa", mode: "Title Case" }, "Straße Ssa"],
  ["StringTrim", { string: "\u001ca\ufeff", mode: "Both" }, "a\ufeff"],
  ["StringReplace", { string: "ab", find: "", replace: "-" }, "-a-b-"],
  ["StringReplace", { string: "a.b.c", find: ".", replace: "$&" }, "a$&b$&c"],
  ["StringContains", { string: "Hello", substring: "ELL", case_sensitive: true }, false],
  ["StringContains", { string: "Hello", substring: "ELL", case_sensitive: false }, true],
  ["StringCompare", { string_a: "Hello", string_b: "he", mode: "Starts With", case_sensitive: false }, true],
  ["StringCompare", { string_a: "Hello", string_b: "lo", mode: "Ends With", case_sensitive: true }, true],
  ["StringCompare", { string_a: "a", string_b: "A", mode: "Equal", case_sensitive: true }, false],
  ["PrimitiveInt", { value: 7 }, 7],
  ["PrimitiveInt", { value: 9007199254740993n }, 9007199254740993n],
  ["PrimitiveFloat", { value: 0.5 }, 0.5],
  ["PrimitiveString", { value: "x" }, "x"],
  ["PrimitiveStringMultiline", { value: "x\ny" }, "x\ny"],
  ["PrimitiveBoolean", { value: true }, true],
];

for (const [name, inputs, result] of table) {
  test(`${name} of ${JSON.stringify(inputs, (_key, value) => (typeof value === "bigint" ? String(value) : value))}`, async () => {
    assert.deepEqual(await runClass(name, inputs), [result]);
  });
}

const flags = { case_insensitive: false, multiline: false, dotall: false };
const regexes: readonly Row[] = [
  ["RegexMatch", { string: "abc", regex_pattern: "B", ...flags }, false],
  ["RegexMatch", { string: "abc", regex_pattern: "B", ...flags, case_insensitive: true }, true],
  ["RegexMatch", { string: "a\nb", regex_pattern: "a.b", ...flags, dotall: true }, true],
  ["RegexMatch", { string: "a\nb", regex_pattern: "^b", ...flags, multiline: true }, true],
  ["RegexMatch", { string: "a\nb", regex_pattern: "\\Ab", ...flags, multiline: true }, false],
  ["RegexMatch", { string: "a", regex_pattern: "(", ...flags }, false],
  ["RegexMatch", { string: "AB", regex_pattern: "(?i)ab", ...flags }, true],
  ["RegexExtract", { string: "a1 b2", regex_pattern: "\\w(\\d)", mode: "First Match", group_index: 1, ...flags }, "a1"],
  [
    "RegexExtract",
    { string: "a1 b2", regex_pattern: "\\w\\d", mode: "All Matches", group_index: 1, ...flags },
    "a1\nb2",
  ],
  [
    "RegexExtract",
    { string: "a1 b2", regex_pattern: "\\w(\\d)", mode: "All Matches", group_index: 1, ...flags },
    "1\n2",
  ],
  [
    "RegexExtract",
    { string: "a1 b2", regex_pattern: "(\\w)(\\d)", mode: "First Group", group_index: 2, ...flags },
    "1",
  ],
  ["RegexExtract", { string: "a1 b2", regex_pattern: "(\\w)(\\d)", mode: "First Group", group_index: 3, ...flags }, ""],
  [
    "RegexExtract",
    { string: "a1 b2", regex_pattern: "(\\w)(\\d)", mode: "All Groups", group_index: 1, ...flags },
    "a\nb",
  ],
  ["RegexReplace", { string: "a1 b2", regex_pattern: "(\\w)(\\d)", replace: "\\2\\1" }, "1a 2b"],
  [
    "RegexReplace",
    { string: "a1 b2", regex_pattern: "(?P<letter>\\w)(\\d)", replace: "\\g<letter>$1\\g<2>" },
    "a$11 b$12",
  ],
  ["RegexReplace", { string: "aaaa", regex_pattern: "a", replace: "b", count: 2 }, "bbaa"],
  ["RegexReplace", { string: "A", regex_pattern: "a", replace: "b" }, "b"],
  ["RegexReplace", { string: "été ça", regex_pattern: "\\w+", replace: "x" }, "x x"],
  ["RegexReplace", { string: "aaaa", regex_pattern: "a{,3}", replace: "x" }, "xxx"],
  ["RegexMatch", { string: "ab", regex_pattern: "(?x) a b # both", ...flags }, true],
  ["RegexMatch", { string: "a", regex_pattern: "\\p{L}", ...flags }, false],
  ["RegexReplace", { string: "ab", regex_pattern: "(a)|b", replace: "[\\1]" }, "[a][]"],
];

for (const [name, inputs, result] of regexes) {
  test(`${name} of ${JSON.stringify(inputs)}`, async () => {
    assert.deepEqual(await runClass(name, inputs), [result]);
  });
}

test("a replacement with an unknown group, or without a pattern, is refused", async () => {
  await assert.rejects(
    runClass("RegexReplace", { string: "a", regex_pattern: "a", replace: "\\1" }),
    /invalid group reference 1/,
  );
  await assert.rejects(
    runClass("RegexReplace", { string: "a", regex_pattern: "(", replace: "" }),
    /not a regular expression/,
  );
});

test("a group that did not match is refused where its text is needed", async () => {
  const inputs = { string: "b", regex_pattern: "(a)|b", group_index: 1, ...flags };
  for (const mode of ["First Group", "All Groups"])
    await assert.rejects(runClass("RegexExtract", { ...inputs, mode }), /group 1 is not part of a match/);
  assert.deepEqual(await runClass("RegexExtract", { ...inputs, mode: "All Matches" }), [""]);
});

test("a pattern with endless readings takes no longer than another", async () => {
  const string = `${"a".repeat(20_000)}!`;
  for (const regex_pattern of [
    "(a+)+$",
    "(a|a)*$",
    "(a*)*b",
    "(?:a?){30}a{30}$",
    "(.*)*x",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
  ]) {
    const [out] = await runClass("RegexReplace", { string, regex_pattern, replace: "" });
    assert.equal(typeof out, "string", regex_pattern);
  }
  const looksBack = { string, regex_pattern: "(a*)*\\1b", replace: "" };
  await assert.rejects(runClass("RegexReplace", looksBack), /needs more on this text/);
});

test("a whole float is written with its fraction", async () => {
  const graph = {
    "1": { class_type: "PrimitiveFloat", inputs: { value: 3 } },
    "2": { class_type: "PreviewAny", inputs: { source: ["1", 0] } },
    "3": { class_type: "PrimitiveInt", inputs: { value: 3 } },
    "4": { class_type: "PreviewAny", inputs: { source: ["3", 0] } },
  };
  const { saved } = await runGraph(graph);
  assert.deepEqual(
    saved.map(({ bytes }) => Buffer.from(bytes).toString()),
    ["3.0", "3"],
  );
});

test("a number from a link is kept within its range", async () => {
  const inputs = { string: "a", regex_pattern: "a", replace: "", count: 101 };
  await assert.rejects(runClass("RegexReplace", inputs), /count: 101 is larger than 100/);
});

test("there are at least 45 classes, and none twice", () => {
  assert.ok(classTableOf("0.7").size >= 45, `${classTableOf("0.7").size}`);
});
