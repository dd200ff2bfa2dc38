// How long a workspace keeps outputs, uploads and history, within the operator's bounds. A change begins to apply a day after it was
// saved, so that there is time to take it back. What each kind is, and what of it must stay, is decided by the modules that hold it.
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { badField } from "../../foundation/json/bad-field.ts";
import { type AgedKind, agedKinds, type WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import type { Audit } from "../audit/index.ts";
import type { KeepDays } from "./keep-days.ts";
import { findRule, listRules, putRule } from "./retention-store.ts";

export interface ShownRetention {
  readonly days: KeepDays;
  readonly bounds: RetentionBounds;
  // Null: never changed.
  readonly changedAt: Date | null;
  readonly appliesAt: Date | null;
}

// The operator's.
export interface RetentionBounds {
  readonly daysMin: number;
  // Null: an owner may keep everything.
  readonly daysMax: number | null;
}

export interface RetentionEstimate {
  readonly things: Readonly<Record<AgedKind, { readonly things: number; readonly bytes: number }>>;
  readonly appliesAt: Date;
}

export interface Retention {
  of(workspaceId: WorkspaceId): Promise<ShownRetention>;
  // What would be deleted if these days applied now.
  estimate(workspaceId: WorkspaceId, days: KeepDays): Promise<RetentionEstimate>;
  change(workspaceId: WorkspaceId, days: KeepDays, by: Acting): Promise<ShownRetention>;
  // One round of deleting what is over. Several processes may run it at once.
  apply(signal?: AbortSignal): Promise<void>;
}

export interface RetentionDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly holdings: readonly WorkspaceHoldings[];
  readonly bounds: RetentionBounds;
  // Page by page, by id.
  listWorkspaces(after: WorkspaceId | null, count: number): Promise<readonly WorkspaceId[]>;
}

const dayMs = 86_400_000;
const batchRows = 200;
const workspacesPerRead = 500;
const nothing: KeepDays = { outputs: null, uploads: null, history: null };

export function createRetention(deps: RetentionDeps): Retention {
  const { database, clock, audit, bounds } = deps;
  const shown = async (workspaceId: WorkspaceId): Promise<ShownRetention> => {
    const rule = await findRule(database, workspaceId);
    const days = within(bounds, rule?.days ?? nothing);
    return { days, bounds, changedAt: rule?.changedAt ?? null, appliesAt: rule?.appliesAt ?? null };
  };
  return {
    of: shown,
    async estimate(workspaceId, days) {
      requireWithin(bounds, days);
      const now = clock.now();
      const things = { outputs: none, uploads: none, history: none };
      for (const kind of agedKinds) things[kind] = await countOld(deps, { workspaceId, kind, days: days[kind], now });
      return { things, appliesAt: new Date(now.getTime() + dayMs) };
    },
    async change(workspaceId, days, by) {
      requireWithin(bounds, days);
      const changedAt = clock.now();
      const appliesAt = new Date(changedAt.getTime() + dayMs);
      await database.transaction(async (tx) => {
        const before = await findRule(tx, workspaceId, { isLocked: true });
        await putRule(tx, { workspaceId, days, changedAt, appliesAt });
        await audit.append(tx, {
          ...by,
          action: "retention.change",
          subject: { kind: "workspace", id: workspaceId },
          workspaceId,
          before: { ...(before?.days ?? nothing) },
          after: { ...days, applies_at: appliesAt.toISOString() },
        });
      });
      return shown(workspaceId);
    },
    async apply(signal) {
      for await (const [workspaceId, days] of due(deps)) {
        if (signal?.aborted) return;
        await applyTo(deps, workspaceId, days, signal);
      }
    },
  };
}

const none = { things: 0, bytes: 0 };

function requireWithin({ daysMin, daysMax }: RetentionBounds, days: KeepDays): void {
  for (const kind of agedKinds) {
    const wanted = days[kind];
    const isShort = wanted !== null && wanted < daysMin;
    const isLong = daysMax !== null && (wanted === null || wanted > daysMax);
    if (!isShort && !isLong) continue;
    const message = isShort ? `must be at least ${daysMin}` : `must be at most ${daysMax}`;
    throw badField(`${kind}_days`, message);
  }
}

// The operator's bounds count for what was decided before they were set.
function within({ daysMin, daysMax }: RetentionBounds, days: KeepDays): KeepDays {
  const bounded = (wanted: number | null) => {
    const most = daysMax === null ? wanted : Math.min(wanted ?? daysMax, daysMax);
    return most === null ? null : Math.max(most, daysMin);
  };
  return { outputs: bounded(days.outputs), uploads: bounded(days.uploads), history: bounded(days.history) };
}

async function countOld(
  { database, holdings }: RetentionDeps,
  { workspaceId, kind, days, now }: { workspaceId: WorkspaceId; kind: AgedKind; days: number | null; now: Date },
) {
  if (days === null) return none;
  const before = new Date(now.getTime() - days * dayMs);
  const sum = { things: 0, bytes: 0 };
  for (const aged of agedIn(holdings, kind)) {
    const { things, bytes } = await aged.count(database, { workspaceId, before });
    sum.things += things;
    sum.bytes += bytes;
  }
  return sum;
}

const agedIn = (holdings: readonly WorkspaceHoldings[], kind: AgedKind) =>
  holdings.flatMap(({ aged = [] }) => aged.filter((each) => each.kind === kind));

// Workspaces and the days that count for them now.
async function* due(deps: RetentionDeps): AsyncGenerator<readonly [WorkspaceId, KeepDays]> {
  const { database, bounds } = deps;
  const nowMs = deps.clock.now().getTime();
  // With the operator's bound every workspace has days, whether its owner decided anything or not.
  for (let after: WorkspaceId | null = null; bounds.daysMax !== null; ) {
    const ids: readonly WorkspaceId[] = await deps.listWorkspaces(after, workspacesPerRead);
    for (const id of ids) {
      const rule = await findRule(database, id);
      yield [id, within(bounds, rule !== null && rule.appliesAt.getTime() <= nowMs ? rule.days : nothing)];
    }
    after = ids.at(-1) ?? null;
    if (ids.length < workspacesPerRead) return;
  }
  for (let after: WorkspaceId | null = null; ; ) {
    const rules: Awaited<ReturnType<typeof listRules>> = await listRules(database, after, workspacesPerRead);
    for (const { workspaceId, days, appliesAt } of rules)
      if (appliesAt.getTime() <= nowMs) yield [workspaceId, within(bounds, days)];
    after = rules.at(-1)?.workspaceId ?? null;
    if (rules.length < workspacesPerRead) return;
  }
}

async function applyTo(deps: RetentionDeps, workspaceId: WorkspaceId, days: KeepDays, signal?: AbortSignal) {
  const { database, clock, audit, holdings } = deps;
  const removed: Record<string, number> = {};
  for (const kind of agedKinds) {
    const keep = days[kind];
    if (keep === null) continue;
    for (const aged of agedIn(holdings, kind)) {
      for (let found = batchRows; found >= batchRows && !signal?.aborted; ) {
        const now = clock.now();
        const old = { workspaceId, before: new Date(now.getTime() - keep * dayMs), now, count: batchRows };
        found = await database.transaction((tx) => aged.remove(tx, old));
        if (found > 0) removed[aged.name] = (removed[aged.name] ?? 0) + found;
      }
    }
  }
  if (Object.keys(removed).length === 0) return;
  await database.transaction((tx) =>
    audit.append(tx, {
      actor: { kind: "system", id: null, name: "retention" },
      action: "retention.apply",
      subject: { kind: "workspace", id: workspaceId },
      workspaceId,
      after: removed,
    }),
  );
}
