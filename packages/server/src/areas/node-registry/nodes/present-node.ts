// Nodes on the wire. Tags of the operators are for them and for the members of the publisher (decisions, section 5). The
// latest version is absent when there is none, never null.
import type { NodePage, NodeVersion, RegistryNode } from "@atelier/contract";
import type { VersionId } from "../versions/stored-version.ts";
import { isForAll, type StoredNode } from "./stored-node.ts";

export interface PresentNodeDeps {
  // Where the archive of an active version can be had: a plain address for what everybody may install, else a signed one.
  archiveUrl(versionId: VersionId, isForAll: boolean): string;
  // Of a version of the upstream registry; null: where upstream says.
  mirroredUrl(version: NodeVersion): string | null;
}

export function presentNode(deps: PresentNodeDeps, node: StoredNode): RegistryNode {
  const { wire, tagsAdmin, isOwn } = node;
  const latest = wire.latest_version;
  const downloadUrl = latest === undefined ? null : addressOf(deps, node, latest);
  return {
    ...wire,
    ...(isOwn && tagsAdmin.length > 0 ? { tags_admin: [...tagsAdmin] } : {}),
    ...(latest && downloadUrl !== null ? { latest_version: { ...latest, downloadUrl } } : {}),
  };
}

// Null: as the version says itself.
function addressOf(deps: PresentNodeDeps, node: StoredNode, latest: NodeVersion): string | null {
  if (node.isUpstream) return latest.downloadUrl === undefined ? null : deps.mirroredUrl(latest);
  return node.latestArchiveId === null ? null : deps.archiveUrl(node.latestArchiveId, isForAll(node));
}

export function presentNodePage(
  deps: PresentNodeDeps,
  found: { readonly nodes: readonly StoredNode[]; readonly total: number },
  { page, limit }: { readonly page: number; readonly limit: number },
): NodePage {
  return {
    nodes: found.nodes.map((node) => presentNode(deps, node)),
    total: found.total,
    page,
    limit,
    totalPages: Math.ceil(found.total / limit),
  };
}
