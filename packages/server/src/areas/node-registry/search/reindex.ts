// Builds every search document anew, a few nodes at a time: after a change of the rules for words, or to forget words of
// nodes that are gone. Searches go on meanwhile.
import type { Database } from "../../../foundation/database/index.ts";
import { lockNodesByRowId, writeFields } from "../nodes/node-write-store.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
import { forgetWords, nextRowIds } from "./search-store.ts";
import { searchDocument } from "./search-words.ts";

const nodesAtOnce = 100;

export async function reindexNodes(database: Database, signal: AbortSignal): Promise<number> {
  await database.transaction((tx) => forgetWords(tx));
  let done = 0;
  let after: NodeRowId | null = null;
  while (!signal.aborted) {
    const ids: NodeRowId[] = await nextRowIds(database, after, nodesAtOnce);
    const last = ids.at(-1);
    if (last === undefined) break;
    await database.transaction(async (tx) => {
      for (const node of await lockNodesByRowId(tx, ids)) {
        await writeFields(tx, node.id, { fields: node.fields, search: searchDocument(node) });
      }
    });
    done += ids.length;
    after = last;
  }
  return done;
}
