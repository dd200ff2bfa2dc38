// Rebuilds every search document, a few nodes at a time: after the word rules changed, or to drop words that no node has
// any more. Searches keep working, because words are dropped only after all documents are rewritten.

import type { Database } from "../../../foundation/database/index.ts";
import { lockNodesByRowId, writeFields } from "../nodes/node-write-store.ts";
import { searchDocument } from "../nodes/search-words.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import { forgetUnusedWords, nextRowIds } from "./search-store.ts";

const nodesAtOnce = 100;
const wordsAtOnce = 200;

export async function reindexNodes(database: Database, signal: AbortSignal): Promise<number> {
  let done = 0;
  let after: NodeRowId | null = null;
  while (!signal.aborted) {
    const ids: NodeRowId[] = await nextRowIds(database, after, nodesAtOnce);
    const last = ids.at(-1);
    if (last === undefined) break;
    await database.transaction(async (tx) => {
      for (const node of await lockNodesByRowId(tx, ids)) {
        await writeFields(tx, node.id, { fields: node, search: searchDocument({ ...node, fields: node }) });
      }
    });
    done += ids.length;
    after = last;
  }
  let word: string | null = "";
  while (word !== null && !signal.aborted) word = await forgetUnusedWords(database, word, wordsAtOnce);
  return done;
}
