// Caps of single keys, in credits per day, per month and in all (decisions, section 1: the 402 names the cap). A key without a cap
// costs one lookup in memory. A token made from a key or token counts against its own cap and against those of everything it was
// made from, all under their locks in one transaction.
// How exact it is: a call with a capped key reserves its hold before it begins. Reservations go one after another under the
// cap's row lock, across all processes. Open calls count as their holds, ended ones as what they were charged, so the cap is
// never exceeded; it may refuse a call while holds are larger than the final charges. Two edges: other processes see a new
// or changed cap when they hear of it over the bus, 5 seconds later at most, and calls that were open when a first cap was
// set count only through their earlier usage rows. A refund does not raise the key's remaining cap.
// Order: a retry under an idempotency key must be replayed even if the cap is reached; course/begin-paid-call.ts takes care
// of that.
import { type Forgetting, forgettingAlone } from "../../../foundation/bus/forgetting.ts";
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import { type Database, type GroupCommit, groupCommit, type Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type KeyId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import { creditsText } from "../../prices/index.ts";
import type { BudgetId } from "../budgets/budget.ts";
import type { CallBudgets } from "../budgets/budgets.ts";
import type { CallId } from "../call/call-opening.ts";
import { type CallLimitId, isLimitedBy, type LimitedBy, type LimitRule } from "../limiting/call-limit.ts";
import type { CallLimiting } from "../limiting/call-limits.ts";
import { spentBy } from "../usage/usage-store.ts";
import {
  addUpCaps,
  type CapChain,
  chainOf,
  deleteCap,
  deleteUnbegunCall,
  findTotals,
  insertCappedCalls,
  insertTokenCap,
  type KeyOfWorkspace,
  lockCap,
  lockCaps,
  putCap,
  spentBelow,
} from "./credits-caps-store.ts";
import type { KeyCap, KeySpending } from "./key-cap.ts";

export interface CappedCall extends KeyOfWorkspace {
  // The id the call will begin with.
  readonly callId: CallId;
  readonly hold: bigint;
}

// A call that reserves its hold before it begins: against the caps of its key, if it has one, and against budgets.
export interface LimitedCall extends Omit<CappedCall, "apiKeyId"> {
  readonly apiKeyId: KeyId | null;
  readonly labels?: Labels | undefined;
  // The model that is called; for a route also its targets.
  readonly models?: readonly string[] | undefined;
}

export interface KeyCaps {
  // For a key without a cap: the sums of its usage rows, and no holds, because none count.
  look(key: KeyOfWorkspace): Promise<KeyCap & KeySpending>;
  // The key must belong to the workspace. Only nulls remove the cap.
  set(key: KeyOfWorkspace, cap: KeyCap, by: Acting): Promise<void>;
  // For a new token: what it may spend in all (null if only its ancestors limit it), and what its calls count against.
  derive(
    token: KeyOfWorkspace & { readonly ancestors: readonly KeyId[]; readonly total: bigint | null },
  ): Promise<void>;
  // What keys have spent in all, and may spend, by key. Keys without a cap are left out.
  totals(
    workspaceId: WorkspaceId,
    apiKeyIds: readonly KeyId[],
  ): Promise<ReadonlyMap<string, { readonly total: bigint | null; readonly spent: bigint }>>;
  // For a job that a call of the same id starts: throws insufficient_credits if the whole job could cost more than is left in
  // all. The part for its running time then counts until the call has ended; calls of its nodes count by themselves.
  requireJobWithinTotal(job: CappedCall & { readonly runningTime: bigint }): Promise<void>;
  // For a job: throws insufficient_credits if a budget has less left than the whole job could cost. The part for its running time
  // then counts until it has ended. False if it counts against no budget.
  requireJobWithinBudgets(job: LimitedCall & { readonly runningTime: bigint }): Promise<boolean>;
  // What has to be done before the call may begin.
  neededFor(call: LimitedCall): Promise<NeededBeforeCall>;
  // Throws insufficient_credits, and the message names the cap or the budget; or rate_limited or concurrency_limit_exceeded, by a
  // limit of the key or the model.
  requireWithinCap(call: LimitedCall): Promise<void>;
  // Whether a limit concerns such calls, so that each must be counted even if it costs nothing.
  isLimited(call: Pick<LimitedCall, "workspaceId" | "apiKeyId" | "models">): boolean | Promise<boolean>;
  // For a call that was allowed here and then did not begin (replayed, joined, refused). Never throws.
  giveBack(call: Omit<LimitedCall, "labels">): Promise<void>;
}

// Nothing; or its budgets counted, by the statement that begins it or else by a reservation; or a reservation.
export type NeededBeforeCall =
  | { readonly kind: "nothing" }
  | { readonly kind: "counting"; readonly budgetIds: readonly BudgetId[] }
  | { readonly kind: "reservation" };

const rememberMs = 5_000;
const rememberedMax = 10_000;
// How long a reservation counts if its call never begins and it is not given back.
const unbegunSeconds = 300;

export function createKeyCaps(deps: {
  readonly database: Database;
  readonly audit: ChangeAudit;
  readonly clock?: Clock;
  readonly forgetting?: Forgetting;
  // Absent: there are none.
  readonly budgets?: CallBudgets;
  // Absent: there are none.
  readonly limits?: CallLimiting;
}): KeyCaps {
  const { database, audit, clock = systemClock, forgetting = forgettingAlone } = deps;
  const { budgets = noBudgets, limits = noLimits } = deps;
  // The caps that calls of a key count against; none for a key without a cap.
  const remembered = new TtlCache<KeyId, CapChain>({ clock, keepMs: rememberMs, entriesMax: rememberedMax });
  const forget = forgetting.share("caps of keys", (keyId) => {
    remembered.delete(trustedId(keyId));
    remembered.deleteWhere(({ ancestors }) => ancestors.has(keyId));
  });

  // Concurrent reservations share one transaction on one connection, so callers of a busy key do not queue for its row.
  const reserving: GroupCommit<ChainedCall, Fault | null> = groupCommit({
    maxBatch: 128,
    inFlight: 1,
    run: (reserved) => database.transaction((tx) => reserve(tx, reserved, { budgets, limits })),
  });

  const chainOfKey = (key: KeyOfWorkspace) => remembered.getOrLoad(key.apiKeyId, () => chainOf(database, key));

  return {
    look: (key) =>
      database.transaction(async (tx) => {
        const cap = await lockCap(tx, key);
        if (cap !== null)
          return { ...cap, ...spendingOf(await addUpCaps(tx, [key.apiKeyId], unbegunSeconds), key.apiKeyId) };
        return lookWithoutCap(tx, key, clock.now());
      }),
    async set(key, cap, by) {
      await database.transaction(async (tx) => {
        const before = await lockCap(tx, key);
        const { total = null } = cap;
        if (cap.day === null && cap.month === null && total === null) await deleteCap(tx, key);
        else await putCap(tx, key, cap);
        const subject = { kind: "api_key", id: key.apiKeyId };
        const after = { day: cap.day, month: cap.month, ...(total === null ? {} : { total }) };
        await audit.append(tx, { ...by, action: "api_key.cap", subject, workspaceId: key.workspaceId, before, after });
      });
      await forget(key.apiKeyId);
    },
    totals: (workspaceId, apiKeyIds) =>
      apiKeyIds.length === 0 ? Promise.resolve(new Map()) : findTotals(database, workspaceId, apiKeyIds),
    derive: (token) => insertTokenCap(database, token),
    async requireJobWithinTotal({ runningTime, ...job }) {
      const { capIds } = await chainOfKey(job);
      if (capIds.length === 0) return;
      await database.transaction((tx) => reserveJob(tx, { ...job, capIds }, runningTime));
    },
    async requireJobWithinBudgets(job) {
      const { workspaceId, apiKeyId } = job;
      const chain = apiKeyId === null ? noChain : await chainOfKey({ workspaceId, apiKeyId });
      return reserveRun({ database, budgets }, job, chain);
    },
    ...limitedCalls({ database, budgets, limits, reserving, chainOfKey, staleChain: (id) => remembered.getStale(id) }),
  };
}

interface LimitedCallDeps {
  readonly database: Database;
  readonly budgets: CallBudgets;
  readonly limits: CallLimiting;
  readonly reserving: GroupCommit<ChainedCall, Fault | null>;
  chainOfKey(key: KeyOfWorkspace): CapChain | Promise<CapChain>;
  staleChain(keyId: KeyId): CapChain | undefined;
}

// What every call asks before it begins.
function limitedCalls({
  database,
  budgets,
  limits,
  reserving,
  chainOfKey,
  staleChain,
}: LimitedCallDeps): Pick<KeyCaps, "neededFor" | "requireWithinCap" | "isLimited" | "giveBack"> {
  // Null if nothing concerns the call.
  async function against(call: LimitedCall): Promise<Omit<ChainedCall, keyof LimitedCall> | null> {
    const { apiKeyId, workspaceId, labels, models = [], hold } = call;
    const given = limits.rulesOf(workspaceId);
    const rules = given instanceof Promise ? await given : given;
    if (hold === 0n && rules.length === 0) return null;
    const known = apiKeyId === null ? noChain : chainOfKey({ workspaceId, apiKeyId });
    const chain = known instanceof Promise ? await known : known;
    const limitIds = idsOf(rules, { apiKeyId, ancestors: chain.ancestors, models });
    if (hold === 0n && limitIds.length === 0) return null;
    const counted = hold === 0n ? [] : budgets.of(workspaceId, { apiKeyId, ancestors: chain.ancestors, labels });
    const budgetIds = counted instanceof Promise ? await counted : counted;
    const capIds = hold === 0n ? [] : chain.capIds;
    return capIds.length + budgetIds.length + limitIds.length === 0 ? null : { capIds, budgetIds, limitIds };
  }

  return {
    async neededFor(call) {
      const ids = await against(call);
      if (ids === null) return { kind: "nothing" };
      const reserves = ids.capIds.length + ids.limitIds.length > 0;
      return reserves ? { kind: "reservation" } : { kind: "counting", budgetIds: ids.budgetIds };
    },
    async requireWithinCap(call) {
      const ids = await against(call);
      const refusal = ids && (await reserving({ ...call, ...ids }));
      if (refusal !== null) throw refusal;
    },
    isLimited({ workspaceId, apiKeyId, models = [] }) {
      const given = limits.rulesOf(workspaceId);
      if (!(given instanceof Promise) && given.length === 0) return false;
      return (async () => {
        const rules = await given;
        if (rules.length === 0) return false;
        const { ancestors } = apiKeyId === null ? noChain : await chainOfKey({ workspaceId, apiKeyId });
        return idsOf(rules, { apiKeyId, ancestors, models }).length > 0;
      })();
    },
    async giveBack({ workspaceId, apiKeyId, callId, hold, models = [] }) {
      const chain = apiKeyId === null ? noChain : (staleChain(apiKeyId) ?? noChain);
      await limits.giveBack(workspaceId, callId, { apiKeyId, ancestors: chain.ancestors, models });
      if (hold === 0n) return;
      await budgets.giveBack(workspaceId, callId);
      if (chain.capIds.length === 0) return;
      // A reservation we cannot give back now is dropped when it gets too old.
      await deleteUnbegunCall(database, callId).catch(() => undefined);
    },
  };
}

const idsOf = (rules: readonly LimitRule[], call: LimitedBy): readonly CallLimitId[] =>
  rules.filter((rule) => isLimitedBy(rule, call)).map(({ id }) => id);

// A key without a cap has spent what its usage rows say, and those of tokens made from it.
async function lookWithoutCap(tx: Queryable, key: KeyOfWorkspace, now: Date): Promise<KeyCap & KeySpending> {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const spentSince = async (since: Date) => (await spentBy(tx, { ...key, since })) + (await spentBelow(tx, key, since));
  const spentDay = await spentSince(new Date(Date.UTC(year, month, day)));
  const spentMonth = await spentSince(new Date(Date.UTC(year, month)));
  return { day: null, month: null, total: null, spentDay, spentMonth, spentTotal: 0n, held: 0n };
}

const noChain: CapChain = { capIds: [], ancestors: new Set() };
const noBudgets: CallBudgets = {
  of: () => [],
  reserve: async (_, calls) => calls.map(() => null),
  giveBack: async () => undefined,
};

const noLimits: CallLimiting = {
  rulesOf: () => [],
  judge: async (_, calls) => ({ verdicts: calls.map(() => null), write: async () => undefined }),
  giveBack: async () => undefined,
};

interface ChainedCall extends LimitedCall {
  readonly capIds: readonly KeyId[];
  readonly budgetIds: readonly BudgetId[];
  readonly limitIds: readonly CallLimitId[];
}

interface CappedJob extends CappedCall {
  readonly capIds: readonly KeyId[];
}

// Caps first, then limits, then budgets: one that lets a call in which another refuses would hold what no one uses. Nothing is
// written for caps and limits before budgets let a call in.
async function reserve(
  tx: Queryable,
  batch: readonly ChainedCall[],
  { budgets, limits }: { readonly budgets: CallBudgets; readonly limits: CallLimiting },
): Promise<(Fault | null)[]> {
  const caps = await judgeCaps(tx, batch);
  const refused = new Map<CallId, Fault>();
  const note = (calls: readonly ChainedCall[], verdicts: readonly (Fault | null)[]) => {
    for (const [index, verdict] of verdicts.entries()) {
      const call = calls[index];
      if (verdict !== null && call) refused.set(call.callId, verdict);
    }
  };
  const stillAsking = (ids: "limitIds" | "budgetIds") =>
    batch.filter((call) => !refused.has(call.callId) && call[ids].length > 0);
  note(batch, caps.verdicts);
  const limited = stillAsking("limitIds");
  const judged = limited.length === 0 ? null : await limits.judge(tx, limited);
  note(limited, judged?.verdicts ?? []);
  const counted = stillAsking("budgetIds");
  if (counted.length > 0) {
    const asking = counted.map(({ callId, hold, budgetIds, apiKeyId }) => ({
      ...{ callId, hold, budgetIds, isToken: caps.isTokenOf(apiKeyId) },
    }));
    note(counted, await budgets.reserve(tx, asking));
  }
  const begun = caps.letIn.filter(({ callId }) => !refused.has(callId));
  if (begun.length > 0) await insertCappedCalls(tx, begun);
  await judged?.write(tx, new Set(batch.flatMap(({ callId }) => (refused.has(callId) ? [] : [callId]))));
  return batch.map(({ callId }) => refused.get(callId) ?? null);
}

// All caps are locked at once in id order, so two processes cannot deadlock; within a cap, first come first served.
async function judgeCaps(tx: Queryable, batch: readonly ChainedCall[]) {
  const capIds = [...new Set(batch.flatMap((call) => call.capIds))];
  const caps: Awaited<ReturnType<typeof lockCaps>> = capIds.length === 0 ? new Map() : await lockCaps(tx, capIds);
  const spent: ReadonlyMap<KeyId, KeySpending> =
    caps.size === 0 ? new Map() : await addUpCaps(tx, [...caps.keys()], unbegunSeconds);
  const held = new Map([...spent].map(([id, spending]) => [id, spending.held]));
  const letIn: { callId: CallId; apiKeyId: KeyId; hold: bigint }[] = [];
  const verdicts = batch.map(({ capIds: own, callId, hold, apiKeyId }) => {
    const concerned = own.filter((id) => caps.has(id));
    for (const id of concerned) {
      const cap = caps.get(id) ?? noCap;
      const spending = { ...spendingOf(spent, id), held: held.get(id) ?? 0n };
      const refusal = refusalOf(cap, spending, hold);
      if (refusal !== null) return id === apiKeyId ? refusal : spentAbove(hold);
    }
    for (const id of concerned) {
      held.set(id, (held.get(id) ?? 0n) + hold);
      letIn.push({ callId, apiKeyId: id, hold });
    }
    return null;
  });
  const isTokenOf = (id: KeyId | null) => id !== null && (caps.get(id)?.isToken ?? false);
  return { verdicts, isTokenOf, letIn };
}

// The running time of a job whose nodes count by themselves. False if it counts against no budget.
async function reserveRun(
  { database, budgets }: { readonly database: Database; readonly budgets: CallBudgets },
  job: Parameters<KeyCaps["requireJobWithinBudgets"]>[0],
  { ancestors }: CapChain,
): Promise<boolean> {
  const { callId, hold, runningTime: counted, workspaceId, apiKeyId, labels } = job;
  const budgetIds = hold === 0n ? [] : await budgets.of(workspaceId, { apiKeyId, ancestors, labels });
  if (budgetIds.length === 0) return false;
  const reserved = { callId, hold, counted, budgetIds, isToken: ancestors.size > 0 };
  const [refusal] = await database.transaction((tx) => budgets.reserve(tx, [reserved]));
  if (refusal) throw refusal;
  return true;
}

async function reserveJob(tx: Queryable, job: CappedJob, runningTime: bigint): Promise<void> {
  const caps = await lockCaps(tx, job.capIds);
  const limited = [...caps].filter(([, cap]) => (cap.total ?? null) !== null || cap.isToken);
  if (limited.length === 0) return;
  const ids = limited.map(([id]) => id);
  const spent = await addUpCaps(tx, ids, unbegunSeconds);
  for (const [id, cap] of limited) {
    const refusal = refusalOf({ ...cap, day: null, month: null }, spendingOf(spent, id), job.hold);
    if (refusal !== null) throw id === job.apiKeyId ? refusal : spentAbove(job.hold);
  }
  const { callId } = job;
  await insertCappedCalls(
    tx,
    ids.map((apiKeyId) => ({ callId, apiKeyId, hold: runningTime })),
  );
}

const noCap = { day: null, month: null, total: null, isToken: false };
const nothingSpent: KeySpending = { spentDay: 0n, spentMonth: 0n, spentTotal: 0n, held: 0n };

const spendingOf = (spent: ReadonlyMap<KeyId, KeySpending>, id: KeyId): KeySpending => spent.get(id) ?? nothingSpent;

// Says nothing about the figures of an ancestor: a visitor with a token need not know them.
function spentAbove(hold: bigint): Fault {
  return new Fault(
    "insufficient_credits",
    `What this token was made from has too few credits left for this call, which may cost ${creditsText(hold)}.`,
    { details: { cap: "ancestor", hold: creditsText(hold) } },
  );
}

export function refusalOf(
  cap: KeyCap & { readonly isToken?: boolean },
  spending: KeySpending,
  hold: bigint,
): Fault | null {
  const { spentDay, spentMonth, spentTotal, held } = spending;
  for (const [name, most, spent] of [
    ["day", cap.day, spentDay],
    ["month", cap.month, spentMonth],
    ["total", cap.total ?? null, spentTotal],
  ] as const) {
    if (most === null || spent + held + hold <= most) continue;
    const left = most - spent - held;
    const figures = {
      most: creditsText(most),
      spent: creditsText(spent),
      held: creditsText(held),
      left: creditsText(left > 0n ? left : 0n),
      hold: creditsText(hold),
    };
    return new Fault(
      "insufficient_credits",
      `This ${cap.isToken ? "token" : "key"} may spend ${figures.most} credits ${name === "total" ? "in all" : `per ${name}`}. ${figures.spent} are spent, ${figures.held} are held by its open calls and ${figures.left} are left, but this call may cost ${figures.hold}.`,
      { details: { cap: name, ...figures } },
    );
  }
  return null;
}
