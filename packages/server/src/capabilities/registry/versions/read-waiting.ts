// Reads the code of versions that were published before there was a reader, or were read by an older one. Newest first, one
// claim at a time, so a process that stops leaves the rest to the next.
import type { Background } from "../../../foundation/background.ts";
import { findArchive } from "./archive-store.ts";
import type { CheckDeps } from "./check-version.ts";
import { type ClaimedReading, claimReadings, putReading } from "./reading-store.ts";
import { settleLatest } from "./settle-latest.ts";
import type { VersionId } from "./stored-version.ts";
import { lockNodeRow, lockVersionById } from "./version-write-store.ts";

// Longer than a child may take.
const leaseSeconds = 120;
const attemptsMax = 3;
const lookEveryMs = 30_000;

// Returns how many versions were read.
export async function readWaiting(deps: CheckDeps, countMax: number, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (count < countMax && !signal.aborted) {
    const claimed = await claimReadings(deps.database, { count: deps.checks.atOnce, leaseSeconds });
    await Promise.all(claimed.map((one) => readVersion(deps, one, signal)));
    count += claimed.length;
    if (claimed.length < deps.checks.atOnce) break;
  }
  return count;
}

async function readVersion(deps: CheckDeps, { id, attempts }: ClaimedReading, signal: AbortSignal): Promise<void> {
  const record = await findArchive(deps.database, id);
  const opened = record?.archive && (await deps.blobs.open(record.archive.hash));
  if (!record?.archive) return;
  const declared = { publisherId: record.publisherId ?? "", nodeId: record.nodeId, version: record.version };
  const report = opened ? await deps.checks.check(opened, declared, signal) : null;
  // The child was lost, or the bytes are missing. The lease ends by itself, and then the next process tries.
  if (report === null && attempts < attemptsMax) return;
  await store(deps, id, record.nodeRowId, report?.code ?? null);
}

async function store(
  deps: CheckDeps,
  id: VersionId,
  nodeRowId: Parameters<typeof lockNodeRow>[1],
  code: Parameters<typeof putReading>[1]["code"],
): Promise<void> {
  const folded = await deps.database.transaction(async (tx) => {
    await lockNodeRow(tx, nodeRowId);
    const version = await lockVersionById(tx, id);
    if (version === null || version.status === "NodeVersionStatusDeleted") return null;
    await putReading(tx, { id, nodeRowId, code });
    return settleLatest(tx, nodeRowId);
  });
  if (folded !== null) await deps.nodesChanged([folded]);
}

export function readInBackground(deps: CheckDeps, background: Background, signal: AbortSignal): Promise<void> {
  const round = (stopping: AbortSignal) => readWaiting(deps, 1_000, stopping);
  const work = { name: "registry: read the code of versions", role: "background", everyMs: lookEveryMs } as const;
  return background.run({ ...work, round }, signal);
}
