// Backups that an operator asks for over HTTP: they go where scheduled ones go, and run on after the answer.
import type { Audit, NewAuditEntry } from "../../capabilities/audit/index.ts";
import { type BackupRecord, BackupRefused } from "../../capabilities/backup/index.ts";
import type { Config } from "../../config.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import { type BuildBackupsDeps, buildBackups, planOf } from "./build-backups.ts";

export interface BackupsOnRequestDeps extends BuildBackupsDeps {
  readonly config: Config;
  readonly life: Pick<Lifecycle, "stopping" | "onStop">;
  readonly audit: Pick<Audit, "append">;
}

export function backupsOnRequest(deps: BackupsOnRequestDeps) {
  const { config, log, life, storage } = deps;
  const running = new Set<Promise<unknown>>();
  life.onStop("backups on request", async () => void (await Promise.allSettled(running)), 15);
  return async (by: Pick<NewAuditEntry, "actor" | "requestId">): Promise<BackupRecord> => {
    const keeping = await buildBackups(deps, planOf(config));
    const { promise, resolve, reject } = Promise.withResolvers<BackupRecord>();
    const making = keeping.makeNow({ signal: life.stopping, begun: resolve }).catch((error: unknown) => {
      if (error instanceof BackupRefused) return reject(new Fault("conflict", error.message));
      // After the answer its line in the history says why, if it got one.
      log.error({ err: error }, "the backup that an operator asked for failed");
      reject(error);
    });
    running.add(making);
    void making.finally(() => running.delete(making));
    const begun = await promise;
    await deps.audit.append(storage.database, {
      ...by,
      action: "backup.begin",
      subject: { kind: "backup", id: begun.id },
      after: { name: begun.name, location: begun.location },
    });
    return begun;
  };
}
