// A node as it is read: what the wire shows to everybody, beside what decides who may see more.
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
  // True: it is the upstream registry's.
  readonly isUpstream: boolean;
  // True: the reader is a member of its publisher.
  readonly isOwn: boolean;
  // True: the reader is an operator.
  readonly isForAdmin: boolean;
  // The archive of the latest version is here and can be downloaded.
  readonly latestArchiveId: Id<"node-version"> | null;
  readonly wire: RegistryNode;
}

export const foldedNodeId = (nodeId: string) => nodeId.toLowerCase();

export function isForAll(node: Pick<StoredNode, "visibleTo" | "status">): boolean {
  return node.visibleTo === null && node.status === "NodeStatusActive";
}

const warning = /^warning:\s*(?=\S)/i;

// What of the operators' tags is for everybody who installs: `warning: reads the clipboard`.
export function warningsIn(tagsAdmin: readonly string[]): { readonly warnings?: string[] } {
  const warnings = tagsAdmin.filter((tag) => warning.test(tag)).map((tag) => tag.replace(warning, "").trimEnd());
  return warnings.length === 0 ? {} : { warnings: [...new Set(warnings)] };
}
