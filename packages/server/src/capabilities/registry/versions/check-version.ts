// Takes an uploaded archive to its verdict: clean becomes active, any finding makes it flagged, and bytes that are not an
// archive count as no upload. The verdict is written once. If a process dies between upload and verdict, the archive
// waits and the next process that looks checks it. The same bytes get the same verdict everywhere.

import type { NodeVersionStatus } from "@atelier/contract";
import type { Background } from "../../../foundation/background.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { ArchiveChecks } from "../checks/archive-checks.ts";
import type { CheckReport } from "../checks/check-archive.ts";
import type { Finding } from "../checks/finding.ts";
import type { ChangeDeps } from "../readers/actor.ts";
import {
  type ArchiveRecord,
  claimChecks,
  dropArchive,
  findArchive,
  putVerdict,
  releaseCheck,
  renewCheck,
} from "./archive-store.ts";
import { putReading } from "./reading-store.ts";
import { settleLatest } from "./settle-latest.ts";
import type { VersionId } from "./stored-version.ts";
import { type MoveDeps, moveVersion } from "./version-notices.ts";
import { lockNodeRow, lockVersionById, type Mover } from "./version-write-store.ts";

export interface CheckDeps extends Omit<ChangeDeps, "audit">, MoveDeps {
  readonly blobs: Pick<Blobs, "open" | "release">;
  readonly checks: Pick<ArchiveChecks, "check" | "ruleSetVersion" | "atOnce">;
  readonly log: Pick<Log, "warn" | "info">;
}

export interface Verdict {
  readonly status: NodeVersionStatus;
  readonly findings: readonly Finding[];
  // True if the bytes were not an archive and were removed; the number is free again.
  readonly isDiscarded: boolean;
}

// Renewed while the check runs, so it can be short. If the checker is killed, the archive waits this long.
export const checkLeaseSeconds = 15;
const holdEveryMs = 4_000;
const attemptsMax = 3;
// A failed check may have run out of memory, so we pause before the next attempt.
const pauseSeconds = 5;
const lookEveryMs = 5_000;
const checks: Mover = { kind: "checks", id: null, name: null };

// Null if there is no verdict yet; it will be tried again.
export async function checkVersion(
  deps: CheckDeps,
  claimed: { readonly id: VersionId; readonly attempts: number },
  signal: AbortSignal,
): Promise<Verdict | null> {
  const record = await findArchive(deps.database, claimed.id);
  if (!record?.archive) return null;
  const report = await reportOn(deps, record, signal);
  if (report !== null) return settle(deps, record, record.archive.hash, report);
  if (claimed.attempts < attemptsMax) {
    await releaseCheck(deps.database, claimed.id, pauseSeconds);
    return null;
  }
  const message = "The checks could not be completed. An operator must review this version.";
  const gaveUp: CheckReport = {
    verdict: "flagged",
    findings: [{ code: "check_gave_up", message }],
    readme: null,
    code: null,
  };
  return settle(deps, record, record.archive.hash, gaveUp);
}

async function reportOn(deps: CheckDeps, record: ArchiveRecord, signal: AbortSignal): Promise<CheckReport | null> {
  const opened = record.archive && (await deps.blobs.open(record.archive.hash));
  if (!opened) {
    deps.log.warn({ versionId: record.id }, "a node archive's bytes are missing");
    return null;
  }
  const declared = { publisherId: record.publisherId ?? "", nodeId: record.nodeId, version: record.version };
  const ended = new AbortController();
  const holding = holdOn(deps, record.id, ended.signal);
  try {
    return await deps.checks.check(opened, declared, signal);
  } catch (thrown) {
    // We are stopping, or failed: release the lease so the next process need not wait for it.
    await releaseCheck(deps.database, record.id, 0).catch(() => {});
    throw thrown;
  } finally {
    ended.abort();
    await holding;
  }
}

async function holdOn(deps: CheckDeps, id: VersionId, ended: AbortSignal): Promise<void> {
  for (;;) {
    await deps.clock.sleep(holdEveryMs, ended);
    if (ended.aborted) return;
    await renewCheck(deps.database, id, checkLeaseSeconds).catch((err: unknown) =>
      deps.log.warn({ err, versionId: id }, "the lease of a check could not be renewed"),
    );
  }
}

async function settle(
  deps: CheckDeps,
  { id, nodeRowId }: ArchiveRecord,
  hash: string,
  report: CheckReport,
): Promise<Verdict | null> {
  const settled = await deps.database.transaction(async (tx) => {
    await lockNodeRow(tx, nodeRowId);
    const version = await lockVersionById(tx, id);
    // Another process was faster, or the version is gone.
    if (version === null || version.isChecked || version.archiveHash !== hash) return null;
    const { findings } = report;
    if (report.verdict === "unreadable") {
      await dropArchive(tx, {
        id,
        findings,
        reason: "The upload was refused because it is not an archive. Upload it again.",
      });
      await deps.blobs.release(tx, hash, archiveHolder(id));
      const folded = await settleLatest(tx, nodeRowId);
      return { folded, verdict: { status: version.status, findings, isDiscarded: true } };
    }
    const readme = version.status === "NodeVersionStatusDeleted" ? null : report.readme;
    await putVerdict(tx, { id, ruleSet: deps.checks.ruleSetVersion, findings, readme });
    await putReading(tx, { id, nodeRowId, code: report.code });
    // If an operator decided in the meantime, keep their status and only store the findings.
    const after = version.status !== "NodeVersionStatusPending" ? version.status : statusAfter(report);
    if (after !== version.status) {
      const move = { id: newId(), versionId: id, before: version.status, after, by: checks, batchId: null };
      await moveVersion(deps, tx, { ...move, reason: reasonOf(findings) });
    }
    const folded = await settleLatest(tx, nodeRowId);
    return { folded, verdict: { status: after, findings, isDiscarded: false } };
  });
  if (settled === null) return null;
  await deps.nodesChanged([settled.folded]);
  return settled.verdict;
}

function statusAfter({ verdict }: CheckReport): NodeVersionStatus {
  return verdict === "clean" ? "NodeVersionStatusActive" : "NodeVersionStatusFlagged";
}

function reasonOf(findings: readonly Finding[]): string | null {
  if (findings.length === 0) return null;
  const named = findings.slice(0, 5).map(({ code, file, line }) => {
    if (file === undefined) return code;
    return `${code} (${line === undefined ? file : `${file}:${line}`})`;
  });
  const more = findings.length > named.length ? ` and ${findings.length - named.length} more` : "";
  return `The checks found: ${named.join(", ")}${more}.`;
}

export function archiveHolder(id: VersionId) {
  return { kind: "node-version", id };
}

// Checks waiting archives: those whose checker died or gave up. Returns their ids. Claims no more than can be checked in
// parallel; the rest is left to the process that is free first.
export async function checkWaiting(
  deps: CheckDeps,
  request: { readonly count: number; readonly minAgeSeconds: number },
  signal: AbortSignal,
): Promise<readonly VersionId[]> {
  const checked: VersionId[] = [];
  while (checked.length < request.count && !signal.aborted) {
    const count = Math.min(request.count - checked.length, deps.checks.atOnce);
    const claimed = await claimChecks(deps.database, { ...request, count, leaseSeconds: checkLeaseSeconds });
    await Promise.all(claimed.map((one) => checkVersion(deps, one, signal)));
    checked.push(...claimed.map(({ id }) => id));
    if (claimed.length < count) break;
  }
  return checked;
}

export function checkInBackground(deps: CheckDeps, background: Background, signal: AbortSignal): Promise<void> {
  const round = (stopping: AbortSignal) => checkWaiting(deps, { count: 1_000, minAgeSeconds: 0 }, stopping);
  const work = { name: "registry: check waiting archives", role: "background", everyMs: lookEveryMs } as const;
  return background.run({ ...work, round }, signal);
}
