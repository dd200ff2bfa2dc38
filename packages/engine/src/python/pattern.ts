// Regular expressions with Python's semantics, in bounded time for any pattern.
import type { PatternFlags } from "./character-set.ts";
import { compileTree, type Program } from "./compile-pattern.ts";
import { Matcher } from "./match-pattern.ts";
import { readPattern } from "./read-pattern.ts";

export interface Match {
  // In UTF-16 units of the text, so that it can be sliced.
  readonly start: number;
  readonly end: number;
  // Null if it did not participate in the match.
  span(index: number): readonly [start: number, end: number] | null;
  group(index: number): string | null;
}

export interface Pattern {
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  // Lazily, one after the other.
  matches(text: string): Generator<Match>;
}

// Throws a PatternError for what Python refuses, a NodeError for what only we cannot handle.
export function compilePattern(source: string, flags: Partial<PatternFlags> = {}): Pattern {
  const tree = readPattern(source, {
    ignoreCase: false,
    multiline: false,
    dotAll: false,
    verbose: false,
    ascii: false,
    ...flags,
  });
  const program = compileTree(tree);
  return { groups: tree.groups, names: tree.names, matches: (text) => matchesOf(program, text) };
}

function* matchesOf(program: Program, text: string): Generator<Match> {
  const { codes, offsets } = codesOf(text);
  const matcher = new Matcher(program, codes);
  const unitOf = (at: number) => (offsets === null ? at : (offsets[at] ?? 0));
  let from = 0;
  let mustAdvance = false;
  for (;;) {
    const found = matcher.search(from, mustAdvance);
    if (found === null) return;
    const [start = 0, end = 0] = found;
    const span = (index: number) => {
      const [groupStart = -1, groupEnd = -1] = found.subarray(index * 2, index * 2 + 2);
      return groupEnd < 0 || groupStart < 0 ? null : ([unitOf(groupStart), unitOf(groupEnd)] as const);
    };
    const group = (index: number) => {
      const found = span(index);
      return found && text.slice(...found);
    };
    yield { start: unitOf(start), end: unitOf(end), span, group };
    // An empty match may follow another match, but not at a position that already matched empty.
    mustAdvance = start === end;
    from = end;
  }
}

interface TextCodes {
  readonly codes: Uint32Array;
  // Where each code point begins; null if each is one unit.
  readonly offsets: Uint32Array | null;
}

function codesOf(text: string): TextCodes {
  const codes = new Uint32Array(text.length);
  const offsets = new Uint32Array(text.length + 1);
  let count = 0;
  for (let unit = 0; unit < text.length; count++) {
    const code = text.codePointAt(unit) ?? 0;
    codes[count] = code;
    offsets[count] = unit;
    unit += code > 0xffff ? 2 : 1;
  }
  if (count === text.length) return { codes, offsets: null };
  offsets[count] = text.length;
  return { codes: codes.subarray(0, count), offsets };
}
