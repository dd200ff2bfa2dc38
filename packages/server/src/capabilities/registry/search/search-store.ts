// Full-text search of nodes. Order: an exact title first, then how well it matches (titles before tags and authors before
// descriptions), boosted by installs, rating and the operators' ranking.

import { type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { NodeFilter, NodeWindow } from "../nodes/node-filter.ts";
import { filterNodes } from "../nodes/node-store.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
// Returns the words that are a prefix of some word in the registry.
export async function findKnownWords(db: Queryable, words: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ word: string }>(sql`
    select wanted.word from unnest(${words}::text[]) as wanted (word)
    where exists (select from registry_words as known
      where known.word >= wanted.word collate "C" and known.word < (wanted.word || chr(1114111)) collate "C")`);
  return new Set(rows.map(({ word }) => word));
}

// Known words one typo away.
export async function findOneSlipWords(db: Queryable, words: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<NearRow>(sql`
    select wanted.word, array(select known.word from registry_words as known
      where known.variants && registry_word_variants(wanted.word) limit 200) as near
    from unnest(${words}::text[]) as wanted (word)`);
  return new Map(rows.map(({ word, near }) => [word, near]));
}

// Similar words, for several typos in one word. Slower.
export async function findNearWords(db: Queryable, words: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.query<NearRow>(sql`
    select wanted.word, array(select registry_near_words(wanted.word)) as near
    from unnest(${words}::text[]) as wanted (word)`);
  return new Map(rows.map(({ word, near }) => [word, near]));
}

interface NearRow {
  readonly word: string;
  readonly near: string[];
}

export interface WordSearch {
  readonly filter: NodeFilter;
  // In PostgreSQL's tsquery syntax: which nodes match.
  readonly query: string;
  // How well they match: every word and spelling counts separately.
  readonly ranking: string;
  // The typed text, folded like an id, so that an exact title comes first.
  readonly title: string;
  readonly window: NodeWindow;
}

// A million installs add half to the score: enough to decide between equal matches, not to beat a much better one.
const score: Statement = sql`ts_rank('{0.05, 0.15, 0.3, 1.0}', node.search_document, wanted.ranking)
  * (1 + 0.03 * ln(1 + node.downloads) + 0.02 * coalesce(node.rating, 0)::float8)
  * (1 + case when node.search_ranking > 0 then 0.3 / (1 + ln(node.search_ranking)) else 0 end)`;

export async function searchNodeIds(db: Queryable, search: WordSearch): Promise<{ ids: NodeRowId[]; total: number }> {
  const rows = await db.query<{ id: string; total: number }>(sql`
    select node.id, count(*) over ()::int as total
    from (select ${search.query}::tsquery as query, ${search.ranking}::tsquery as ranking) as wanted
      cross join nodes as node
    where node.search_document @@ wanted.query and ${filterNodes(search.filter)}
    order by (replace(node.node_id_folded, '_', '-') = ${search.title}
        or replace(lower(node.name), ' ', '-') = ${search.title}) desc,
      ${score} desc, node.node_id_folded
    limit ${search.window.limit} offset ${search.window.offset}`);
  const isBeyondTheEnd = rows.length === 0 && search.window.offset > 0;
  const total = isBeyondTheEnd ? await countFound(db, search) : (rows[0]?.total ?? 0);
  return { ids: rows.map(({ id }) => trustedId(id)), total };
}

async function countFound(db: Queryable, { query, filter }: WordSearch): Promise<number> {
  const [row] = await db.query<{ total: number }>(sql`
    select count(*)::int as total from nodes as node
    where node.search_document @@ ${query}::tsquery and ${filterNodes(filter)}`);
  return row?.total ?? 0;
}

interface IndexedRow {
  readonly id: string;
}

export async function nextRowIds(db: Queryable, after: NodeRowId | null, limit: number): Promise<NodeRowId[]> {
  const rows = await db.query<IndexedRow>(sql`
    select id from nodes where ${after}::uuid is null or id > ${after}::uuid order by id limit ${limit}`);
  return rows.map(({ id }) => trustedId(id));
}

// Checks the next words of a walk and deletes those that no node uses. Null at the end.
export async function forgetUnusedWords(db: Queryable, after: string, limit: number): Promise<string | null> {
  const [row] = await db.query<{ last: string | null }>(sql`
    with looked as (select word from registry_words where word > ${after} order by word limit ${limit}),
    gone as (delete from registry_words as known using looked
      where known.word = looked.word and not exists (
        select from nodes as node where node.search_document @@ quote_literal(looked.word)::tsquery))
    select max(word) as last from looked`);
  return row?.last ?? null;
}
