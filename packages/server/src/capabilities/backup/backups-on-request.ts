// Backups that an operator asks for over HTTP: they go where scheduled ones go, and run on after the answer.
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { Audit, NewAuditEntry } from "../audit/index.ts";
import type { BackupRecord } from "./backup-record.ts";
import { BackupRefused } from "./backup-refused.ts";
import type { BackupKeeping } from "./keep-backups.ts";

export interface BackupsOnRequestDeps {
  readonly database: Database;
  readonly log: Log;
  readonly life: Pick<Lifecycle, "stopping" | "onStop">;
  readonly audit: Pick<Audit, "append">;
  // Opens where backups go, at each request.
  open(): Promise<BackupKeeping>;
}

export function backupsOnRequest({ database, log, life, audit, open }: BackupsOnRequestDeps) {
  const running = new Set<Promise<unknown>>();
  life.onStop("backups on request", async () => void (await Promise.allSettled(running)), 15);
  return async (by: Pick<NewAuditEntry, "actor" | "requestId">): Promise<BackupRecord> => {
    const keeping = await open();
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
    await audit.append(database, {
      ...by,
      action: "backup.begin",
      subject: { kind: "backup", id: begun.id },
      after: { name: begun.name, location: begun.location },
    });
    return begun;
  };
}
