// Nodes on the wire. Tags of the operators are for them alone (Spec, Node); what they warn of is for everybody. The latest
// version is absent when there is none, never null.

import type { RegistryNode } from "@atelier/contract";
import { type StoredNode, warningsIn } from "./stored-node.ts";

export interface PresentNodeDeps {
  // Where the archive of a node's latest version is; null: where the version itself says, if anywhere.
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
