// Compares everything with Python's own answers, recorded by test/python/write-reference.py: thousands of generated patterns,
// templates, texts and numbers.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { isRecord } from "../graph/graph.ts";
import { compilePattern, type Pattern } from "./pattern.ts";
import { PatternError } from "./pattern-tree.ts";
import { readReplacement } from "./replacement.ts";
import { capitalized, floatText, replaced, titleCase, trimmed } from "./texts.ts";

const file =
  process.env["ATELIER_TEST_PYTHON_REFERENCE"] ?? new URL("../../test/python/reference.json", import.meta.url);
const parsed: unknown = JSON.parse(await readFile(file, "utf8"));
const reference = isRecord(parsed) ? parsed : {};
const rows = (name: string): unknown[][] => {
  const listed = reference[name];
  return Array.isArray(listed) ? listed.filter((row) => Array.isArray(row)) : [];
};

const flagsOf = (bits: number) => ({
  ignoreCase: (bits & 2) > 0,
  multiline: (bits & 8) > 0,
  dotAll: (bits & 16) > 0,
});

// Positions in code points, as in Python.
function answer(pattern: string, flags: number, text: string, template: string): unknown {
  const compiled = orNull(() => compilePattern(pattern, flagsOf(flags)));
  if (compiled === null) return null;
  const point = (unit: number) => [...text.slice(0, unit)].length;
  const found = [...compiled.matches(text)].map((match) => [
    point(match.start),
    point(match.end),
    ...Array.from({ length: compiled.groups }, (_, index) => spanOf(match.span(index + 1), point)),
  ]);
  return [found, orNull(() => substituted(compiled, text, template))];
}

function spanOf(span: readonly [number, number] | null, point: (unit: number) => number): unknown {
  return span === null ? 0 : span.map(point);
}

function substituted(compiled: Pattern, text: string, template: string): string {
  const fill = readReplacement(template, compiled);
  let [out, at] = ["", 0];
  for (const match of compiled.matches(text)) {
    out += text.slice(at, match.start) + fill(match);
    at = match.end;
  }
  return out + text.slice(at);
}

function orNull<T>(make: () => T): T | null {
  try {
    return make();
  } catch (thrown) {
    if (thrown instanceof PatternError) return null;
    throw thrown;
  }
}

test("patterns and templates mean what they mean in Python, and what Python refuses is refused", () => {
  const wrong: string[] = [];
  for (const [pattern, flags, text, template, expected] of rows("regexes")) {
    const given = [String(pattern), Number(flags), String(text), String(template)] as const;
    const ours = JSON.stringify(answer(...given));
    if (ours !== JSON.stringify(expected))
      wrong.push(`${JSON.stringify(given)}\n  Python ${JSON.stringify(expected)}\n  here   ${ours}`);
  }
  assert.ok(rows("regexes").length >= 1000);
  assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} differ`);
});

test("upper case, lower case, title case, trimming and replacing match Python", () => {
  for (const [given, ...expected] of rows("texts")) {
    const text = String(given);
    const ours = [
      text.toUpperCase(),
      text.toLowerCase(),
      capitalized(text),
      titleCase(text),
      trimmed(text, "both"),
      trimmed(text, "left"),
      trimmed(text, "right"),
      replaced(text, "", "-"),
      replaced(text, "a", "bb"),
    ];
    const wanted = expected.map((value) => (value === 0 ? text : value));
    assert.deepEqual(ours, wanted, JSON.stringify(text));
  }
});

test("floats are written as Python writes them", () => {
  for (const [hex, text] of rows("floats")) assert.equal(floatText(Number(text)), text, String(hex));
});
