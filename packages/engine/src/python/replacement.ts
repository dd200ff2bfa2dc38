// The replacement for a match: `\1`, `\g<name>` and escapes, as in Python's templates.

import type { Match, Pattern } from "./pattern.ts";
import { digits, isIdentifier, octalDigits, PatternSource } from "./pattern-source.ts";
import { PatternError } from "./pattern-tree.ts";
import { plainEscapes } from "./read-escape.ts";

type Part = string | number;

// A group that did not participate in the match is replaced by nothing.
export function readReplacement(template: string, pattern: Pattern): (match: Match) => string {
  const source = new PatternSource(template);
  const parts: Part[] = [];
  for (let token = source.take(); token !== null; token = source.take()) {
    const part = token.length > 1 && token.startsWith("\\") ? readEscaped(source, token, pattern) : token;
    if (typeof part === "number" && part > pattern.groups) throw new PatternError(`invalid group reference ${part}`);
    parts.push(part);
  }
  return (match) => parts.map((part) => (typeof part === "string" ? part : (match.group(part) ?? ""))).join("");
}

function readEscaped(source: PatternSource, token: string, pattern: Pattern): Part {
  const letter = token.slice(1);
  if (letter === "g") return readNamed(source, pattern);
  if (letter === "0") return String.fromCharCode(Number.parseInt(`0${source.takeWhile(2, octalDigits)}`, 8) & 255);
  if (digits.test(letter)) return readNumber(source, letter);
  const plain = plainEscapes[letter];
  if (plain !== undefined) return plain;
  if (/^[a-zA-Z]$/.test(letter)) throw new PatternError(`bad escape ${token}`);
  return token;
}

function readNamed(source: PatternSource, pattern: Pattern): number {
  if (!source.match("<")) throw new PatternError("missing <");
  const name = source.takeUntil(">", "group name");
  if (!isIdentifier(name)) {
    if (!/^\+?[0-9]+$/.test(name)) throw new PatternError(`bad character in group name ${name}`);
    return Number(name);
  }
  const group = pattern.names.get(name);
  if (group === undefined) throw new PatternError(`unknown group name ${name}`);
  return group;
}

function readNumber(source: PatternSource, first: string): Part {
  let found = first;
  if (source.next === null || !digits.test(source.next)) return Number(found);
  found += source.take() ?? "";
  const isOctal = /^[0-7]{2}$/.test(found) && source.next !== null && octalDigits.test(source.next);
  if (!isOctal) return Number(found);
  found += source.take() ?? "";
  const code = Number.parseInt(found, 8);
  if (code > 0o377) throw new PatternError(`octal escape value \\${found} outside of range 0-0o377`);
  return String.fromCharCode(code);
}
