import assert from "node:assert/strict";
import { test } from "node:test";
import { runClass } from "../../../test/support/run-class.ts";
import { runGraph } from "../../../test/support/run-graph.ts";
import { validateGraph } from "../../graph/validate-graph.ts";

const given = { "values.a": 7, "values.b": -2, "values.c": 2.5, "values.d": true };
// Expression, float, int and truth, as Python computes them.
const computed: readonly (readonly [string, number, string, boolean])[] = [
  ["a + b", 5.0, "5", true],
  ["a / b", -3.5, "-3", true],
  ["a // b", -4.0, "-4", true],
  ["a % b", -1.0, "-1", true],
  ["-a // 2", -4.0, "-4", true],
  ["-a % 2", 1.0, "1", true],
  ["a % -2.5", -0.5, "0", true],
  ["c // -1", -3.0, "-3", true],
  ["7.5 % 2", 1.5, "1", true],
  ["-7.5 // 2", -4.0, "-4", true],
  ["0.7 // 0.1", 6.0, "6", true],
  ["0.7 % 0.1", 0.09999999999999992, "0", true],
  ["a ** 2", 49.0, "49", true],
  ["2 ** -1", 0.5, "0", true],
  ["4 ** 0.5", 2.0, "2", true],
  ["-2 ** 2", -4.0, "-4", true],
  ["2 ** 3 ** 2", 512.0, "512", true],
  ["(-8) ** 3", -512.0, "-512", true],
  ["round(c)", 2.0, "2", true],
  ["round(3.5)", 4.0, "4", true],
  ["round(2.675, 2)", 2.67, "2", true],
  ["round(0.125, 2)", 0.12, "0", true],
  ["round(1250, -2)", 1200.0, "1200", true],
  ["round(1350, -2)", 1400.0, "1400", true],
  ["round(-0.5)", 0.0, "0", false],
  ["min(a, b, c)", -2.0, "-2", true],
  ["max(values)", 7.0, "7", true],
  ["sum(values)", 8.5, "8", true],
  ["sum(a, b)", 5.0, "5", true],
  ["abs(b)", 2.0, "2", true],
  ["pow(2, 10)", 1024.0, "1024", true],
  ["sqrt(16)", 4.0, "4", true],
  ["ceil(c)", 3.0, "3", true],
  ["floor(-c)", -3.0, "-3", true],
  ["int(-c)", -2.0, "-2", true],
  ["float(a)", 7.0, "7", true],
  ["log(8, 2)", 3.0, "3", true],
  ["log2(8)", 3.0, "3", true],
  ["log10(1000)", 3.0, "3", true],
  ["a if a > b else b", 7.0, "7", true],
  ["1 < c < 3", 1.0, "1", true],
  ["1 < c < 2", 0.0, "0", false],
  ["a > 1 and b", -2.0, "-2", true],
  ["b or a", -2.0, "-2", true],
  ["not d", 0.0, "0", false],
  ["d + d", 2.0, "2", true],
  ["values[0] * values[-1]", 7.0, "7", true],
  ["a == 7.0", 1.0, "1", true],
  ["a != 7", 0.0, "0", false],
  ["a & 3 | 8", 11.0, "11", true],
  ["a ^ 1", 6.0, "6", true],
  ["~a", -8.0, "-8", true],
  ["1 << 4 >> 1", 8.0, "8", true],
  ["1_000 + 0x10 + 0b11", 1019.0, "1019", true],
  ["1e3", 1000.0, "1000", true],
  [".5 + 5.", 5.5, "5", true],
  ["9007199254740993 + 0", 9007199254740992.0, "9007199254740993", true],
  ["2 ** 64", 1.8446744073709552e19, "18446744073709551616", true],
  ["18446744073709551615 // 3", 6.148914691236517e18, "6148914691236517205", true],
  ["9007199254740993 / 3", 3002399751580331.0, "3002399751580331", true],
  ["int(a / 2) * 16", 48.0, "48", true],
  ["round(1024 * 0.75 / 64) * 64", 768.0, "768", true],
  ["+c", 2.5, "2", true],
  ["- - a", 7.0, "7", true],
  ["not a == 7 or d", 1.0, "1", true],
];

test("an expression gives the float, the int and the truth that Python gives", async () => {
  for (const [expression, float, int, truth] of computed) {
    const [one, two, three] = await runClass("ComfyMathExpression", { expression, ...given });
    assert.deepEqual([one, String(two), three], [float, int, truth], expression);
  }
});

test("what is no number, or not safe to compute, fails the node and says why", async () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ["", /empty/],
    ["a +", /ends too early/],
    ["a b", /not understood at “b”/],
    ["'text'", /not understood/],
    ["a.real", /not understood/],
    ["[1, 2]", /not understood/],
    ["x", /'x' is not defined/],
    ["eval(1)", /no function 'eval'/],
    ["a / 0", /division by zero/],
    ["c % 0", /division by zero/],
    ["sqrt(b)", /not defined there/],
    ["log(0)", /not defined there/],
    ["values", /list/],
    ["values[9]", /out of range/],
    ["9 ** 999999", /too large/],
    ["2 ** 9999999", /too large/],
    ["1 << 99999999", /too large/],
    ["pow(2, 5000)", /larger than 4000/],
    ["1e308 * 10", /not finite/],
    ["2 ** 2000", /not finite/],
    ["(-8) ** 0.5", /not finite/],
    ["c & 1", /whole numbers/],
    ["min(a)", /several numbers/],
    [`${"(".repeat(200)}1${")".repeat(200)}`, /nested too deeply/],
    [`${"-".repeat(2_000)}1`, /nested too deeply/],
    ["1".repeat(10_001), /longer than/],
  ];
  for (const [expression, message] of refused)
    await assert.rejects(async () => runClass("ComfyMathExpression", { expression, ...given }), message, expression);
});

test("numbers come from numbers, truth values and texts", async () => {
  const cases: readonly (readonly [unknown, number, number | bigint])[] = [
    [true, 1, 1],
    [3, 3, 3],
    [-2.9, -2.9, -2],
    [" 12 ", 12, 12],
    ["-1.5e2", -150, -150],
    ["1_000", 1000, 1000],
    ["9007199254740993", 9007199254740992, 9007199254740993n],
  ];
  for (const [value, float, int] of cases)
    assert.deepEqual(await runClass("ComfyNumberConvert", { value }), [float, int], String(value));
  for (const value of ["", "abc", "1,5", "inf", "nan", "0x10"])
    await assert.rejects(async () => runClass("ComfyNumberConvert", { value }), /is not a number/, value);
});

test("a member of a JSON object becomes the text that Python makes of it", async () => {
  const json = `{"s": "it's", "n": null, "t": true, "i": 12345678901234567890, "f": 1.0, "e": 1e3, "l": [1, "a", null], "o": {"k": false}}`;
  const expected: Readonly<Record<string, string>> = {
    ...{ s: "it's", n: "", t: "True", i: "12345678901234567890", f: "1.0", e: "1000.0" },
    ...{ l: "[1, 'a', None]", o: "{'k': False}", missing: "", toString: "" },
  };
  for (const [key, text] of Object.entries(expected))
    assert.deepEqual(await runClass("JsonExtractString", { json_string: json, key }), [text], key);
  for (const json_string of ["", "no", "[1]", "5"])
    assert.deepEqual(await runClass("JsonExtractString", { json_string, key: "a" }), [""]);
});

const sum = (source: string) => ({
  "1": { class_type: source, inputs: { value: source === "PrimitiveString" ? "7" : 7 } },
  "2": { class_type: "ComfyMathExpression", inputs: { expression: "a / 2", "values.a": ["1", 0] } },
  "3": { class_type: "PreviewAny", inputs: { source: ["2", 0] } },
});

test("an input of several types takes each of them over a link, and refuses others with the graph", async () => {
  const fine = validateGraph(sum("PrimitiveInt"), { profile: "0.30" });
  assert.ok(fine.ok);
  const refused = validateGraph(sum("PrimitiveString"), { profile: "0.30" });
  const problem = refused.nodeErrors["2"]?.errors[0];
  assert.equal(problem?.type, "return_type_mismatch");
  assert.match(problem?.details ?? "", /received_type\(STRING\) mismatch input_type\(FLOAT,INT,BOOLEAN\)/);
  const { result, saved } = await runGraph(sum("PrimitiveInt"), { limits: { profile: "0.30" } });
  assert.equal(result.status, "succeeded");
  assert.deepEqual(
    saved.map(({ kind }) => kind),
    ["text"],
  );
});
