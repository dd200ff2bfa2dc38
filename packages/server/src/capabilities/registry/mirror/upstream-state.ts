// Decides whether the node in a path is ours, upstream's or unknown, and which version of an upstream node is meant.
// Latest is what the node itself shows, the same in lists, searches and installs. A numbered version is asked from
// upstream or answered from the cache. A ban by our operators holds even if upstream offers the node.
import type { NodeVersion } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";
import { nodeBanned, noSuchNode } from "../nodes/node-authority.ts";
import { type KnownAnswerDeps, knownAnswer } from "./known-answer.ts";
import type { UpstreamState } from "./mirror-store.ts";
import { upstreamNodeVersion } from "./upstream-node.ts";

export function requireOffered({ status }: Pick<UpstreamState, "status">): void {
  if (status === "NodeStatusDeleted") throw noSuchNode();
  if (status === "NodeStatusBanned") throw nodeBanned();
}

// Null if upstream has no such version.
export async function findUpstreamVersion(
  deps: KnownAnswerDeps,
  { nodeId, latest }: Pick<UpstreamState, "nodeId" | "latest">,
  number: string | null,
): Promise<NodeVersion | null> {
  const shown = upstreamNodeVersion(latest);
  if (number === null) return shown;
  const path = `/nodes/${nodeId}/versions/${encodeURIComponent(number)}`;
  const answer = await knownAnswer(deps, path).catch((thrown: unknown) => {
    // Upstream is down and we never asked for this number, but we know the latest version from the node.
    if (thrown instanceof Fault && thrown.code === "service_unavailable" && shown?.version === number) return null;
    throw thrown;
  });
  if (answer === null) return shown?.version === number ? shown : null;
  return answer.status === 200 ? upstreamNodeVersion(jsonOrUndefined(answer.body)) : null;
}
