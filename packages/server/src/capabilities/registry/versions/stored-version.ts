// A version as stored and as shown. Readers outside the publisher see neither findings nor the operators' tags, and the
// reason of a status only if they ask for it (decisions, section 5).
import type { NodeStatus, NodeVersion, NodeVersionStatus } from "@atelier/contract";
import type { Id, WorkspaceId } from "../../../foundation/ids.ts";
import type { Finding } from "../checks/finding.ts";
import { type NodeRowId, warningsIn } from "../nodes/stored-node.ts";

export type VersionId = Id<"node-version">;

export interface StoredArchive {
  readonly hash: string;
  readonly size: number;
}

export interface StoredVersion {
  readonly id: VersionId;
  readonly nodeRowId: NodeRowId;
  // As its publisher spells it.
  readonly nodeId: string;
  readonly nodeStatus: NodeStatus;
  readonly publisherId: string | null;
  readonly visibleTo: WorkspaceId | null;
  // True if the reader is a member of the publisher or an operator.
  readonly isOwn: boolean;
  // True if the reader is an operator.
  readonly isForAdmin: boolean;
  readonly nodeTagsAdmin: readonly string[];
  readonly version: string;
  readonly status: NodeVersionStatus;
  readonly statusReason: string | null;
  readonly changelog: string | null;
  readonly dependencies: readonly string[];
  readonly deprecated: boolean;
  readonly deprecatedAt: Date | null;
  readonly sunsetAt: Date | null;
  readonly supportedOs: readonly string[] | null;
  readonly supportedAccelerators: readonly string[] | null;
  readonly supportedAppVersion: string | null;
  readonly supportedAppFrontendVersion: string | null;
  readonly tags: readonly string[];
  readonly tagsAdmin: readonly string[];
  readonly extractStatus: string;
  readonly extractReasons: readonly string[];
  // Null until its code was read.
  readonly capabilities: readonly string[] | null;
  readonly createdAt: Date;
  // Null until the upload completes.
  readonly archive: StoredArchive | null;
  readonly checkedAt: Date | null;
  readonly ruleSet: string | null;
  readonly findings: readonly Finding[];
  readonly readmeFile: string | null;
  // The appeal that waits for an operator.
  readonly appeal: string | null;
  readonly appealedAt: Date | null;
}

export interface ShownVersion {
  // Where this reader can download the archive. Null if they may not.
  readonly downloadUrl: string | null;
  readonly withReason: boolean;
}

export function presentVersion(version: StoredVersion, { downloadUrl, withReason }: ShownVersion): NodeVersion {
  const { isOwn } = version;
  return {
    id: version.id,
    node_id: version.nodeId,
    version: version.version,
    ...present("changelog", version.changelog),
    createdAt: version.createdAt.toISOString(),
    dependencies: [...version.dependencies],
    deprecated: version.deprecated,
    ...present("deprecated_at", version.deprecatedAt?.toISOString() ?? null),
    ...present("sunset_at", version.sunsetAt?.toISOString() ?? null),
    ...present("downloadUrl", downloadUrl),
    ...present("archive_hash", version.archive && `blake3:${version.archive.hash}`),
    ...present("archive_size", version.archive?.size ?? null),
    status: version.status,
    ...(isOwn || withReason ? present("status_reason", version.statusReason) : {}),
    svc_node_extract_status: version.extractStatus,
    ...(mayReadContents(version) && version.extractReasons.length > 0
      ? { extract_reasons: [...version.extractReasons] }
      : {}),
    ...(mayReadContents(version) ? present("capabilities", version.capabilities && [...version.capabilities]) : {}),
    ...present("supported_accelerators", version.supportedAccelerators && [...version.supportedAccelerators]),
    ...present("supported_os", version.supportedOs && [...version.supportedOs]),
    ...present("supported_app_version", version.supportedAppVersion),
    ...present("supported_app_frontend_version", version.supportedAppFrontendVersion),
    ...(version.tags.length > 0 ? { tags: [...version.tags] } : {}),
    ...(version.isForAdmin && version.tagsAdmin.length > 0 ? { tags_admin: [...version.tagsAdmin] } : {}),
    ...warningsIn([...version.nodeTagsAdmin, ...version.tagsAdmin]),
    ...(isOwn && version.checkedAt !== null ? { findings: [...version.findings] } : {}),
    ...(mayReadContents(version) ? present("readme", version.readmeFile) : {}),
    ...(isOwn && version.appeal !== null && version.appealedAt !== null
      ? { appeal: { reason: version.appeal, created_at: version.appealedAt.toISOString() } }
      : {}),
  };
}

// What an archive says about itself is offered only while the archive is.
export function mayReadContents({ isOwn, status }: Pick<StoredVersion, "isOwn" | "status">): boolean {
  return isOwn || status === "NodeVersionStatusActive";
}

function present<Name extends string, Value>(name: Name, value: Value | null): { [name in Name]?: Value } {
  const shown: { [name in Name]?: Value } = {};
  if (value !== null) shown[name] = value;
  return shown;
}
