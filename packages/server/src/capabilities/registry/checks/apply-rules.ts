// Runs the rules over the files of an archive. Test files are skipped, because tests are full of the very code they test
// for. But if the program itself imports them, they are not really tests and are checked too.

import { lineFinder } from "../python/source-text.ts";
import type { Finding } from "./finding.ts";
import { functionBodies, viewJavaScript } from "./javascript-source.ts";
import { linesAtImport, viewPython } from "./python-source.ts";
import type { Rule, RuleSet } from "./rule-set.ts";
import { insideBrackets, type Language, type SourceView } from "./source-view.ts";
export interface SourceFile {
  readonly name: string;
  // The text exactly as it is in the archive.
  readonly source: string;
}

// One rule reports at most this many findings per file; no one would read more.
const findingsPerRuleAndFile = 20;
const callsExaminedMax = 2_000;

export function languageOf(name: string): Language | null {
  if (/\.(?:py|pyw|pyi|pyx)$/i.test(name)) return "python";
  return /\.(?:[cm]?js|jsx|[cm]?ts|tsx)$/i.test(name) ? "javascript" : null;
}

export function isTest(name: string): boolean {
  const segments = name.split("/");
  const file = segments.pop() ?? "";
  return segments.some((segment) => /^(?:tests?|__tests__|testing)$/i.test(segment)) || testFile.test(file);
}

const testFile = /^(?:test_.*|.*_test|conftest)\.pyw?$|\.(?:test|spec)\.[cm]?[jt]sx?$/i;

// Checks file names only, so it needs no bytes.
export function applyPathRules(ruleSet: RuleSet, names: readonly string[]): readonly Finding[] {
  return ruleSet.rules
    .filter((rule) => rule.in === "path")
    .flatMap((rule) => {
      const pattern = new RegExp(rule.pattern, "i");
      return names
        .filter((name) => (rule.in_tests === true || !isTest(name)) && coversLanguage(rule, languageOf(name)))
        .filter((name) => pattern.test(name))
        .map((name) => ({ code: rule.code, message: rule.message, file: name }));
    });
}

// `testsAreUsed` is true if the program imports files that look like tests.
export function applySourceRules(
  ruleSet: RuleSet,
  file: SourceFile,
  { testsAreUsed }: { readonly testsAreUsed: boolean },
): readonly Finding[] {
  const language = languageOf(file.name);
  if (language === null) return [];
  const isSpared = isTest(file.name) && !testsAreUsed;
  const rules = ruleSet.rules.filter(
    (rule) => rule.in !== "path" && coversLanguage(rule, language) && (!isSpared || rule.in_tests === true),
  );
  const look = lookInto(file.source, language);
  return [
    ...(isSpared ? [] : encodingFindings(file, language)),
    ...rules.flatMap((rule) => applyRule(rule, file, look)),
  ];
}

// Whether this file imports something that looks like a test.
export function importsTests({ name, source }: SourceFile): boolean {
  const language = languageOf(name);
  if (language === null || isTest(name)) return false;
  if (!/test/i.test(source)) return false;
  const { code, text } = lookInto(source, language).view;
  if (language === "python") {
    return /^[ \t]*(?:from|import)[ \t]+[\w., \t]*(?<![A-Za-z0-9])(?:tests?|testing|test_\w+|\w+_test|conftest)\b/m.test(
      code,
    );
  }
  return /(?:from|import|require)\s*\(?\s*["'][^"'\n]*(?:\/(?:tests?|__tests__|testing)\/|\.(?:test|spec)\b)/.test(
    text,
  );
}

interface Look {
  readonly view: SourceView;
  readonly lineOf: (at: number) => number;
  // Computed lazily: only the few rules about imports need it.
  readonly runsAtImport: (at: number) => boolean;
}

function lookInto(source: string, language: Language): Look {
  const view = language === "python" ? viewPython(source) : viewJavaScript(source);
  const lineOf = lineFinder(view.code);
  let runs: ((at: number) => boolean) | undefined;
  return {
    view,
    lineOf,
    runsAtImport(at) {
      runs ??= language === "python" ? byLines(view.code, lineOf) : outside(functionBodies(view.code));
      return runs(at);
    },
  };
}

function byLines(code: string, lineOf: (at: number) => number): (at: number) => boolean {
  const lines = linesAtImport(code);
  return (at) => lines[lineOf(at)] ?? false;
}

function outside(bodies: readonly (readonly [number, number])[]): (at: number) => boolean {
  const apart: [number, number][] = [];
  for (const [start, end] of [...bodies].sort((a, b) => a[0] - b[0])) {
    const last = apart.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else apart.push([start, end]);
  }
  return (at) => {
    let [low, high] = [0, apart.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((apart[middle]?.[1] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return at < (apart[low]?.[0] ?? Number.POSITIVE_INFINITY);
  };
}

function applyRule(rule: Rule, file: SourceFile, look: Look): readonly Finding[] {
  const { view, lineOf } = look;
  if (rule.also_in_file !== undefined && !new RegExp(rule.also_in_file, "m").test(view.text)) return [];
  const positions = rule.in === "strings" ? inStrings(rule, view) : inView(rule, view);
  const found: number[] = [];
  let count = 0;
  for (const at of positions) {
    if (rule.at_import === true && !look.runsAtImport(at)) continue;
    count++;
    if (found.length < findingsPerRuleAndFile) found.push(at);
    else if (rule.count_min === undefined) break;
  }
  if (count < (rule.count_min ?? 1)) return [];
  const shown = rule.count_min === undefined ? found : found.slice(0, 1);
  const lines = [...new Set(shown.map(lineOf))];
  return lines.map((line) => ({ code: rule.code, message: rule.message, file: file.name, line }));
}

// Matches each string separately and as a whole.
function* inStrings(rule: Rule, view: SourceView): Generator<number> {
  const pattern = new RegExp(rule.pattern);
  for (const { at, value } of view.strings) if (pattern.test(value)) yield at;
}

function* inView(rule: Rule, view: SourceView): Generator<number> {
  const where = rule.in === "text" ? view.text : view.code;
  const inside = rule.arguments === undefined ? null : new RegExp(rule.arguments);
  let examined = 0;
  for (const match of where.matchAll(new RegExp(rule.pattern, "gm"))) {
    const opened = match.index + match[0].length - 1;
    // No one writes this many calls by hand. We stop examining such a file and report it as a finding.
    const isExamined = inside !== null && ++examined <= callsExaminedMax;
    if (isExamined && !inside.test(insideBrackets(view, opened))) continue;
    yield match.index;
  }
}

function coversLanguage(rule: Rule, language: Language | null): boolean {
  return rule.languages === undefined || (language !== null && rule.languages.includes(language));
}

// If Python reads a source in a different encoding than the one it is shown in, the source can hide anything.
function encodingFindings({ name, source }: SourceFile, language: Language): readonly Finding[] {
  if (language !== "python") return [];
  const lines = source.split("\n", 2);
  const index = lines.findIndex((line) => /^[ \t\f]*#.*?coding[:=]/.test(line));
  const encoding = /coding[:=][ \t]*([-\w.]+)/
    .exec(lines[index] ?? "")?.[1]
    ?.toLowerCase()
    .replaceAll("_", "-");
  if (encoding === undefined || /^(?:utf-?8(?:-sig)?|(?:us-)?ascii|latin-?1|iso-?8859-\d{1,2}|cp125\d)$/.test(encoding))
    return [];
  const message = "The source declares an encoding that can disguise its text.";
  return [{ code: "python_source_encoding", message, file: name, line: index + 1 }];
}
