// Parses a pattern like Python 3.11: what it accepts is accepted with the same meaning, what it refuses is refused.

import { categoryTest, foldOf, literalTest, type PatternFlags } from "./character-set.ts";
import { isAsciiWord, isWord } from "./characters.ts";
import { digits, isIdentifier, PatternSource } from "./pattern-source.ts";
import {
  type Codes,
  empty,
  PatternError,
  type PatternNode,
  type ReadPattern,
  type Repeat,
  type Width,
  widthOf,
} from "./pattern-tree.ts";
import { readEscape } from "./read-escape.ts";
import { readFlags } from "./read-flags.ts";
import { readSet } from "./read-set.ts";

// Deeper than people write, and far from the end of the stack.
const depthMax = 200;

export function readPattern(text: string, flags: PatternFlags): ReadPattern {
  return new PatternReader(text, flags).read();
}

class PatternReader {
  readonly #source: PatternSource;
  readonly #names = new Map<string, number>();
  readonly #widths = new Map<number, Width>();
  // Groups named by a condition; they may come later.
  readonly #named: number[] = [];
  #flags: PatternFlags;
  #groups = 0;
  // Groups from this one on began inside a look-behind and cannot be referred to there.
  #behindFrom: number | null = null;

  constructor(text: string, flags: PatternFlags) {
    this.#source = new PatternSource(text);
    this.#flags = flags;
  }

  read(): ReadPattern {
    const root = this.#choice(null, 0);
    if (!this.#source.isOver) throw new PatternError("unbalanced parenthesis");
    const missing = this.#named.find((group) => group > this.#groups);
    if (missing !== undefined) throw new PatternError(`invalid group reference ${missing}`);
    return { root, groups: this.#groups, names: this.#names, widths: this.#widths };
  }

  // `null` for the flags of the whole pattern, which its beginning may still set.
  #choice(flags: PatternFlags | null, depth: number): PatternNode {
    if (depth > depthMax) throw new PatternError("the pattern is nested too deeply");
    const options = [this.#sequence(flags, depth, flags === null)];
    while (this.#source.match("|")) options.push(this.#sequence(flags, depth, false));
    const [only] = options;
    return options.length === 1 && only ? only : { kind: "choice", options };
  }

  #sequence(own: PatternFlags | null, depth: number, isFirst: boolean): PatternNode {
    const items: PatternNode[] = [];
    for (let token = this.#source.next; token !== null && token !== "|" && token !== ")"; token = this.#source.next) {
      const flags = own ?? this.#flags;
      this.#source.take();
      if (flags.verbose && this.#skipped(token)) continue;
      if (token === "*" || token === "+" || token === "?" || token === "{") this.#repeat(token, items, flags);
      else {
        const item = this.#item(token, flags, depth, isFirst && items.length === 0);
        if (item) items.push(item);
      }
    }
    const [only] = items;
    return items.length === 1 && only ? only : { kind: "sequence", items };
  }

  #skipped(token: string): boolean {
    if (/^[ \t\n\r\v\f]$/.test(token)) return true;
    if (token !== "#") return false;
    for (let next = this.#source.take(); next !== null && next !== "\n"; ) next = this.#source.take();
    return true;
  }

  // `null` if it is not an item, but flags or a comment.
  #item(token: string, flags: PatternFlags, depth: number, isFirst: boolean): PatternNode | null {
    if (token.length > 1 && token.startsWith("\\")) return this.#escape(token, flags);
    if (token === "[") return { kind: "character", test: readSet(this.#source, flags) };
    if (token === ".") return { kind: "character", test: flags.dotAll ? () => true : (code) => code !== 10 };
    if (token === "^") return anchor(flags.multiline ? atLineStart : atStart);
    if (token === "$") return anchor(flags.multiline ? atLineEnd : atEnd);
    if (token === "(") return this.#parenthesis(flags, depth + 1, isFirst);
    return { kind: "character", test: literalTest(token.codePointAt(0) ?? 0, flags) };
  }

  #escape(token: string, flags: PatternFlags): PatternNode {
    const read = readEscape(this.#source, token);
    switch (read.kind) {
      case "literal":
        return { kind: "character", test: literalTest(read.code, flags) };
      case "category":
        return { kind: "character", test: categoryTest(read.letter, flags) };
      case "place":
        return anchor(positionTestOf(read.letter, flags));
      case "reference":
        return this.#reference(read.group, flags);
    }
  }

  #reference(group: number, flags: PatternFlags): PatternNode {
    if (group > this.#groups) throw new PatternError(`invalid group reference ${group}`);
    if (!this.#widths.has(group)) throw new PatternError("cannot refer to an open group");
    this.#checkBehind(group);
    return { kind: "reference", group, fold: foldOf(flags) };
  }

  #checkBehind(group: number): void {
    if (this.#behindFrom === null) return;
    if (!this.#widths.has(group)) throw new PatternError("cannot refer to an open group");
    if (group >= this.#behindFrom)
      throw new PatternError("cannot refer to group defined in the same lookbehind subpattern");
  }

  #repeat(token: string, items: PatternNode[], flags: PatternFlags): void {
    const bounds = this.#bounds(token);
    if (bounds === null) {
      items.push({ kind: "character", test: literalTest(token.charCodeAt(0), flags) });
      return;
    }
    const last = items.at(-1);
    if (!last || last.kind === "place") throw new PatternError("nothing to repeat");
    if (last.kind === "repeat") throw new PatternError("multiple repeat");
    const mode = this.#source.match("?") ? "lazy" : this.#source.match("+") ? "possessive" : "greedy";
    const body = last.kind === "sequence" && isWrapped.has(last) ? unwrapped(last) : last;
    const repeat: Repeat = { kind: "repeat", ...bounds, mode, body };
    items[items.length - 1] = repeat;
  }

  #bounds(token: string): { readonly min: number; readonly max: number } | null {
    if (token !== "{") return { min: token === "+" ? 1 : 0, max: token === "?" ? 1 : Number.POSITIVE_INFINITY };
    const source = this.#source;
    const here = source.at;
    if (source.next === "}") return null;
    const low = source.takeWhile(Number.POSITIVE_INFINITY, digits);
    const high = source.match(",") ? source.takeWhile(Number.POSITIVE_INFINITY, digits) : low;
    if (!source.match("}")) {
      source.at = here;
      return null;
    }
    const [min, max] = [Number(low || 0), high === "" ? Number.POSITIVE_INFINITY : Number(high)];
    if (min >= repeatMax || (high !== "" && max >= repeatMax))
      throw new PatternError("the repetition number is too large");
    if (max < min) throw new PatternError("min repeat greater than max repeat");
    return { min, max };
  }

  #parenthesis(flags: PatternFlags, depth: number, isFirst: boolean): PatternNode | null {
    const source = this.#source;
    if (!source.match("?")) return this.#group(null, flags, depth);
    const token = source.take();
    if (token === null) throw new PatternError("unexpected end of pattern");
    if (token === "P") return this.#extension(flags, depth);
    if (token === ":") return wrapped(this.#closed(flags, depth));
    if (token === ">") return { kind: "atomic", body: this.#closed(flags, depth) };
    if (token === "#") return this.#comment();
    if (token === "=" || token === "!") return this.#look(token === "!", null, flags, depth);
    if (token === "<") return this.#lookBehind(flags, depth);
    if (token === "(") return this.#condition(flags, depth);
    const group = readFlags(source, token, flags);
    if (group.kind === "local") return wrapped(this.#closed(group.flags, depth));
    if (!isFirst) throw new PatternError("global flags not at the start of the expression");
    this.#flags = group.flags;
    return null;
  }

  #closed(flags: PatternFlags, depth: number): PatternNode {
    const body = this.#choice(flags, depth);
    if (!this.#source.match(")")) throw new PatternError("missing ), unterminated subpattern");
    return body;
  }

  #group(name: string | null, flags: PatternFlags, depth: number): PatternNode {
    this.#groups += 1;
    const index = this.#groups;
    if (name !== null) {
      if (this.#names.has(name)) throw new PatternError(`redefinition of group name ${name}`);
      this.#names.set(name, index);
    }
    const body = this.#closed(flags, depth);
    this.#widths.set(index, widthOf(body, this.#widths));
    return { kind: "group", index, body };
  }

  #extension(flags: PatternFlags, depth: number): PatternNode {
    if (this.#source.match("<")) return this.#group(this.#name(">"), flags, depth);
    if (!this.#source.match("=")) throw new PatternError("unknown extension ?P");
    const name = this.#name(")");
    const group = this.#names.get(name);
    if (group === undefined) throw new PatternError(`unknown group name ${name}`);
    return this.#reference(group, flags);
  }

  #name(end: string): string {
    const name = this.#source.takeUntil(end, "group name");
    if (!isIdentifier(name)) throw new PatternError(`bad character in group name ${name}`);
    return name;
  }

  #comment(): null {
    for (let token = this.#source.take(); token !== ")"; token = this.#source.take()) {
      if (token === null) throw new PatternError("missing ), unterminated comment");
    }
    return null;
  }

  #lookBehind(flags: PatternFlags, depth: number): PatternNode {
    const token = this.#source.take();
    if (token !== "=" && token !== "!") throw new PatternError(`unknown extension ?<${token ?? ""}`);
    const outer = this.#behindFrom;
    this.#behindFrom ??= this.#groups + 1;
    const look = this.#look(token === "!", 0, flags, depth);
    this.#behindFrom = outer;
    return look;
  }

  #look(isNegative: boolean, behind: 0 | null, flags: PatternFlags, depth: number): PatternNode {
    const body = this.#closed(flags, depth);
    if (behind === null) return { kind: "look", back: null, isNegative, body };
    const [min, max] = widthOf(body, this.#widths);
    if (min !== max) throw new PatternError("look-behind requires fixed-width pattern");
    return { kind: "look", back: min, isNegative, body };
  }

  #condition(flags: PatternFlags, depth: number): PatternNode {
    const name = this.#source.takeUntil(")", "group name");
    const group = isIdentifier(name) ? this.#names.get(name) : Number(/^\+?[0-9]+$/.test(name) ? name : -1);
    if (group === undefined) throw new PatternError(`unknown group name ${name}`);
    if (group < 1) throw new PatternError(`bad character in group name ${name}`);
    this.#named.push(group);
    this.#checkBehind(group);
    const yes = this.#sequence(flags, depth, false);
    const no = this.#source.match("|") ? this.#sequence(flags, depth, false) : empty;
    if (this.#source.next === "|") throw new PatternError("conditional backref with more than two branches");
    if (!this.#source.match(")")) throw new PatternError("missing ), unterminated subpattern");
    return { kind: "condition", group, yes, no };
  }
}

const repeatMax = 2 ** 32 - 1;

// A non-capturing group counts as one item for a repeat, even if it contains a repeat or an anchor.
const isWrapped = new WeakSet<PatternNode>();
function wrapped(body: PatternNode): PatternNode {
  const node: PatternNode = { kind: "sequence", items: [body] };
  isWrapped.add(node);
  return node;
}
function unwrapped(node: PatternNode): PatternNode {
  return node.kind === "sequence" ? (node.items[0] ?? empty) : node;
}

type PositionTest = (text: Codes, at: number) => boolean;
const anchor = (test: PositionTest): PatternNode => ({ kind: "place", test });
const atStart: PositionTest = (_text, at) => at === 0;
const atLineStart: PositionTest = (text, at) => at === 0 || text[at - 1] === 10;
const atEnd: PositionTest = (text, at) => at === text.length || (at === text.length - 1 && text[at] === 10);
const atLineEnd: PositionTest = (text, at) => at === text.length || text[at] === 10;
const atVeryEnd: PositionTest = (text, at) => at === text.length;

function positionTestOf(letter: string, { ascii }: PatternFlags): PositionTest {
  if (letter === "A") return atStart;
  if (letter === "Z") return atVeryEnd;
  const isPart = ascii ? isAsciiWord : isWord;
  const wanted = letter === "b";
  // An empty text has no boundary, and no non-boundary either.
  return (text, at) => {
    if (text.length === 0) return false;
    const before = at > 0 && isPart(text[at - 1] ?? 0);
    const after = at < text.length && isPart(text[at] ?? 0);
    return (before !== after) === wanted;
  };
}
