// What a backslash means in a pattern, inside and outside of a set.
import { NodeError } from "../execution/node-error.ts";
import { categoryLetters } from "./character-set.ts";
import { digits, hexDigits, octalDigits, type PatternSource } from "./pattern-source.ts";
import { PatternError } from "./pattern-tree.ts";

type Escape =
  | { readonly kind: "literal"; readonly code: number }
  | { readonly kind: "category"; readonly letter: string }
  | { readonly kind: "place"; readonly letter: string }
  | { readonly kind: "reference"; readonly group: number };

export const plainEscapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

const literal = (code: number) => ({ kind: "literal", code }) as const;
const badEscape = (token: string) => new PatternError(`bad escape ${token}`);

export function readEscape(source: PatternSource, token: string): Escape {
  const letter = token.slice(1);
  if ("AZbB".includes(letter)) return { kind: "place", letter };
  const anywhere = readAnywhere(source, token);
  if (anywhere) return anywhere;
  if (letter === "0") return literal(Number.parseInt(`0${source.takeWhile(2, octalDigits)}`, 8));
  if (digits.test(letter)) return readReference(source, letter);
  return ordinary(token);
}

export function readSetEscape(source: PatternSource, token: string): Escape {
  const letter = token.slice(1);
  const anywhere = readAnywhere(source, token);
  if (anywhere) return anywhere;
  if (octalDigits.test(letter)) return literal(octal(letter + source.takeWhile(2, octalDigits)));
  if (digits.test(letter)) throw badEscape(token);
  return ordinary(token);
}

function ordinary(token: string): Escape {
  if (/^\\[a-zA-Z]$/.test(token)) throw badEscape(token);
  return literal(token.codePointAt(1) ?? 0);
}

const hexLengths: Readonly<Record<string, number>> = { x: 2, u: 4, U: 8 };

// Escapes that mean the same inside and outside of a set. `null` for others.
function readAnywhere(source: PatternSource, token: string): Escape | null {
  const letter = token.slice(1);
  if (categoryLetters.includes(letter)) return { kind: "category", letter };
  const plain = plainEscapes[letter];
  if (plain !== undefined) return literal(plain.charCodeAt(0));
  if (letter === "N") {
    throw new NodeError(
      "regex_pattern: named characters (\\N{…}) are not supported. Write the character itself, or \\u and its number.",
    );
  }
  const length = hexLengths[letter];
  if (length === undefined) return null;
  const found = source.takeWhile(length, hexDigits);
  if (found.length !== length) throw new PatternError(`incomplete escape ${token}${found}`);
  const code = Number.parseInt(found, 16);
  if (code > 0x10ffff) throw badEscape(token + found);
  return literal(code);
}

function octal(found: string): number {
  const code = Number.parseInt(found, 8);
  if (code > 0o377) throw new PatternError(`octal escape value \\${found} outside of range 0-0o377`);
  return code;
}

// Three octal digits are a character, anything else is a group.
function readReference(source: PatternSource, first: string): Escape {
  let found = first;
  if (source.next !== null && digits.test(source.next)) {
    found += source.take() ?? "";
    const isOctal = /^[0-7]{2}$/.test(found) && source.next !== null && octalDigits.test(source.next);
    if (isOctal) return literal(octal(found + (source.take() ?? "")));
  }
  return { kind: "reference", group: Number(found) };
}
