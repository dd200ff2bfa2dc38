// Watches for odd spending: a full hour in which a workspace spent more than in the same hour of any of the past eight weeks, at least
// three times their average, and at least 200 credits (or the amount that it chose). With fewer than four weeks of usage nothing
// is said. A background round looks at each hour once, when its sums are complete, a few minutes after it ended.
import type { Background } from "../../../foundation/background.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type OddHour, type OddSpending, oddRule } from "./odd-hour.ts";
import { findWatch, insertOddHours, listOddHours, lockLook, moveLook, putWatch } from "./odd-spending-store.ts";

export interface SpendingNotices {
  // In the transaction that writes the alerts.
  enqueue(tx: Queryable, found: readonly OddSpending[]): Promise<() => void>;
}

export interface SpendingWatch {
  readonly isOn: boolean;
  // Micro-credits: less in an hour is never odd.
  readonly atLeast: bigint;
  // Newest first.
  readonly alerts: readonly OddHour[];
}

export interface OddSpendingWatch {
  of(workspaceId: WorkspaceId): Promise<SpendingWatch>;
  set(
    workspaceId: WorkspaceId,
    wanted: { readonly isOn: boolean; readonly atLeast: bigint | null },
    by: Acting,
  ): Promise<SpendingWatch>;
  // Looks at every hour whose sums are complete. Returns how many it looked at.
  round(notices: SpendingNotices): Promise<number>;
  run(notices: SpendingNotices, background: Background, signal: AbortSignal): Promise<void>;
}

const hourMs = 3_600_000;
// News about older hours, after a long stop, would help nobody.
const hoursBack = 6;
const everyMs = 60_000;
const alertsShown = 20;

export function createOddSpending(deps: {
  readonly database: Database;
  readonly audit: ChangeAudit;
  readonly clock: Clock;
}): OddSpendingWatch {
  const { database, audit, clock } = deps;

  async function of(workspaceId: WorkspaceId): Promise<SpendingWatch> {
    const { isOn, atLeast } = await findWatch(database, workspaceId);
    return {
      isOn,
      atLeast: atLeast ?? oddRule.atLeast,
      alerts: await listOddHours(database, workspaceId, alertsShown),
    };
  }

  // One hour. False if there is none to look at, or another process looks.
  async function lookAtNext(notices: SpendingNotices): Promise<boolean> {
    const now = clock.now();
    let wake: () => void = () => undefined;
    const hasLooked = await database.transaction(async (tx) => {
      const look = await lockLook(tx);
      if (look === null) return false;
      const begun = Math.floor(now.getTime() / hourMs) * hourMs;
      const next = Math.max(look.lookedUntil?.getTime() ?? begun, begun - hoursBack * hourMs);
      if (look.lookedUntil === null) await moveLook(tx, new Date(begun));
      const until = next + hourMs;
      if (until > begun || until > look.summedUntil.getTime()) return false;
      const found = await insertOddHours(tx, { hour: new Date(next), rule: oddRule, at: now });
      if (found.length > 0) wake = await notices.enqueue(tx, found);
      await moveLook(tx, new Date(until));
      return true;
    });
    wake();
    return hasLooked;
  }

  async function round(notices: SpendingNotices): Promise<number> {
    let hours = 0;
    while (await lookAtNext(notices)) hours += 1;
    return hours;
  }

  return {
    of,
    async set(workspaceId, wanted, by) {
      await database.transaction(async (tx) => {
        await putWatch(tx, { workspaceId, ...wanted });
        const after = { is_on: wanted.isOn, at_least: wanted.atLeast === null ? null : String(wanted.atLeast) };
        const subject = { kind: "workspace", id: workspaceId };
        await audit.append(tx, { ...by, action: "spending.watch", subject, workspaceId, after });
      });
      return of(workspaceId);
    },
    round,
    run: (notices, background, signal) =>
      background.run({ name: "calls: odd spending", role: "background", everyMs, round: () => round(notices) }, signal),
  };
}
