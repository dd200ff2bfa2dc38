// The backups that a server makes of itself.
import { type Example, time, uuid } from "./example.ts";

const backup = {
  id: uuid,
  name: "scheduled-20261118T200500Z-3fa2c1",
  location: "s3://backups/atelier",
  status: "verified",
  started_at: time,
  ended_at: time,
  verified_at: time,
  removed_at: null,
  bytes: 1_200_000,
  rows: 5_210,
  blobs: 12,
  schema_version: 71,
  problem: null,
};

export const backupExamples: Record<string, Example> = {
  Backup: {
    good: backup,
    broken: {
      id: "x",
      name: "",
      location: null,
      status: "good",
      started_at: "today",
      ended_at: 1,
      verified_at: 1,
      removed_at: 1,
      bytes: -1,
      rows: 0.5,
      blobs: "12",
      schema_version: -1,
      problem: 7,
    },
  },
  BackupList: {
    good: {
      schedule: { every_seconds: 21_600, keep: 14, location: "s3://backups/atelier" },
      last_good: backup,
      next_at: time,
      is_late: false,
      data: [backup],
    },
    broken: { schedule: { every_seconds: 1 }, last_good: {}, next_at: "soon", is_late: null, data: undefined },
  },
};
