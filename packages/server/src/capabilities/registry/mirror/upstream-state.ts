// Where a node of a path stands: one of ours, one of upstream's, or nowhere; and which version of an upstream node is
// meant. Latest is what the node itself shows, in lists, searches and installs alike; a number is asked of upstream, or
// answered from what it said before. What our operators banned is banned, whatever upstream offers.
import type { NodeVersion } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { nodeBanned, noSuchNode } from "../nodes/node-authority.ts";
import { type KnownAnswerDeps, knownAnswer, parsedAnswer } from "./known-answer.ts";
import type { UpstreamState } from "./mirror-store.ts";
import { upstreamNodeVersion } from "./upstream-node.ts";

export function requireOffered({ status }: Pick<UpstreamState, "status">): void {
  if (status === "NodeStatusDeleted") throw noSuchNode();
  if (status === "NodeStatusBanned") throw nodeBanned();
}

// Null: upstream has no such version.
export async function versionOfUpstream(
  deps: KnownAnswerDeps,
  { nodeId, latest }: Pick<UpstreamState, "nodeId" | "latest">,
  number: string | null,
): Promise<NodeVersion | null> {
  const shown = upstreamNodeVersion(latest);
  if (number === null) return shown;
  const path = `/nodes/${nodeId}/versions/${encodeURIComponent(number)}`;
  const answer = await knownAnswer(deps, path).catch((thrown: unknown) => {
    // Upstream is away and was never asked; of the latest version we know all the same.
    if (thrown instanceof Fault && thrown.code === "service_unavailable" && shown?.version === number) return null;
    throw thrown;
  });
  if (answer === null) return shown?.version === number ? shown : null;
  return answer.status === 200 ? upstreamNodeVersion(parsedAnswer(answer.body)) : null;
}
