// Changes to a version by its publisher or an operator. A version is looked up by its id and its path together, so
// another node's version id finds nothing. Deleting is final: the number stays taken and the bytes are removed.
import {
  AppealNodeVersion,
  type NodeVersion,
  type NodeVersionStatus,
  ReviewNodeVersion,
  UpdateNodeVersion,
} from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, parseId } from "../../../foundation/ids.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { AdminCaller } from "../../tokens/index.ts";
import { normalizeVersion } from "../checks/manifest.ts";
import { readBody } from "../fields/read-body.ts";
import { lockOwnNode, noSuchNode } from "../nodes/node-authority.ts";
import { type LockedNode, lockNode } from "../nodes/node-write-store.ts";
import { foldedNodeId } from "../nodes/stored-node.ts";
import { type Asked, type ChangeDeps, note, type Sent } from "../readers/actor.ts";
import { operator, readerOf } from "../readers/reader.ts";
import { archiveHolder } from "./check-version.ts";
import { noSuchVersion } from "./install-node.ts";
import { type ReadVersionDeps, showById, type VersionNumber, type VersionPath } from "./read-versions.ts";
import { settleLatest } from "./settle-latest.ts";
import type { VersionId } from "./stored-version.ts";
import { type MoveDeps, moveVersion } from "./version-notices.ts";
import {
  type LockedVersion,
  listBatch,
  lockNodeRow,
  lockVersion,
  lockVersionById,
  type Mover,
  markUndone,
  nodeOfVersion,
  putAppeal,
  writeReviewed,
  writeVersionText,
} from "./version-write-store.ts";

export interface ChangeVersionDeps extends Omit<ChangeDeps, "clock">, ReadVersionDeps, MoveDeps {
  readonly blobs: Pick<Blobs, "release">;
}

export async function updateVersion(deps: ChangeVersionDeps, at: VersionPath, sent: Sent): Promise<NodeVersion> {
  const body = await readBody(UpdateNodeVersion, sent);
  const id = await change(deps, async (tx) => {
    const { node, publisher, version } = await lockOwnVersion(tx, at, sent);
    await writeVersionText(tx, version.id, {
      changelog: body.changelog ?? null,
      deprecated: body.deprecated ?? null,
      sunsetAt: readSunset(body),
      tags: body.tags?.filter((tag) => tag !== "") ?? null,
    });
    const about = { kind: "node", id: node.nodeId, workspaceId: publisher.workspaceId };
    const after = { version: version.version, deprecated: body.deprecated ?? null };
    await note(deps, tx, sent, { action: "node_version.update", ...about, after });
    return version;
  });
  return showById(deps, id, readerOf(sent.caller));
}

function readSunset({ deprecated, sunset_at }: UpdateNodeVersion): Date | null {
  if (sunset_at === undefined) return null;
  if (deprecated !== true) throw new Fault("invalid_request", "sunset_at requires deprecated: true.");
  return new Date(sunset_at);
}

export async function deleteVersion(deps: ChangeVersionDeps, at: VersionPath, asked: Asked): Promise<void> {
  await change(deps, async (tx) => {
    const { node, publisher, version } = await lockOwnVersion(tx, at, asked);
    const by: Mover = { kind: "publisher", id: asked.caller.personId ?? asked.caller.keyId, name: null };
    await move(deps, tx, version, { after: "NodeVersionStatusDeleted", reason: null, by, batchId: null });
    const about = { kind: "node", id: node.nodeId, workspaceId: publisher.workspaceId };
    const before = { version: version.version, status: version.status };
    await note(deps, tx, asked, { action: "node_version.delete", ...about, before });
    return version;
  });
}

// The publisher answers the findings. The status stays until an operator decides, and one appeal waits at a time.
export async function appealVersion(deps: ChangeVersionDeps, at: VersionPath, sent: Sent): Promise<NodeVersion> {
  const { reason } = await readBody(AppealNodeVersion, sent);
  const id = await change(deps, async (tx) => {
    const { node, publisher, version } = await lockOwnVersion(tx, at, sent);
    const { status } = version;
    if (status !== "NodeVersionStatusFlagged" && status !== "NodeVersionStatusBanned") {
      throw new Fault("conflict", "Only a flagged or rejected version can be appealed.");
    }
    if (version.isAppealed) throw new Fault("conflict", "An appeal is already waiting for an operator.");
    const by: Mover = { kind: "publisher", id: sent.caller.personId ?? sent.caller.keyId, name: null };
    const appeal = { id: newId(), versionId: version.id, before: status, after: status, reason, by, batchId: null };
    await putAppeal(tx, appeal);
    const about = { kind: "node", id: node.nodeId, workspaceId: publisher.workspaceId };
    const after = { version: version.version, status, reason };
    await note(deps, tx, sent, { action: "node_version.appeal", ...about, after, shown: ["reason"] });
    return version;
  });
  return showById(deps, id, readerOf(sent.caller));
}

const reviewedFields = [
  "tags_admin",
  "supported_os",
  "supported_accelerators",
  "supported_app_version",
  "supported_app_frontend_version",
] as const;

// Approve, reject, ban, and back again. An operator can set any status, but nothing leaves deleted, and a version without
// an archive cannot become active.
export async function reviewVersion(
  deps: ChangeVersionDeps,
  at: VersionNumber,
  sent: Sent<AdminCaller>,
): Promise<NodeVersion> {
  const body = await readBody(ReviewNodeVersion, sent);
  const id = await change(deps, async (tx) => {
    const { node, version } = await lockNumbered(tx, at);
    const after = body.status ?? version.status;
    const reason = body.status_reason ?? (after === version.status ? version.statusReason : null);
    const batchId = body.batch_id?.toLowerCase() ?? null;
    const isAnswer = version.isAppealed && body.status !== undefined;
    if (after !== version.status || reason !== version.statusReason || isAnswer) {
      await move(deps, tx, version, { after, reason, by: moverOf(sent.caller), batchId });
    }
    const fields = reviewedFields.filter((name) => body[name] !== undefined);
    await note(deps, tx, sent, {
      action: "node_version.review",
      kind: "node",
      id: node.nodeId,
      before: { version: version.version, status: version.status },
      after: { version: version.version, status: after, reason, batch_id: batchId, fields },
      shown: ["reason", "fields"],
    });
    await writeReviewed(tx, version.id, {
      ...(body.tags_admin ? { tagsAdmin: body.tags_admin.filter((tag) => tag !== "") } : {}),
      ...(body.supported_os ? { supportedOs: body.supported_os } : {}),
      ...(body.supported_accelerators ? { supportedAccelerators: body.supported_accelerators } : {}),
      ...(body.supported_app_version ? { supportedAppVersion: body.supported_app_version } : {}),
      ...(body.supported_app_frontend_version
        ? { supportedAppFrontendVersion: body.supported_app_frontend_version }
        : {}),
    });
    return version;
  });
  return showById(deps, id, operator);
}

// Reverts the batch, except for versions that have changed since. One transaction per version.
export async function undoBatch(
  deps: ChangeVersionDeps,
  batchId: string,
  asked: Asked<AdminCaller>,
): Promise<readonly NodeVersion[]> {
  const id = parseId<"batch">(batchId.toLowerCase());
  const moves = id === null ? [] : await listBatch(deps.database, id);
  if (moves.length === 0) throw new Fault("not_found", "There is nothing to undo in this batch.");
  const undone: VersionId[] = [];
  for (const { id: moveId, versionId, before, after } of moves) {
    await change(deps, async (tx) => {
      const nodeRowId = await nodeOfVersion(tx, versionId);
      if (nodeRowId !== null) await lockNodeRow(tx, nodeRowId);
      const version = await lockVersionById(tx, versionId);
      if (version === null || version.status !== after || after === "NodeVersionStatusDeleted") return null;
      const reason = "An operator undid the last decision.";
      await move(deps, tx, version, { after: before, reason, by: moverOf(asked.caller), batchId: null });
      await markUndone(tx, moveId);
      await note(deps, tx, asked, {
        action: "node_version.undo",
        kind: "node_version",
        id: versionId,
        before: { status: after },
        after: { status: before, batch_id: id },
      });
      if (!undone.includes(versionId)) undone.push(versionId);
      return version;
    });
  }
  return Promise.all(undone.map((version) => showById(deps, version, operator)));
}

// Makes the change, settles the node's latest version, then drops cached answers.
async function change<Changed extends LockedVersion | null>(
  deps: ChangeVersionDeps,
  run: (tx: Queryable) => Promise<Changed>,
): Promise<Changed extends LockedVersion ? VersionId : VersionId | null>;
async function change(
  deps: ChangeVersionDeps,
  run: (tx: Queryable) => Promise<LockedVersion | null>,
): Promise<VersionId | null> {
  const changed = await deps.database.transaction(async (tx) => {
    const version = await run(tx);
    return version && { id: version.id, folded: await settleLatest(tx, version.nodeRowId) };
  });
  if (changed) await deps.nodesChanged([changed.folded]);
  return changed?.id ?? null;
}

async function move(
  deps: Pick<ChangeVersionDeps, "blobs" | "notices">,
  tx: Queryable,
  version: LockedVersion,
  to: { after: NodeVersionStatus; reason: string | null; by: Mover; batchId: string | null },
): Promise<void> {
  if (version.status === "NodeVersionStatusDeleted") {
    throw new Fault("conflict", "This version is deleted and cannot be restored.");
  }
  if (to.after === "NodeVersionStatusActive" && version.archiveHash === null) {
    throw new Fault("conflict", "Nothing was uploaded for this version, so it cannot become active.");
  }
  await moveVersion(deps, tx, { id: newId(), versionId: version.id, before: version.status, ...to });
  if (to.after === "NodeVersionStatusDeleted" && version.archiveHash !== null) {
    await deps.blobs.release(tx, version.archiveHash, archiveHolder(version.id));
  }
}

async function lockOwnVersion(tx: Queryable, at: VersionPath, { caller }: Asked) {
  const { node, publisher } = await lockOwnNode(tx, caller, at);
  const id = parseId<"node-version">(at.versionId.toLowerCase());
  const version = id === null ? null : await lockVersionById(tx, id);
  if (version?.nodeRowId !== node.id || version.status === "NodeVersionStatusDeleted") throw noSuchVersion();
  return { node, publisher, version };
}

async function lockNumbered(
  tx: Queryable,
  at: VersionNumber,
): Promise<{ readonly node: LockedNode; readonly version: LockedVersion }> {
  const node = await lockNode(tx, foldedNodeId(at.nodeId));
  if (node === null) throw noSuchNode();
  const number = normalizeVersion(at.version);
  const version = number === null ? null : await lockVersion(tx, { nodeRowId: node.id, version: number });
  if (version === null) throw noSuchVersion();
  return { node, version };
}

function moverOf(caller: AdminCaller): Mover {
  return { kind: "admin", id: caller.id, name: caller.name };
}
