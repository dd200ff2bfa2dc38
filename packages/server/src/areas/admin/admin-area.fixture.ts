// What the operators' pages read, for tests that do not: backups, settings and figures are tested through the whole app.
import assert from "node:assert/strict";
import { systemClock } from "../../foundation/clock.ts";
import type { AdminAreaDeps } from "./admin-area.ts";

export const pagesOfOperators: Pick<AdminAreaDeps, "readBackups" | "beginBackup" | "settings" | "figures"> = {
  readBackups: async () => ({ schedule: null, lastGood: null, nextAt: null, isLate: false, backups: [] }),
  beginBackup: async () => assert.fail(),
  settings: [],
  figures: {
    clock: systemClock,
    usage: { series: () => assert.fail() },
    jobs: () => assert.fail(),
    stored: () => assert.fail(),
    nameOf: () => assert.fail(),
  },
};
