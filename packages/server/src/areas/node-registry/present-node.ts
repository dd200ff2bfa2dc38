// Nodes on the wire. Tags of the operators are for them alone (Spec, Node); what they warn of is for everybody. The latest
// version is absent when there is none, never null.

import type { NodePage, RegistryNode } from "@atelier/contract";
import { type RegistryReader, type StoredNode, warningsIn } from "../../capabilities/registry/index.ts";

export interface PresentNodeDeps {
  readonly read: Pick<RegistryReader, "latestUrl">;
}

export function presentNode(deps: PresentNodeDeps, node: StoredNode): RegistryNode {
  const { wire, tagsAdmin, isForAdmin } = node;
  const latest = wire.latest_version;
  const downloadUrl = latest === undefined ? null : deps.read.latestUrl(node);
  return {
    ...wire,
    ...(isForAdmin && tagsAdmin.length > 0 ? { tags_admin: [...tagsAdmin] } : {}),
    ...warningsIn(tagsAdmin),
    ...(latest && downloadUrl !== null ? { latest_version: { ...latest, downloadUrl } } : {}),
  };
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
