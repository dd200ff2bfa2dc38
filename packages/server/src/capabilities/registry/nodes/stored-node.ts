// A node as read from the database: its public wire form, plus the fields that decide who may see more.
import type { NodeStatus, RegistryNode } from "@atelier/contract";
import type { Id, WorkspaceId } from "../../../foundation/ids.ts";

export type NodeRowId = Id<"node">;

export interface StoredNode {
  readonly id: NodeRowId;
  // As its publisher spells it.
  readonly nodeId: string;
  readonly status: NodeStatus;
  readonly publisherId: string | null;
  readonly publisherWorkspaceId: WorkspaceId | null;
  readonly visibleTo: WorkspaceId | null;
  readonly tagsAdmin: readonly string[];
  readonly changedAt: Date;
  // True if the node belongs to the upstream registry.
  readonly isUpstream: boolean;
  // True if the reader is a member of its publisher.
  readonly isOwn: boolean;
  // True if the reader is an operator.
  readonly isForAdmin: boolean;
  // Set if we have the archive of the latest version and it can be downloaded.
  readonly latestArchiveId: Id<"node-version"> | null;
  readonly wire: RegistryNode;
}

export const foldedNodeId = (nodeId: string) => nodeId.toLowerCase();

export function isForAll(node: Pick<StoredNode, "visibleTo" | "status">): boolean {
  return node.visibleTo === null && node.status === "NodeStatusActive";
}

const warning = /^warning:\s*(?=\S)/i;

// Extracts the operators' tags meant for everybody who installs: `warning: reads the clipboard`.
export function warningsIn(tagsAdmin: readonly string[]): { readonly warnings?: string[] } {
  const warnings = tagsAdmin.filter((tag) => warning.test(tag)).map((tag) => tag.replace(warning, "").trimEnd());
  return warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] };
}
