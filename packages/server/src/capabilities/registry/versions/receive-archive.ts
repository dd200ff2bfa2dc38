// Receives an archive. The first completed upload of a number stays: the same bytes again succeed, different ones are
// refused. The answer waits a while for the verdict, so that the publisher sees it right away; if the check takes longer,
// it continues and the answer says pending.
import type { NodeVersionStatus } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { Limits } from "../../limits/index.ts";
import type { Finding } from "../checks/finding.ts";
import { operator } from "../readers/reader.ts";
import type { ArchiveAddresses, SignedLocation } from "./archive-addresses.ts";
import { type ArchiveRecord, findArchive, putArchive } from "./archive-store.ts";
import { archiveHolder, type CheckDeps, checkLeaseSeconds, checkVersion, type Verdict } from "./check-version.ts";
import type { VersionId } from "./stored-version.ts";
import { findVersionById } from "./version-store.ts";
import { lockVersionById } from "./version-write-store.ts";

export interface ReceiveArchiveDeps extends CheckDeps {
  readonly blobs: Pick<Blobs, "keep" | "hold" | "open" | "release">;
  readonly limits: Pick<Limits, "limitOf">;
  readonly addresses: Pick<ArchiveAddresses, "readUpload">;
  // Fires when the process stops; a check outlives the request that started it.
  readonly stopping: AbortSignal;
}

export interface ArchiveUpload extends SignedLocation {
  readonly source: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

export interface ReceivedArchive {
  readonly size: number;
  readonly status: NodeVersionStatus;
  readonly findings: readonly Finding[];
}

const waitForVerdictMs = 25_000;
const lookAgainMs = 250;

// Null if it is not the address of an archive.
export async function receiveArchive(deps: ReceiveArchiveDeps, upload: ArchiveUpload): Promise<ReceivedArchive | null> {
  const id = deps.addresses.readUpload(upload);
  if (id === null) return null;
  const record = requireOpen(await findArchive(deps.database, id));
  const kept = await deps.blobs.keep(upload.source, {
    bytesMax: await bytesMaxOf(deps, record),
    signal: upload.signal,
    async commit(tx, { hash, size }) {
      const version = await lockVersionById(tx, id);
      if (version?.archiveHash === hash) return { size, isNew: false };
      if (version === null || version.archiveHash !== null) throw immutable();
      if (version.status !== "NodeVersionStatusPending") throw closed();
      if (size === 0) throw new Fault("invalid_request", "The archive is empty; nothing was stored.");
      await deps.blobs.hold(tx, hash, archiveHolder(id));
      await putArchive(tx, { id, hash, size, leaseSeconds: checkLeaseSeconds });
      return { size, isNew: true };
    },
  });
  const verdict = kept.isNew ? await verdictInTime(deps, id) : await verdictOfOther(deps, id, upload.signal);
  if (verdict?.isDiscarded) {
    const [first] = verdict.findings;
    const message = first?.message ?? "This is not an archive.";
    throw new Fault("invalid_request", `${message} The number can be published again.`, { details: verdict.findings });
  }
  if (verdict !== null) return { size: kept.size, status: verdict.status, findings: verdict.findings };
  const now = await findVersionById(deps.database, id, operator);
  return { size: kept.size, status: now?.status ?? "NodeVersionStatusPending", findings: now?.findings ?? [] };
}

async function verdictInTime(deps: ReceiveArchiveDeps, id: VersionId) {
  const checking = checkVersion(deps, { id, attempts: 1 }, deps.stopping);
  // The archive still waits, and the next process that looks will find it.
  const settled = checking.catch((err: unknown) => {
    if (!deps.stopping.aborted) deps.log.warn({ err, versionId: id }, "a node archive could not be checked");
    return null;
  });
  const patience = new AbortController();
  const late = deps.clock.sleep(waitForVerdictMs, patience.signal).then(() => null);
  try {
    return await Promise.race([settled, late]);
  } finally {
    patience.abort();
  }
}

// The same bytes came before; the process that received them checks them, or already has.
async function verdictOfOther(deps: ReceiveArchiveDeps, id: VersionId, signal: AbortSignal): Promise<Verdict | null> {
  const until = deps.clock.monotonicMs() + waitForVerdictMs;
  while (!signal.aborted && !deps.stopping.aborted && deps.clock.monotonicMs() < until) {
    const version = await findVersionById(deps.database, id, operator);
    if (version === null) return null;
    const { status, findings } = version;
    if (version.archive === null) return { status, findings, isDiscarded: true };
    if (status !== "NodeVersionStatusPending") return { status, findings, isDiscarded: false };
    await deps.clock.sleep(lookAgainMs, signal);
  }
  return null;
}

function requireOpen(record: ArchiveRecord | null): ArchiveRecord {
  if (record === null || record.status === "NodeVersionStatusDeleted" || record.nodeStatus === "NodeStatusDeleted") {
    throw closed();
  }
  if (record.nodeStatus === "NodeStatusBanned" || record.publisherIsBanned) throw closed();
  return record;
}

async function bytesMaxOf({ limits }: Pick<ReceiveArchiveDeps, "limits">, record: ArchiveRecord): Promise<number> {
  if (record.workspaceId === null) throw closed();
  return limits.limitOf(record.workspaceId, "node_archive_bytes");
}

const closed = () => new Fault("forbidden", "This URL is invalid or has expired.");
const immutable = () => new Fault("conflict", "This version is already published; its archive cannot be changed.");
