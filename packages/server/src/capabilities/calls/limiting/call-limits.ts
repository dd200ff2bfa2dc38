// Limits of calls: owners set them on keys of the workspace, operators on models of the server. Without any, a call pays for two
// look-ups in memory. With some, it reserves in the transaction in which caps and budgets do, under the limits' locks, so
// over all gateways no more calls begin or run than a limit says. Others hear of a change over the bus, within 5 seconds.
import { type Forgetting, forgettingAlone } from "../../../foundation/bus/forgetting.ts";
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { KeyId, WorkspaceId } from "../../../foundation/ids.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { CallId } from "../call/call-opening.ts";
import { type CallLimit, type CallLimitId, isLimitedBy, type LimitedBy, type LimitRule, letIn } from "./call-limit.ts";
import {
  countInFlight,
  deleteLimit,
  giveBackLimited,
  insertLimitedCalls,
  type LimitSubject,
  listLimitRules,
  listLimits,
  lockLimit,
  lockLimits,
  putLimit,
} from "./call-limit-store.ts";

export interface AskingCall {
  readonly callId: CallId;
  readonly apiKeyId: KeyId | null;
  readonly limitIds: readonly CallLimitId[];
}

export interface Judged {
  // One for each call, in the same order.
  readonly verdicts: readonly (Fault | null)[];
  // In the same transaction, for those that no one else refused.
  write(tx: Queryable, begun: ReadonlySet<CallId>): Promise<void>;
}

// What the reservation of a call needs.
export interface CallLimiting {
  // Rules that may concern calls of the workspace; none for most.
  rulesOf(workspaceId: WorkspaceId): readonly LimitRule[] | Promise<readonly LimitRule[]>;
  // In the caller's transaction, after its caps.
  judge(tx: Queryable, calls: readonly AskingCall[]): Promise<Judged>;
  // For a call that then did not begin. Never throws.
  giveBack(workspaceId: WorkspaceId, callId: CallId, call: LimitedBy): Promise<void>;
}

type KeyOf = { readonly workspaceId: WorkspaceId; readonly apiKeyId: KeyId };

export interface CallLimits extends CallLimiting {
  ofKey(key: KeyOf): Promise<CallLimit & { readonly inFlight: number }>;
  // Only nulls remove it.
  setOfKey(key: KeyOf, limit: CallLimit, by: Acting): Promise<void>;
  // The operator's, by model.
  listOfModels(): Promise<readonly (CallLimit & { readonly model: string })[]>;
  setOfModel(model: string, limit: CallLimit, by: Acting): Promise<void>;
}

const rememberMs = 5_000;
const rememberedMax = 10_000;
// How long a reservation counts if its call never begins and it is not given back.
const unbegunSeconds = 300;
const modelLimitsMax = 500;
const none: readonly LimitRule[] = [];
const ofServer = "server";

export function createCallLimits(deps: {
  readonly database: Database;
  readonly audit: ChangeAudit;
  readonly clock?: Clock;
  readonly forgetting?: Forgetting;
}): CallLimits {
  const { database, audit, clock = systemClock, forgetting = forgettingAlone } = deps;
  const remembered = new TtlCache<string, readonly LimitRule[]>({
    clock,
    keepMs: rememberMs,
    entriesMax: rememberedMax,
  });
  const forget = forgetting.share("limits of calls", (of) => remembered.delete(of));

  function rulesOf(workspaceId: WorkspaceId): readonly LimitRule[] | Promise<readonly LimitRule[]> {
    const own = remembered.getOrLoad(workspaceId, () => listLimitRules(database, workspaceId));
    const models = remembered.getOrLoad(ofServer, () => listLimitRules(database, null));
    if (own instanceof Promise || models instanceof Promise)
      return Promise.all([own, models]).then(([some, others]) => [...some, ...others]);
    if (own.length === 0) return models;
    return models.length === 0 ? own : [...own, ...models];
  }

  async function set(
    of: LimitSubject,
    limit: CallLimit,
    noted: { readonly action: string; readonly kind: string; readonly by: Acting },
  ) {
    const { workspaceId, subject } = of;
    const isGone = limit.perMinute === null && limit.concurrency === null;
    await database.transaction(async (tx) => {
      const before = await lockLimit(tx, of);
      if (isGone) await deleteLimit(tx, of);
      else await putLimit(tx, of, limit);
      if (workspaceId === null && (await listLimitRules(tx, null)).length > modelLimitsMax)
        throw new Fault("conflict", `There are at most ${modelLimitsMax} models with limits. Remove one first.`);
      await audit.append(tx, {
        ...noted.by,
        action: noted.action,
        subject: { kind: noted.kind, id: subject },
        ...(workspaceId === null ? {} : { workspaceId }),
        before: before && { per_minute: before.perMinute, concurrency: before.concurrency },
        after: isGone ? null : { per_minute: limit.perMinute, concurrency: limit.concurrency },
      });
    });
    await forget(workspaceId ?? ofServer);
  }

  const keySubject = ({ workspaceId, apiKeyId }: KeyOf) => ({ workspaceId, scope: "key", subject: apiKeyId }) as const;

  return {
    rulesOf,
    judge: judgeLimits,
    async giveBack(workspaceId, callId, call) {
      const rules = [...(remembered.getStale(workspaceId) ?? none), ...(remembered.getStale(ofServer) ?? none)];
      const limitIds = rules.filter((rule) => isLimitedBy(rule, call)).map(({ id }) => id);
      // A reservation we cannot give back now is dropped when it gets too old.
      if (limitIds.length > 0) await giveBackLimited(database, { callId, limitIds }).catch(() => undefined);
    },
    ofKey: (key) =>
      database.transaction(async (tx) => {
        const limit = await lockLimit(tx, keySubject(key));
        if (limit === null) return { perMinute: null, concurrency: null, inFlight: 0 };
        const counts = await countInFlight(tx, [limit.id], unbegunSeconds);
        return { perMinute: limit.perMinute, concurrency: limit.concurrency, inFlight: counts.get(limit.id) ?? 0 };
      }),
    setOfKey: (key, limit, by) => set(keySubject(key), limit, { action: "api_key.limits", kind: "api_key", by }),
    listOfModels: async () =>
      (await listLimits(database, null)).map(({ subject: model, perMinute, concurrency }) => ({
        model,
        perMinute,
        concurrency,
      })),
    setOfModel: (model, limit, by) =>
      set({ workspaceId: null, scope: "model", subject: model }, limit, { action: "model.limits", kind: "model", by }),
  };
}

// First come first served. A call that one limit refuses takes nothing of the others.
async function judgeLimits(tx: Queryable, calls: readonly AskingCall[]): Promise<Judged> {
  const ids = [...new Set(calls.flatMap(({ limitIds }) => limitIds))];
  const states = ids.length === 0 ? new Map() : await lockLimits(tx, ids, unbegunSeconds);
  const verdicts = calls.map(({ limitIds, apiKeyId }) => {
    const after = [];
    for (const id of limitIds) {
      const state = states.get(id);
      if (state === undefined) continue;
      const verdict = letIn(state, state.scope === "key" && state.subject !== apiKeyId);
      if (verdict instanceof Fault) return verdict;
      after.push(verdict);
    }
    for (const state of after) states.set(state.id, state);
    return null;
  });
  return {
    verdicts,
    async write(within, begun) {
      const counted = calls
        .filter(({ callId }) => begun.has(callId))
        .flatMap(({ callId, limitIds }) =>
          limitIds.filter((id) => states.has(id)).map((limitId) => ({ callId, limitId })),
        );
      if (counted.length > 0) await insertLimitedCalls(within, counted);
    },
  };
}
