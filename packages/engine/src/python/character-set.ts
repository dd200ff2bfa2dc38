// Which characters a letter, a class or a set of a pattern matches, with and without regard to case.
import {
  asciiLowerOf,
  isAsciiCased,
  isAsciiDigit,
  isAsciiSpace,
  isAsciiWord,
  isCased,
  isDigit,
  isSpace,
  isWord,
  lowerOf,
  sameCapital,
  upperOf,
} from "./characters.ts";
import type { CharacterTest } from "./pattern-tree.ts";

export interface PatternFlags {
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
}

export type SetItem =
  | { readonly kind: "literal"; readonly code: number }
  | { readonly kind: "range"; readonly low: number; readonly high: number }
  | { readonly kind: "category"; readonly letter: string };

export const categoryLetters = "dDsSwW";

export function categoryTest(letter: string, { ascii }: PatternFlags): CharacterTest {
  const tests: Readonly<Record<string, CharacterTest>> = {
    d: ascii ? isAsciiDigit : isDigit,
    s: ascii ? isAsciiSpace : isSpace,
    w: ascii ? isAsciiWord : isWord,
  };
  const test = tests[letter.toLowerCase()] ?? (() => false);
  return letter === letter.toLowerCase() ? test : (code) => !test(code);
}

interface Folding {
  readonly lower: (code: number) => number;
  readonly isCased: (code: number) => boolean;
  readonly family: (lower: number) => readonly number[];
}

const asciiFolding: Folding = { lower: asciiLowerOf, isCased: isAsciiCased, family: (lower) => [lower] };
const fullFolding: Folding = { lower: lowerOf, isCased, family: sameCapital };
const foldingOf = ({ ascii }: PatternFlags) => (ascii ? asciiFolding : fullFolding);

export function foldOf(flags: PatternFlags): (code: number) => number {
  return flags.ignoreCase ? foldingOf(flags).lower : (code) => code;
}

export function literalTest(code: number, flags: PatternFlags): CharacterTest {
  const { lower, isCased: cased, family } = foldingOf(flags);
  if (!flags.ignoreCase || !cased(code)) return (given) => given === code;
  const codes = family(lower(code));
  if (codes.length === 1) return (given) => lower(given) === codes[0];
  return (given) => codes.includes(lower(given));
}

export function setTest(items: readonly SetItem[], isNegative: boolean, flags: PatternFlags): CharacterTest {
  const [only] = items;
  const positive = items.length === 1 && only?.kind === "literal" ? literalTest(only.code, flags) : anyOf(items, flags);
  return isNegative ? (code) => !positive(code) : positive;
}

function anyOf(items: readonly SetItem[], flags: PatternFlags): CharacterTest {
  const folding = flags.ignoreCase ? foldingOf(flags) : null;
  if (folding !== null && items.some((item) => hasCase(item, folding))) return foldedSet(items, flags, folding);
  const codes = new Set(items.flatMap((item) => (item.kind === "literal" ? [item.code] : [])));
  const tests = items.flatMap((item): CharacterTest[] => {
    if (item.kind === "literal") return [];
    if (item.kind === "category") return [categoryTest(item.letter, flags)];
    return [(code) => code >= item.low && code <= item.high];
  });
  return (code) => codes.has(code) || tests.some((test) => test(code));
}

const basicMax = 0xffff;

function hasCase(item: SetItem, folding: Folding): boolean {
  if (item.kind === "category") return false;
  if (item.kind === "literal") return item.code > basicMax || folding.isCased(item.code);
  if (item.high > basicMax) return true;
  for (let code = item.low; code <= item.high; code++) if (folding.isCased(code)) return true;
  return false;
}

// We compare in lower case: a character matches if its lower case is that of one in the set. Beyond the first 65,536 characters
// a letter has at most one capital, so there we look for both.
function foldedSet(items: readonly SetItem[], flags: PatternFlags, folding: Folding): CharacterTest {
  const codes = new Set<number>();
  const tests: CharacterTest[] = [];
  const addFolded = (code: number) => {
    for (const relative of folding.family(folding.lower(code))) codes.add(relative);
  };
  for (const item of items) {
    if (item.kind === "category") tests.push(categoryTest(item.letter, flags));
    else if (item.kind === "literal") {
      if (folding.lower(item.code) > basicMax) codes.add(item.code);
      else addFolded(item.code);
    } else {
      const { low, high } = item;
      for (let code = low; code <= Math.min(high, basicMax); code++) addFolded(code);
      if (high > basicMax)
        tests.push((code) => (code >= low && code <= high) || (upperOf(code) >= low && upperOf(code) <= high));
    }
  }
  return (given) => {
    const code = folding.lower(given);
    return codes.has(code) || tests.some((test) => test(code));
  };
}
