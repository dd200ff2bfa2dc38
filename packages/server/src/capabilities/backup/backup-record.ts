// A line of the history of scheduled backups.
import type { Id } from "../../foundation/ids.ts";

export type BackupId = Id<"backup">;

export interface BackupRecord {
  readonly id: BackupId;
  readonly name: string;
  readonly location: string;
  readonly state: "running" | "done" | "failed";
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly verifiedAt: Date | null;
  readonly removedAt: Date | null;
  readonly everySeconds: number | null;
  readonly schemaVersion: number | null;
  readonly rowCount: number | null;
  // Tables and files together.
  readonly bytes: number | null;
  readonly blobCount: number | null;
  readonly problem: string | null;
}
