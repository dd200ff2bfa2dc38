// When the server backs itself up, where to, and how many backups it keeps.
import { integerSetting, type Setting, secretSetting, switchSetting, textSetting } from "./foundation/settings.ts";

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };
const secondsMax = 31 * 86_400;

// 30m, 6h or 1d, in seconds. Null if it is none of these.
export function everySecondsOf(text: string): number | null {
  const [, count = "", unit = ""] = /^([1-9]\d{0,4})([mhd])$/.exec(text) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  return seconds > 0 && seconds <= secondsMax ? seconds : null;
}

export const everyShape = "a number of minutes, hours or days, such as 30m, 6h or 1d; at most 31d";

// Seconds, or null: no schedule.
const everySetting: Setting<number | null> = {
  ...textSetting({
    env: "ATELIER_BACKUP_EVERY",
    default: null,
    about:
      "Back up the database and its files this often, for example 6h, and verify each backup by restoring it. Default: never.",
    pattern: /^[1-9]\d{0,4}[mhd]$/,
  }),
  parse(text) {
    const value = everySecondsOf(text);
    return value === null ? { problem: `must be ${everyShape}` } : { value };
  },
};

export const backupSettings = {
  backupEvery: everySetting,
  backupKeep: integerSetting({
    env: "ATELIER_BACKUP_KEEP",
    default: 14,
    min: 1,
    max: 10_000,
    about: "How many scheduled backups are kept. The last verified one is always kept.",
  }),
  backupTo: textSetting({
    env: "ATELIER_BACKUP_TO",
    default: null,
    about:
      "Where scheduled backups go: a folder, or s3://<bucket>/<prefix>?endpoint=…. Default: backups in the data folder.",
  }),
  backupKeyId: secretSetting({
    env: "ATELIER_BACKUP_KEY_ID",
    default: null,
    about: "The access key of the S3-compatible store for backups. Default: that of ATELIER_BLOBS_KEY_ID.",
  }),
  backupSecret: secretSetting({
    env: "ATELIER_BACKUP_SECRET",
    default: null,
    about: "The secret of ATELIER_BACKUP_KEY_ID.",
  }),
  backupBeforeMigration: switchSetting({
    env: "ATELIER_BACKUP_BEFORE_MIGRATION",
    default: true,
    about:
      "Whether the embedded database is backed up before migrations change it. If there is no room for the backup, the start stops.",
  }),
};
