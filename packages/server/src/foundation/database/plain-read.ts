// Decides which statements can share a pipelined connection: reads that take no lock and call no PostgreSQL function that
// waits, locks or keeps state. When in doubt the statement goes to the pool, where a slow one blocks no other.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Statement } from "./sql.ts";

const verdicts = new BoundedMap<string, boolean>(4096);

const readStart = /^\s*(select|with|values)\b/i;
const writesOrLocks = /\b(insert|update|delete|merge|for\s+share|for\s+key\s+share|into)\b/i;
const statefulCalls = /\b(pg_\w+|nextval|setval|currval|lastval|set_config|lo_\w+|txid_\w+)\s*\(/i;

export function isPlainRead(statement: Statement): boolean {
  let verdict = verdicts.get(statement.name);
  if (verdict === undefined) {
    verdict = decide(statement.text);
    verdicts.set(statement.name, verdict);
  }
  return verdict;
}

function decide(text: string): boolean {
  return readStart.test(text) && !writesOrLocks.test(text) && !statefulCalls.test(text);
}
