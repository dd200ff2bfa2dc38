// A set of characters: `[a-z\d_]`.
import { type PatternFlags, type SetItem, setTest } from "./character-set.ts";
import type { PatternSource } from "./pattern-source.ts";
import { type CharacterTest, PatternError } from "./pattern-tree.ts";
import { readSetEscape } from "./read-escape.ts";

export function readSet(source: PatternSource, flags: PatternFlags): CharacterTest {
  const isNegative = source.match("^");
  const items: SetItem[] = [];
  for (let isFirst = true; ; isFirst = false) {
    const token = nextOf(source);
    if (token === "]" && !isFirst) break;
    const item = readItem(source, token);
    if (!source.match("-")) {
      items.push(item);
      continue;
    }
    const end = nextOf(source);
    if (end === "]") {
      items.push(item, { kind: "literal", code: 45 });
      break;
    }
    items.push(rangeOf(item, readItem(source, end), `${token}-${end}`));
  }
  return setTest(withoutRepeats(items), isNegative, flags);
}

function nextOf(source: PatternSource): string {
  const token = source.take();
  if (token === null) throw new PatternError("unterminated character set");
  return token;
}

function readItem(source: PatternSource, token: string): SetItem {
  if (token.length === 1 || !token.startsWith("\\")) return { kind: "literal", code: token.codePointAt(0) ?? 0 };
  const read = readSetEscape(source, token);
  if (read.kind === "literal" || read.kind === "category") return read;
  throw new PatternError(`bad escape ${token}`);
}

function rangeOf(low: SetItem, high: SetItem, text: string): SetItem {
  if (low.kind !== "literal" || high.kind !== "literal" || high.code < low.code) {
    throw new PatternError(`bad character range ${text}`);
  }
  return { kind: "range", low: low.code, high: high.code };
}

function withoutRepeats(items: readonly SetItem[]): SetItem[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}
