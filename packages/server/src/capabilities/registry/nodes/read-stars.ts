// Stars of repositories, read from the code host: those that were never read first, then the oldest.

import type { ClaimDeps } from "./claim-node.ts";
import { nextForStars, putStars } from "./node-write-store.ts";
export async function readStars(
  deps: Pick<ClaimDeps, "database" | "codeHost" | "nodesChanged">,
  nodesMax: number,
  signal: AbortSignal,
): Promise<number> {
  const nodes = await nextForStars(deps.database, nodesMax);
  const changed: string[] = [];
  for (const { id, folded, repository } of nodes) {
    if (signal.aborted) break;
    const answer = await deps.codeHost.look(repository, null);
    // Who does not answer now answers the next one no better.
    if (answer.kind === "away") break;
    if (await putStars(deps.database, id, answer.kind === "repository" ? answer.stars : null)) changed.push(folded);
  }
  await deps.nodesChanged(changed);
  return changed.length;
}
