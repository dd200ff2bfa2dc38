// Stars of repositories, read from the code host: those that were never read first, then the oldest.

import type { Database } from "../../../foundation/database/index.ts";
import type { CodeHost } from "./code-host.ts";
import { nextForStars, putStars } from "./node-write-store.ts";
export interface StarsDeps {
  readonly database: Database;
  readonly codeHost: CodeHost;
  nodesChanged(folded: readonly string[]): void;
}

export async function readStars(deps: StarsDeps, nodesMax: number, signal: AbortSignal): Promise<number> {
  const nodes = await nextForStars(deps.database, nodesMax);
  const changed: string[] = [];
  for (const { id, folded, repository } of nodes) {
    if (signal.aborted) break;
    const answer = await deps.codeHost.look(repository, null);
    // Who does not answer now answers the next one no better.
    if (answer.kind === "away") break;
    if (await putStars(deps.database, id, answer.kind === "repository" ? answer.stars : null)) changed.push(folded);
  }
  deps.nodesChanged(changed);
  return changed.length;
}
