// The collector. Removes blobs that have neither reference nor pin after their grace, finishes what a dead collector
// began, and sweeps stored bytes without a row and unfinished uploads. A blob's bytes are removed only while its row says
// 'deleting' by this very collector, so several may run and any may die.
import { newId } from "../../../foundation/ids.ts";
import type { StoredBlob } from "../blob-storage.ts";
import type { BlobsParts } from "../blobs-parts.ts";
import {
  adoptStrays,
  countDead,
  deleteExpiredPins,
  forgetDeleted,
  isDeletingBy,
  isLive,
  listUnwanted,
  listWithoutRow,
  type MarkedBlob,
  markDeleting,
  takeOverDeleting,
} from "./collect-store.ts";

export interface CollectReport {
  readonly dryRun: boolean;
  // Blobs without reference, and their bytes.
  readonly blobs: number;
  readonly bytes: number;
  // Started by a collector that died.
  readonly takenOver: number;
  // Stored bytes without a row.
  readonly strays: number;
  readonly pins: number;
  // Unfinished uploads.
  readonly staging: number;
  // Bytes of live blobs that were found out of place and put back.
  readonly restored: number;
  // Could not be removed; the next collector tries again.
  readonly failed: number;
  readonly isInterrupted: boolean;
}

interface Collecting {
  readonly parts: BlobsParts;
  readonly collectorId: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  readonly report: { -readonly [Key in keyof CollectReport]: CollectReport[Key] };
}

const pageRows = 2000;
// Small, so that no mark gets old before its bytes are gone, and uploads of the same bytes wait only briefly.
const marksAtOnce = 50;

export async function collectBlobs(
  parts: BlobsParts,
  options: { readonly dryRun: boolean; readonly signal: AbortSignal },
): Promise<CollectReport> {
  const { dryRun, signal } = options;
  const counts = { blobs: 0, bytes: 0, takenOver: 0, strays: 0, pins: 0, staging: 0, restored: 0, failed: 0 };
  const run: Collecting = {
    parts,
    collectorId: newId(),
    dryRun,
    signal,
    report: { dryRun, ...counts, isInterrupted: false },
  };
  run.report.pins = await deleteExpiredPins(parts.database, dryRun);
  await finishDead(run);
  await collectUnwanted(run);
  await collectStrays(run);
  if (!signal.aborted) await sweep(run);
  run.report.isInterrupted = signal.aborted;
  return run.report;
}

// Collects one blob without grace, for an upload that failed after it had put its bytes in place.
export async function collectOne(parts: BlobsParts, hash: string): Promise<void> {
  const collectorId = newId();
  const marked = await parts.database.transaction((tx) =>
    markDeleting(tx, { hashes: [hash], collectorId, graceSeconds: 0 }),
  );
  for (const blob of marked) {
    await removeBytes(parts, collectorId, blob.hash);
    await forgetDeleted(parts.database, [blob.hash], collectorId);
  }
}

async function finishDead(run: Collecting): Promise<void> {
  const { database, takeoverSeconds } = run.parts;
  if (run.dryRun) {
    run.report.takenOver = await countDead(database, takeoverSeconds);
    return;
  }
  while (!run.signal.aborted) {
    const taken = await takeOverDeleting(database, {
      collectorId: run.collectorId,
      takeoverSeconds,
      rows: marksAtOnce,
    });
    if (taken.length === 0) return;
    const gone = await destroy(run, taken);
    run.report.takenOver += gone.length;
    // Blobs that cannot be removed stay ours until they are old enough again. Otherwise this would take them over in a
    // loop.
    if (gone.length === 0) return;
  }
}

async function collectUnwanted(run: Collecting): Promise<void> {
  const { database, graceSeconds } = run.parts;
  for (let after: string | null = null; !run.signal.aborted; ) {
    const page = await listUnwanted(database, { after, rows: pageRows, graceSeconds });
    for (const blobs of inGroups(page.blobs, marksAtOnce)) {
      if (run.signal.aborted) return;
      const hashes = blobs.map(({ hash }) => hash);
      const gone = run.dryRun
        ? blobs
        : await destroy(
            run,
            await database.transaction((tx) =>
              markDeleting(tx, { hashes, collectorId: run.collectorId, graceSeconds }),
            ),
          );
      run.report.blobs += gone.length;
      run.report.bytes += gone.reduce((sum, { size }) => sum + size, 0);
    }
    if (page.next === null) return;
    after = page.next;
  }
}

async function collectStrays(run: Collecting): Promise<void> {
  const before = secondsAgo(run.parts, run.parts.graceSeconds);
  let page: StoredBlob[] = [];
  const settle = async () => {
    const old = page.filter(({ modifiedAt }) => modifiedAt < before);
    page = [];
    if (old.length === 0) return;
    const missing = new Set(
      await listWithoutRow(
        run.parts.database,
        old.map(({ hash }) => hash),
      ),
    );
    const strays = old.filter(({ hash }) => missing.has(hash));
    const gone = run.dryRun
      ? strays
      : await destroy(run, await adoptStrays(run.parts.database, strays, run.collectorId));
    run.report.strays += gone.length;
  };
  for await (const stored of run.parts.storage.list()) {
    if (run.signal.aborted) return;
    page.push(stored);
    if (page.length >= marksAtOnce) await settle();
  }
  await settle();
}

async function sweep(run: Collecting): Promise<void> {
  const { removed, restored } = await run.parts.storage.sweepStaging({
    before: secondsAgo(run.parts, run.parts.stagingSeconds),
    dryRun: run.dryRun,
    isWanted: (hash) => isLive(run.parts.database, hash),
  });
  run.report.staging = removed;
  run.report.restored = restored;
}

// After a failure the row stays 'deleting' until another collector takes it over.
async function destroy(run: Collecting, marked: readonly MarkedBlob[]): Promise<MarkedBlob[]> {
  const gone: MarkedBlob[] = [];
  for (const blob of marked) {
    try {
      if (await removeBytes(run.parts, run.collectorId, blob.hash)) gone.push(blob);
    } catch (err) {
      run.report.failed++;
      run.parts.log.warn({ err, hash: blob.hash }, "an unused blob could not be removed");
    }
  }
  await forgetDeleted(
    run.parts.database,
    gone.map(({ hash }) => hash),
    run.collectorId,
  );
  return gone;
}

function removeBytes(parts: BlobsParts, collectorId: string, hash: string): Promise<boolean> {
  parts.hot.drop(hash);
  return parts.storage.remove(hash, () => isDeletingBy(parts.database, hash, collectorId));
}

function secondsAgo(parts: BlobsParts, seconds: number): Date {
  return new Date(parts.clock.now().getTime() - seconds * 1000);
}

function* inGroups<T>(items: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}
