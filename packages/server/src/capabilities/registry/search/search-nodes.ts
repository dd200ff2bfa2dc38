// A search: every word must occur, at least as a prefix. A word that occurs nowhere is replaced by the nearest ones that
// do. If every word occurs somewhere but never together, each may also be a typo.

import type { Queryable } from "../../../foundation/database/index.ts";
import type { NodeFilter, NodeWindow } from "../nodes/node-filter.ts";
import { findNodesByRowId, listNodes } from "../nodes/node-store.ts";
import { queryWords } from "../nodes/search-words.ts";
import type { StoredNode } from "../nodes/stored-node.ts";
import type { Reader } from "../readers/reader.ts";
import { nearestWords } from "./near-words.ts";
import { findKnownWords, findNearWords, findOneSlipWords, searchNodeIds } from "./search-store.ts";
export interface Found {
  readonly nodes: readonly StoredNode[];
  readonly total: number;
}

// Finding words several typos away is slow, and searches are anonymous, so we do it for only a few words.
const furtherMax = 4;
const nothing: Found = { nodes: [], total: 0 };

export async function searchNodes(
  db: Queryable,
  filter: NodeFilter,
  text: string | undefined,
  window: NodeWindow,
): Promise<Found> {
  const words = queryWords(text ?? "");
  if (words.length === 0) {
    const hasOnlySigns = text !== undefined && text.trim() !== "";
    return hasOnlySigns ? nothing : listNodes(db, filter, window, [{ column: "downloads", descending: true }]);
  }
  const known = await findKnownWords(db, words);
  const title = words.join("-");
  const unknown = words.filter((word) => !known.has(word));
  const near = unknown.length === 0 ? new Map<string, string[]>() : await nearOf(db, unknown);
  const found = await run(db, { filter, title, window }, termsOf(words, known, near));
  if (found.total > 0 || unknown.length > 0) return found;
  return run(db, { filter, title, window }, termsOf(words, known, await nearOf(db, words)));
}

// For suggestions while a person types: every word must be a prefix of a known one, and typos are not corrected.
export async function suggestNodes(db: Queryable, reader: Reader, text: string, limit: number): Promise<StoredNode[]> {
  const words = queryWords(text);
  if (words.length === 0) return [];
  const query = words.map((word) => `'${word}':*`).join(" & ");
  const { ids } = await searchNodeIds(db, {
    filter: { reader, statuses: ["NodeStatusActive"] },
    title: words.join("-"),
    query,
    ranking: query,
    window: { limit, offset: 0 },
  });
  return ids.length === 0 ? [] : findNodesByRowId(db, ids, reader);
}

async function nearOf(db: Queryable, words: readonly string[]): Promise<Map<string, string[]>> {
  const nearest = (word: string, candidates: ReadonlyMap<string, readonly string[]>) =>
    nearestWords(
      word,
      (candidates.get(word) ?? []).filter((one) => one !== word),
    );
  const oneSlip = await findOneSlipWords(db, words);
  const near = new Map(words.map((word) => [word, nearest(word, oneSlip)]));
  const further = words.filter((word) => near.get(word)?.length === 0).slice(0, furtherMax);
  if (further.length === 0) return near;
  const alike = await findNearWords(db, further);
  for (const word of further) near.set(word, nearest(word, alike));
  return near;
}

// The spellings that count for each word; none if no known word is near. A word that occurs in full counts twice, as
// itself and as a prefix.
function termsOf(
  words: readonly string[],
  known: ReadonlySet<string>,
  near: ReadonlyMap<string, readonly string[]>,
): readonly (readonly string[])[] {
  return words.map((word) => [
    ...(known.has(word) ? [`'${word}':*`, `'${word}'`] : []),
    ...(near.get(word) ?? []).map((one) => `'${one}'`),
  ]);
}

async function run(
  db: Queryable,
  search: { filter: NodeFilter; title: string; window: NodeWindow },
  terms: readonly (readonly string[])[],
): Promise<Found> {
  if (terms.some((spellings) => spellings.length === 0)) return nothing;
  const query = terms.map((spellings) => `(${spellings.join(" | ")})`).join(" & ");
  const { ids, total } = await searchNodeIds(db, { ...search, query, ranking: terms.flat().join(" | ") });
  return { nodes: ids.length === 0 ? [] : await findNodesByRowId(db, ids, search.filter.reader), total };
}
