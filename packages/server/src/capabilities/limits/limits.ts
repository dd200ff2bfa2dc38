// How much a workspace may do: request rates, quotas, body caps and concurrency. Each has a default, which an operator can
// override for a workspace.
import type { Background } from "../../foundation/background.ts";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import {
  type LimitName,
  limitNames,
  limitTable,
  type QuotaName,
  type RateFamily,
  rateFamilies,
  rateFamilyOf,
} from "./limit-names.ts";
import { listOverrides, lockOverride, putOverride, removeOverride } from "./limit-store.ts";
import { createRateBuckets, type SharedBuckets, type Spending } from "./rate-buckets.ts";
import { addSpendings, forgetDrainedBuckets, listSpentBuckets, shrinkSharedBucket } from "./rate-store.ts";

export interface WorkspaceLimit {
  readonly name: LimitName;
  readonly value: number;
  readonly default: number;
  readonly overridden: boolean;
}

export interface Limits {
  // Counts one request. Throws rate_limited with the seconds after which a retry can succeed.
  admit(workspaceId: WorkspaceId, family: RateFamily): void | Promise<void>;
  limitOf(workspaceId: WorkspaceId, name: LimitName): number | Promise<number>;
  // `current` is what the workspace has now, `adding` what it wants in addition. Throws quota_exceeded, which names the cap.
  requireQuota(workspaceId: WorkspaceId, name: QuotaName, current: number, adding?: number): Promise<void>;
  // Always read from the database, because operators must see the actual values.
  list(workspaceId: WorkspaceId): Promise<WorkspaceLimit[]>;
  // Both return the previous override, or null if the default applied. Call `drop` for the workspace once the change is
  // committed.
  setOverride(
    tx: Queryable,
    override: { workspaceId: WorkspaceId; name: LimitName; value: number },
  ): Promise<number | null>;
  resetOverride(tx: Queryable, override: { workspaceId: WorkspaceId; name: LimitName }): Promise<number | null>;
  // Resolves when the other processes have dropped it, too.
  drop(workspaceId: WorkspaceId): Promise<void>;
  // Exchanges rates with the other processes every second, until the signal fires.
  exchangeRates(background: Background, signal: AbortSignal): Promise<void>;
}

export interface LimitsOptions {
  readonly database: Database;
  readonly clock: Clock;
  // The operator's settings, if they differ from the table.
  readonly defaults?: Partial<Readonly<Record<LimitName, number>>>;
  readonly forgetting?: Forgetting;
}

const exchangeEveryMs = 1_000;
const cleanUpEveryMs = 60_000;
const spentBuckets = { aheadSeconds: 5, count: 1_000 };

type Overrides = ReadonlyMap<LimitName, number>;

export function createLimits(options: LimitsOptions): Limits {
  const { database, clock, forgetting = forgettingAlone } = options;
  // Changes are still visible immediately: see `drop`.
  const known = new TtlCache<WorkspaceId, Overrides>({ clock, keepMs: 5_000, entriesMax: 10_000 });
  const overridesOf = (workspaceId: WorkspaceId) =>
    known.getOrLoad(workspaceId, () => listOverrides(database, workspaceId));
  const buckets = createRateBuckets({ clock, share: (spendings) => shareRates(database, spendings) });
  const defaultOf = (name: LimitName) => options.defaults?.[name] ?? limitTable[name].default;
  const valueIn = (overrides: Overrides, name: LimitName) => overrides.get(name) ?? defaultOf(name);

  function spendOne(workspaceId: WorkspaceId, family: RateFamily, overrides: Overrides): void {
    const perMinute = valueIn(overrides, rateFamilies[family]);
    const verdict = buckets.admit(workspaceId, family, { perMinute });
    if (!verdict.admitted) throw rateLimited(rateFamilies[family], perMinute, verdict.retryAfterSeconds);
  }

  async function noteRaised(
    tx: Queryable,
    { workspaceId, name }: { workspaceId: WorkspaceId; name: LimitName },
    [before, after]: readonly [number, number],
  ): Promise<void> {
    const family = rateFamilyOf(name);
    if (family === null || after <= before || before < 1) return;
    await shrinkSharedBucket(tx, { workspaceId, family, share: before / after });
  }

  return {
    admit(workspaceId, family) {
      const overrides = overridesOf(workspaceId);
      if (overrides instanceof Promise) return overrides.then((found) => spendOne(workspaceId, family, found));
      return spendOne(workspaceId, family, overrides);
    },
    limitOf(workspaceId, name) {
      const overrides = overridesOf(workspaceId);
      return overrides instanceof Promise ? overrides.then((found) => valueIn(found, name)) : valueIn(overrides, name);
    },
    async requireQuota(workspaceId, name, current, adding = 1) {
      const cap = valueIn(await overridesOf(workspaceId), name);
      if (current + adding > cap) throw quotaExceeded(name, cap, current);
    },
    async list(workspaceId) {
      const overrides = await listOverrides(database, workspaceId);
      return limitNames.map((name) => ({
        name,
        value: valueIn(overrides, name),
        default: defaultOf(name),
        overridden: overrides.has(name),
      }));
    },
    async setOverride(tx, override) {
      const before = await lockOverride(tx, override);
      await putOverride(tx, override);
      await noteRaised(tx, override, [before ?? defaultOf(override.name), override.value]);
      return before;
    },
    async resetOverride(tx, override) {
      const before = await lockOverride(tx, override);
      await removeOverride(tx, override);
      if (before !== null) await noteRaised(tx, override, [before, defaultOf(override.name)]);
      return before;
    },
    drop: forgetting.share("limits", (workspaceId) => known.delete(trustedId(workspaceId))),
    async exchangeRates(background, signal) {
      const begins = "after_pause";
      const forget = () => forgetDrainedBuckets(database);
      await Promise.all([
        // Without the database each process enforces the rate alone; what it could not report is sent later.
        background.run(
          { name: "limits: exchange request rates", everyMs: exchangeEveryMs, begins, round: () => buckets.exchange() },
          signal,
        ),
        background.run(
          { name: "limits: forget idle rates", role: "background", everyMs: cleanUpEveryMs, begins, round: forget },
          signal,
        ),
      ]);
    },
  };
}

async function shareRates(database: Database, spendings: readonly Spending[]): Promise<SharedBuckets> {
  const own = spendings.length === 0 ? [] : await addSpendings(database, spendings);
  const spent = await listSpentBuckets(database, spentBuckets);
  const isWhole = spent.length < spentBuckets.count;
  return { buckets: [...own, ...spent], othersAheadMsMax: isWhole ? spentBuckets.aheadSeconds * 1_000 : Infinity };
}

function rateLimited(name: LimitName, perMinute: number, retryAfterSeconds: number): Fault {
  const seconds = retryAfterSeconds === 1 ? "1 second" : `${retryAfterSeconds} seconds`;
  return new Fault(
    "rate_limited",
    `This workspace may send ${perMinute} requests per minute. Try again in ${seconds}.`,
    {
      retryAfterSeconds,
      details: { limit: name, value: perMinute },
    },
  );
}

function quotaExceeded(name: QuotaName, cap: number, current: number): Fault {
  return new Fault("quota_exceeded", `The quota "${name}" of this workspace is ${cap}, and ${current} are in use.`, {
    details: { quota: name, value: cap, current },
  });
}
