// Decisions about a version that its publisher's workspace may be told of. The notice is written in the transaction that moves the
// status, so neither exists without the other.
import type { NodeVersionStatus, WebhookEventType } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { type DecidedVersion, findDecided, moveStatus, type StatusMove } from "./version-write-store.ts";

export interface VersionNotice extends DecidedVersion {
  readonly type: WebhookEventType;
}

export interface VersionNotices {
  // In the transaction of the decision.
  enqueue(tx: Queryable, notice: VersionNotice): Promise<void>;
}

export interface MoveDeps {
  // Absent: decisions are only in the history.
  readonly notices?: VersionNotices;
}

const types: Readonly<Partial<Record<NodeVersionStatus, WebhookEventType>>> = {
  NodeVersionStatusActive: "node_version.published",
  NodeVersionStatusFlagged: "node_version.flagged",
  NodeVersionStatusBanned: "node_version.banned",
};

// The caller holds the lock of the version.
export async function moveVersion(deps: MoveDeps, tx: Queryable, move: StatusMove): Promise<void> {
  await moveStatus(tx, move);
  const type = move.after === move.before ? undefined : types[move.after];
  if (type === undefined || deps.notices === undefined) return;
  const decided = await findDecided(tx, move.versionId);
  if (decided !== null) await deps.notices.enqueue(tx, { ...decided, type });
}
