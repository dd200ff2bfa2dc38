// Python as the rules see it: which bytes are strings and comments, and which lines run when the module is imported.
// Fields of f-strings are code and stay visible. Python folds identifiers by NFKC, so we fold letters the same way, and a
// name has only one spelling here.

import { foldLetters } from "../python/source-text.ts";
import { buildView, type SourceView } from "./source-view.ts";

type Level =
  // A field of an f-string: code until its closing brace.
  | { readonly kind: "field"; depth: number }
  | { readonly kind: "string"; readonly quote: string; readonly isFormatted: boolean };

export function viewPython(source: string): SourceView {
  const text = foldLetters(source.replace(/\r\n?/g, "\n"));
  const strings: [number, number][] = [];
  const comments: [number, number][] = [];
  const levels: Level[] = [];
  let at = 0;
  let stringFrom = 0;
  while (at < text.length) {
    const level = levels.at(-1);
    if (level?.kind === "string") {
      const end = endOfLiteral(text, at, level);
      if (end.what === "field") {
        mark(strings, stringFrom, end.at);
        levels.push({ kind: "field", depth: 0 });
      } else {
        mark(strings, stringFrom, end.at);
        levels.pop();
      }
      at = end.next;
      continue;
    }
    const character = text.charAt(at);
    if (character === "#") {
      const end = lineEnd(text, at);
      comments.push([at, end]);
      at = end;
    } else if (character === '"' || character === "'") {
      const quote = text.startsWith(character.repeat(3), at) ? character.repeat(3) : character;
      levels.push({ kind: "string", quote, isFormatted: isFormatted(text, at) });
      at += quote.length;
      stringFrom = at;
    } else {
      at++;
      if (level?.kind !== "field") continue;
      if (character === "{" || character === "[" || character === "(") level.depth++;
      else if (character === "}" && level.depth <= 0) {
        levels.pop();
        stringFrom = at;
      } else if (character === "}" || character === "]" || character === ")") level.depth--;
    }
  }
  // An unclosed string: the rest of the file is inside it.
  if (levels.at(-1)?.kind === "string") mark(strings, stringFrom, text.length);
  const view = buildView(text, { strings, comments });
  // A trailing backslash joins lines. Between a name and its bracket it is just whitespace.
  return { ...view, code: view.code.replace(/\\\n/g, " \n") };
}

function mark(ranges: [number, number][], start: number, end: number): void {
  if (end > start) ranges.push([start, end]);
}

function endOfLiteral(
  text: string,
  from: number,
  { quote, isFormatted }: { readonly quote: string; readonly isFormatted: boolean },
): { readonly what: "end" | "field"; readonly at: number; readonly next: number } {
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "\\") at++;
    else if (character === "\n" && quote.length === 1) return { what: "end", at, next: at };
    else if (isFormatted && character === "{") {
      if (text.charAt(at + 1) === "{") at++;
      else return { what: "field", at, next: at + 1 };
    } else if (text.startsWith(quote, at)) return { what: "end", at, next: at + quote.length };
  }
  return { what: "end", at: text.length, next: text.length };
}

// Letters right before a quote are a string prefix unless they belong to a longer word.
function isFormatted(text: string, quoteAt: number): boolean {
  const prefix =
    /(?:^|[^A-Za-z0-9_])([rRbBuUfFtT]{1,2})$/.exec(text.slice(Math.max(0, quoteAt - 3), quoteAt))?.[1] ?? "";
  return /[ftFT]/.test(prefix);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end;
}

// For each line (the first is 1): whether it runs when the module is imported. Function bodies and code under `if
// __name__ == …` do not; class bodies do.
export function linesAtImport(code: string): readonly boolean[] {
  const result: boolean[] = [false];
  const laterFrom: number[] = [];
  let depth = 0;
  let isLater = false;
  let isInString = false;
  for (const line of code.split("\n")) {
    const isContinued = depth > 0 || isInString;
    // The insides of strings are blank here, so the quotes of long strings alternate: open, close, open.
    for (const _ of line.matchAll(/"""|'''/g)) isInString = !isInString;
    if (!isContinued && line.trim() !== "") {
      const indent = line.length - line.trimStart().length;
      while (laterFrom.length > 0 && indent <= (laterFrom.at(-1) ?? 0)) laterFrom.pop();
      const opensLater = /^\s*(?:async\s+)?def\b|^\s*if\s+__name__\s*==|^\s*if\s+(?:typing\.)?TYPE_CHECKING\b/.test(
        line,
      );
      isLater = laterFrom.length > 0 || opensLater;
      if (opensLater) laterFrom.push(indent);
    }
    result.push(!isLater && !/\blambda\b/.test(line));
    for (const character of line) {
      if (character === "(" || character === "[" || character === "{") depth++;
      else if (character === ")" || character === "]" || character === "}") depth = Math.max(0, depth - 1);
    }
  }
  return result;
}
