// Checks archives in child processes that can be killed. The bytes may be in an object store, so we copy them to a
// temporary file first and give the child nothing but its name. If a child dies or takes too long, that says nothing
// about the archive, so the caller tries again; after several attempts the verdict is that the archive could not be
// checked.
import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Isolation, ownProcesses } from "@atelier/engine/isolation";
import type { Log } from "../../../foundation/log.ts";
import { ChildFailure, childEntry, childPool } from "../../../foundation/threads/child-pool.ts";
import type { OpenedBytes } from "../../blobs/index.ts";
import { archiveLimits } from "./archive-limits.ts";
import type { CheckReport, CheckTask } from "./check-archive.ts";
import type { DeclaredIdentity } from "./manifest.ts";
import type { RuleSet } from "./rule-set.ts";

export interface ArchiveChecks {
  readonly ruleSetVersion: string;
  readonly atOnce: number;
  // Null if the child was lost, in which case nothing is known about the archive.
  check(archive: OpenedBytes, declared: DeclaredIdentity, signal: AbortSignal): Promise<CheckReport | null>;
  close(): Promise<void>;
}

export interface ArchiveChecksDeps {
  // Only this process uses this folder. Files left behind by a killed process are removed.
  readonly folder: string;
  readonly ruleSet: RuleSet;
  readonly log: Pick<Log, "warn">;
  // How many archives are checked in parallel; 1 by default.
  readonly atOnce?: number;
  readonly childEntryUrl?: URL;
  // Safety nets. The counted limits are normally reached long before these.
  readonly memoryMegabytesMax?: number;
  readonly timeoutMs?: number;
  readonly isolation?: Isolation;
}

export async function createArchiveChecks(deps: ArchiveChecksDeps): Promise<ArchiveChecks> {
  const { folder, ruleSet, atOnce = 1, memoryMegabytesMax = 512, timeoutMs = 60_000 } = deps;
  const { isolation = ownProcesses, childEntryUrl: entry = childEntry(import.meta.url, "check-archive.child") } = deps;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
  const pool = childPool<CheckTask, CheckReport>({
    entry,
    confine: () => isolation.confine("archives", { entry, folder }),
    size: atOnce,
    memoryMegabytesMax,
    idleSecondsMax: 30,
    log: deps.log,
  });
  return {
    ruleSetVersion: ruleSet.version,
    atOnce,
    async check(archive, declared, signal) {
      // The folder is the child's working directory. Another user's child could not open its path, but it can this name.
      const name = `${randomUUID()}.zip`;
      const path = join(folder, name);
      try {
        await pipeline(archive.stream, createWriteStream(path, { mode: 0o644 }), { signal });
        return await pool.run({ path: name, declared, ruleSet, limits: archiveLimits }, { timeoutMs, signal });
      } catch (thrown) {
        if (thrown instanceof ChildFailure && thrown.kind !== "closed") return null;
        throw thrown;
      } finally {
        await rm(path, { force: true });
      }
    },
    close: () => pool.close(),
  };
}
