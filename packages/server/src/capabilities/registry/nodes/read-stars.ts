// Reads repository stars from the code host: repositories never read first, then the oldest.

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
    // A host that is down will not answer the next question either.
    if (answer.kind === "away") break;
    if (await putStars(deps.database, id, answer.kind === "repository" ? answer.stars : null)) changed.push(folded);
  }
  await deps.nodesChanged(changed);
  return changed.length;
}
