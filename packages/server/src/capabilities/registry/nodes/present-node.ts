// Nodes on the wire. Only operators see the operators' tags (Spec, Node); their warnings are for everybody. The latest
// version is absent if there is none, never null.

import type { RegistryNode } from "@atelier/contract";
import { type StoredNode, warningsIn } from "./stored-node.ts";

export interface PresentNodeDeps {
  // Where to download a node's latest version. Null means use the address in the version, if it has one.
  latestUrl(node: StoredNode): string | null;
}

export function presentNode(deps: PresentNodeDeps, node: StoredNode): RegistryNode {
  const { wire, tagsAdmin, isForAdmin } = node;
  const latest = wire.latest_version;
  const downloadUrl = latest === undefined ? null : deps.latestUrl(node);
  return {
    ...wire,
    ...(isForAdmin && tagsAdmin.length > 0 ? { tags_admin: [...tagsAdmin] } : {}),
    ...warningsIn(tagsAdmin),
    ...(latest && downloadUrl !== null ? { latest_version: { ...latest, downloadUrl } } : {}),
  };
}
