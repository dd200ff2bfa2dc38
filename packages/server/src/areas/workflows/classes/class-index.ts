// The node classes of a surface, indexed for look-up, search and paging. Rebuilt when they change.
import { createHash } from "node:crypto";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { wordsOf } from "./present-node-class.ts";

export interface IndexedClass {
  readonly name: string;
  readonly description: unknown;
  // In lower case.
  readonly folded: { readonly name: string; readonly title: string; readonly category: string; readonly all: string };
}

export interface FoundClass {
  // Lower is better. 0 for all if there is no search text.
  readonly rank: number;
  readonly entry: IndexedClass;
}

export interface ClassFilter {
  // Empty means all.
  readonly q: string;
  readonly category: string;
}

export interface ClassIndex {
  find(name: string): IndexedClass | undefined;
  // Best first, then by name.
  search(filter: ClassFilter): readonly FoundClass[];
}

const searchesMax = 100;

export function classIndex(
  descriptions: ReadonlyMap<string, unknown>,
  isLeftOut: (name: string) => boolean,
): ClassIndex {
  const entries = [...descriptions]
    .filter(([name]) => !isLeftOut(name))
    .map(([name, description]) => indexed(name, description))
    .sort(byName);
  const byNames = new Map(entries.map((entry) => [entry.name, entry]));
  const found = new BoundedMap<string, readonly FoundClass[]>(searchesMax);
  return {
    find: (name) => byNames.get(name),
    search(filter) {
      const key = JSON.stringify([filter.q, filter.category]);
      const before = found.get(key);
      if (before) return before;
      const made = searched(entries, filter);
      found.set(key, made);
      return made;
    },
  };
}

function indexed(name: string, description: unknown): IndexedClass {
  const words = wordsOf(name, description);
  const [title, category] = [words.title.toLowerCase(), words.category.toLowerCase()];
  const all = `${name.toLowerCase()}\n${title}\n${category}\n${words.description.toLowerCase()}`;
  return { name, description, folded: { name: name.toLowerCase(), title, category, all } };
}

const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1);

function searched(entries: readonly IndexedClass[], { q, category }: ClassFilter): readonly FoundClass[] {
  const within = category.toLowerCase().replace(/\/+$/, "");
  const isWithin = ({ folded }: IndexedClass) =>
    within === "" || folded.category === within || folded.category.startsWith(`${within}/`);
  const text = q.trim().toLowerCase();
  const words = text.split(/\s+/).filter((word) => word !== "");
  return entries
    .filter(isWithin)
    .flatMap((entry) => {
      const rank = rankOf(entry, text, words);
      return rank === null ? [] : [{ rank, entry }];
    })
    .sort((one, other) => one.rank - other.rank || byName(one.entry, other.entry));
}

// Null if one of the words does not occur.
function rankOf({ folded: { name, title, all } }: IndexedClass, text: string, words: readonly string[]): number | null {
  if (words.length === 0) return 0;
  if (!words.every((word) => all.includes(word))) return null;
  const isNamed = words.every((word) => name.includes(word) || title.includes(word));
  const isBegun = name.startsWith(text) || title.startsWith(text);
  const kind = name === text || title === text ? 0 : isBegun ? 1 : isNamed ? 2 : 3;
  // Among names that contain the words, the shortest is the closest match.
  return kind * 1_000 + Math.min(name.length, 999);
}

const shownBytesMax = 200;

// The end of a page, for a cursor, which has little room: a long name is given by its start and a hash.
export function positionOf({ rank, entry: { name } }: FoundClass): readonly string[] {
  const isShort = Buffer.byteLength(name) <= shownBytesMax;
  return isShort ? [String(rank), name] : [String(rank), name.slice(0, 40), hashOf(name)];
}

// The index of the first class after the position, whether or not the class at that position still exists.
export function startAfter(found: readonly FoundClass[], [rankText = "", name = "", hash]: readonly string[]): number {
  const rank = Number(rankText);
  if (hash !== undefined) {
    const exact = found.findIndex((each) => each.rank === rank && hashOf(each.entry.name) === hash);
    if (exact >= 0) return exact + 1;
  }
  const next = found.findIndex((each) => each.rank > rank || (each.rank === rank && each.entry.name > name));
  return next < 0 ? found.length : next;
}

const hashOf = (name: string) => createHash("sha256").update(name).digest("base64url").slice(0, 22);
