// Checks every blob again before bit rot becomes loss: the one checked longest ago first, no faster than the given rate,
// and resumable, since each check is recorded. Damage is reported and marked. An upload of the same bytes repairs it,
// because a pin on a suspect blob replaces what is stored.
import { type BlobRow, databaseTime, listDueForScrub, markSuspect, markVerified, readKept } from "../blob-store.ts";
import type { BlobsParts } from "../blobs-parts.ts";
import { type BlobProblem, examineBlob, type Pace } from "./examine-blob.ts";

export interface DamagedBlob {
  readonly hash: string;
  readonly problem: BlobProblem;
}

export interface ScrubReport {
  readonly blobs: number;
  readonly bytes: number;
  // All are counted; the first thousand are named.
  readonly damagedCount: number;
  readonly damaged: readonly DamagedBlob[];
  // True if the signal ended it, not the last blob.
  readonly isInterrupted: boolean;
}

const pageRows = 100;
const damagedNamed = 1000;

export async function scrubBlobs(
  parts: BlobsParts,
  options: { readonly bytesPerSecondMax: number; readonly signal: AbortSignal },
): Promise<ScrubReport> {
  const { database, scrubEverySeconds: everySeconds } = parts;
  const { signal } = options;
  const pace = paceOf(parts, options);
  const startedAt = await databaseTime(database);
  const damaged: DamagedBlob[] = [];
  const sum = { blobs: 0, bytes: 0, damagedCount: 0 };
  for (;;) {
    const page = await listDueForScrub(database, { everySeconds, startedAt, rows: pageRows });
    if (page.length === 0) break;
    const sound: BlobRow[] = [];
    for (const row of page) {
      if (signal.aborted) break;
      const problem = await examineBlob(parts, row, pace);
      if (signal.aborted) break;
      sum.blobs++;
      sum.bytes += row.size;
      if (problem === null) sound.push(row);
      else if (await isStillDamaged(parts, row, problem)) {
        sum.damagedCount++;
        if (damaged.length < damagedNamed) damaged.push({ hash: row.hash, problem });
      }
    }
    await markVerified(database, sound);
    if (signal.aborted) break;
  }
  return { ...sum, damaged, isInterrupted: signal.aborted };
}

// The collector may have removed it while we looked, or an upload may have rewritten it.
async function isStillDamaged(parts: BlobsParts, row: BlobRow, problem: BlobProblem): Promise<boolean> {
  if (!(await readKept(parts.database, row.hash))) return false;
  if (!(await markSuspect(parts.database, row))) return false;
  parts.log.error({ hash: row.hash, problem }, "a stored blob is damaged");
  return true;
}

function paceOf(parts: BlobsParts, options: { bytesPerSecondMax: number; signal: AbortSignal }): Pace {
  const startedMs = parts.clock.monotonicMs();
  let total = 0;
  return {
    async after(bytes) {
      total += bytes;
      const dueMs = startedMs + (total / options.bytesPerSecondMax) * 1000;
      const aheadMs = dueMs - parts.clock.monotonicMs();
      // Allow short leads: a timer for each chunk would cost more than it holds back.
      if (aheadMs > 20 && !options.signal.aborted) await parts.clock.sleep(aheadMs, options.signal);
    },
  };
}
