// Serves an upstream archive at an address of this server. The same rule applies as for installing: the node must be
// offered here, and upstream's status of the version must allow it. While upstream is down, its last known status counts.
import type { NodeVersion } from "@atelier/contract";
import { parseId } from "../../../foundation/ids.ts";
import { isNodeId } from "../nodes/node-authority.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { requireInstallable } from "../versions/install-node.ts";
import type { ServedArchive } from "../versions/read-archive.ts";
import type { ArchiveCopies } from "./archive-copies.ts";
import type { KnownAnswerDeps } from "./known-answer.ts";
import { findUpstreamState } from "./mirror-store.ts";
import { findCopy } from "./upstream-archive-store.ts";
import { findUpstreamVersion, requireOffered } from "./upstream-state.ts";

export interface MirroredArchiveDeps extends KnownAnswerDeps {
  readonly copies: Pick<ArchiveCopies, "have">;
  readonly installable: readonly string[];
}

// Null if the node is not upstream's or has no such version.
export async function mirroredVersion(
  deps: KnownAnswerDeps,
  asked: { readonly nodeId: string; readonly version: string },
): Promise<NodeVersion | null> {
  const state = isNodeId(asked.nodeId) ? await findUpstreamState(deps.database, foldedNodeId(asked.nodeId)) : null;
  if (state === null || state === "own") return null;
  requireOffered(state);
  return findUpstreamVersion(deps, state, asked.version);
}

// Null if we know no such upstream version.
export async function mirroredArchive(
  deps: MirroredArchiveDeps,
  asked: { readonly id: string; readonly query: URLSearchParams },
): Promise<ServedArchive | null> {
  const id = parseId<"upstream-version">(asked.id);
  const known = id && (await findCopy(deps.database, id));
  const folded = known?.folded ?? foldedNodeId(asked.query.get("node") ?? "");
  const number = known?.version ?? asked.query.get("version") ?? "";
  const isAsked = folded !== "" && number !== "" && number.length <= 100 && !`${folded}${number}`.includes("\0");
  const state = isAsked ? await findUpstreamState(deps.database, folded) : null;
  if (state === null || state === "own") return null;
  requireOffered(state);
  const version = await findUpstreamVersion(deps, state, number);
  if (version?.id !== asked.id) return null;
  requireInstallable(version, deps.installable);
  const { hash, size } = await deps.copies.have(version);
  return { hash, size, nodeId: version.node_id, version: version.version };
}
