// Budgets as people set and see them, and as calls count against them. Without budgets, a call pays for one look-up in memory.
// With some, the statement that begins it compares and counts its hold (rounds/begin-counted-store.ts) if that is clearly within all
// of them. Otherwise, and for calls that reserve anything else, it reserves in the same transaction as for keys with a cap. Both hold
// the budgets' locks, so a budget that stops calls is never exceeded, over all processes. The others hear of a new or changed
// budget over the bus, within 5 seconds.
// What ended is added up by the next reservation, and every two seconds. Alerts are rows of the transaction that adds up. A background round hands on each of them in one transaction, so a kill neither loses
// nor repeats one.
import type { Background } from "../../../foundation/background.ts";
import { type Forgetting, forgettingAlone } from "../../../foundation/bus/forgetting.ts";
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import type { Acting, ChangeAudit } from "../../../foundation/database/acting.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { CallId } from "../call/call-opening.ts";
import {
  type Budget,
  type BudgetAlert,
  type BudgetId,
  type BudgetRule,
  budgetRefusal,
  type CountedCall,
  countsAgainst,
  type NamedBudget,
  reached,
  thresholds,
  type WaitingAlert,
} from "./budget.ts";
import {
  countBudgets,
  deleteBudget,
  deleteUnbegun,
  insertAlerts,
  insertCountedCalls,
  listAlerts,
  listIds,
  listRules,
  listUncounted,
  lockBudgets,
  markHandedOn,
  putBudget,
  takeWaitingAlerts,
} from "./budget-store.ts";

export interface ReservedCall {
  readonly callId: CallId;
  readonly hold: bigint;
  // What counts while it is open, if that is less than what must be left: the running time of a job, whose nodes count themselves.
  readonly counted?: bigint;
  readonly budgetIds: readonly BudgetId[];
  readonly isToken: boolean;
}

// What the reservation of a call needs.
export interface CallBudgets {
  // The budgets that the call counts against.
  of(workspaceId: WorkspaceId, call: CountedCall): readonly BudgetId[] | Promise<readonly BudgetId[]>;
  // In the caller's transaction, after its caps. A verdict for each call, in the same order.
  reserve(tx: Queryable, calls: readonly ReservedCall[]): Promise<(Fault | null)[]>;
  // For a call that then did not begin. Never throws.
  giveBack(workspaceId: WorkspaceId, callId: CallId): Promise<void>;
}

export interface SeenBudget extends Budget {
  // Newest first.
  readonly alerts: readonly BudgetAlert[];
}

type AlertAddress = { readonly workspaceId: WorkspaceId; readonly url: string };

// Where alerts go.
export interface BudgetNotices {
  // In the transaction that marks them as handed on. Returns where they go.
  enqueue(tx: Queryable, alerts: readonly WaitingAlert[]): Promise<readonly AlertAddress[]>;
  // After its commit.
  wake(addresses: readonly AlertAddress[]): void;
}

export interface Budgets extends CallBudgets {
  list(workspaceId: WorkspaceId): Promise<readonly Budget[]>;
  // Throws not_found.
  get(named: NamedBudget): Promise<SeenBudget>;
  put(named: NamedBudget, rule: BudgetRule, by: Acting): Promise<{ budget: SeenBudget; isNew: boolean }>;
  // Throws not_found.
  remove(named: NamedBudget, by: Acting): Promise<void>;
  // Adds up what ended without a new call noticing it, and hands alerts on.
  round(notices: BudgetNotices): Promise<void>;
  run(notices: BudgetNotices, background: Background, signal: AbortSignal): Promise<void>;
}

export const budgetsMax = 100;
const alertsShown = 20;
const rememberMs = 5_000;
const rememberedMax = 10_000;
// How long a reservation counts if its call never begins and it is not given back.
const unbegunSeconds = 300;
const everyMs = 2_000;
const roundMax = 200;
const none: readonly BudgetId[] = [];

export interface BudgetsDeps {
  readonly database: Database;
  readonly audit: ChangeAudit;
  readonly clock?: Clock;
  readonly forgetting?: Forgetting;
}

export function createBudgets(deps: BudgetsDeps): Budgets {
  const { database, audit, clock = systemClock, forgetting = forgettingAlone } = deps;
  const remembered = new TtlCache<WorkspaceId, Awaited<ReturnType<typeof listRules>>>({
    ...{ clock, keepMs: rememberMs, entriesMax: rememberedMax },
  });
  const forget = forgetting.share("budgets", (workspaceId) => remembered.delete(trustedId(workspaceId)));

  async function get(named: NamedBudget): Promise<SeenBudget> {
    const [id] = await listIds(database, named.workspaceId, named.name);
    const [budget] = id === undefined ? [] : await addUp(database, [id]);
    if (!budget) throw new Fault("not_found", "There is no such budget.");
    return { ...budget, alerts: await listAlerts(database, budget.id, alertsShown) };
  }

  async function note(tx: Queryable, action: string, named: NamedBudget, id: string, by: Acting, after: unknown) {
    const { workspaceId } = named;
    await audit.append(tx, { ...by, action, subject: { kind: "budget", id }, workspaceId, after });
  }

  return {
    of(workspaceId, call) {
      const matching = (rules: readonly (Pick<BudgetRule, "scope" | "subject"> & { id: BudgetId })[]) =>
        rules.length === 0 ? none : rules.filter((rule) => countsAgainst(rule, call)).map(({ id }) => id);
      const rules = remembered.getOrLoad(workspaceId, () => listRules(database, workspaceId));
      return rules instanceof Promise ? rules.then(matching) : matching(rules);
    },
    reserve,
    async giveBack(workspaceId, callId) {
      if ((remembered.getStale(workspaceId)?.length ?? 0) === 0) return;
      // A reservation we cannot give back now is dropped when it gets too old.
      await deleteUnbegun(database, callId).catch(() => undefined);
    },
    async list(workspaceId) {
      const budgets = await addUp(database, await listIds(database, workspaceId));
      return budgets.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    get,
    async put(named, rule, by) {
      const isNew = await database.transaction(async (tx) => {
        const made = await putBudget(tx, named, rule);
        if ((await countBudgets(tx, named.workspaceId)) > budgetsMax)
          throw new Fault("conflict", `A workspace has at most ${budgetsMax} budgets. Delete one first.`);
        await note(tx, "budget.put", named, made.id, by, { name: named.name, ...rule, amount: String(rule.amount) });
        return made.isNew;
      });
      await forget(named.workspaceId);
      return { budget: await get(named), isNew };
    },
    async remove(named, by) {
      await database.transaction(async (tx) => {
        const id = orNotFound(await deleteBudget(tx, named), "There is no such budget.");
        await note(tx, "budget.delete", named, id, by, { name: named.name });
      });
      await forget(named.workspaceId);
    },
    round: (notices) => round(database, notices),
    run: (notices, background, signal) =>
      background.run(
        { name: "calls: budgets", role: "background", everyMs, round: () => round(database, notices) },
        signal,
      ),
  };
}

async function round(database: Database, notices: BudgetNotices): Promise<void> {
  for (let after: BudgetId | null = null; ; ) {
    const uncounted: readonly BudgetId[] = await listUncounted(database, after, roundMax);
    if (uncounted.length > 0) await addUp(database, uncounted);
    after = uncounted.at(-1) ?? null;
    if (uncounted.length < roundMax) break;
  }
  for (;;) {
    const { count, told } = await handOn(database, notices);
    if (count > 0) notices.wake(told);
    if (count < roundMax) return;
  }
}

// The budgets as they are now, with their alerts written.
function addUp(database: Database, ids: readonly BudgetId[]): Promise<Budget[]> {
  return database.transaction(async (tx) => {
    const budgets = [...(await lockBudgets(tx, ids, unbegunSeconds)).values()];
    await raiseAlerts(tx, budgets, new Set());
    return budgets;
  });
}

// Within a budget, first come first served.
async function reserve(tx: Queryable, calls: readonly ReservedCall[]): Promise<(Fault | null)[]> {
  const budgets = await lockBudgets(tx, [...new Set(calls.flatMap(({ budgetIds }) => budgetIds))], unbegunSeconds);
  const letIn: { callId: CallId; budgetId: BudgetId; hold: bigint }[] = [];
  const stopped = new Set<BudgetId>();
  const verdicts = calls.map(({ callId, hold, counted = hold, budgetIds, isToken }) => {
    const concerned = budgetIds.flatMap((id) => budgets.get(id) ?? []);
    for (const budget of concerned) {
      const refusal = budgetRefusal(budget, hold, isToken);
      if (refusal === null) continue;
      stopped.add(budget.id);
      return refusal;
    }
    for (const budget of concerned) {
      budgets.set(budget.id, { ...budget, held: budget.held + counted });
      letIn.push({ callId, budgetId: budget.id, hold: counted });
    }
    return null;
  });
  if (letIn.length > 0) await insertCountedCalls(tx, letIn);
  await raiseAlerts(tx, [...budgets.values()], stopped);
  return verdicts;
}

// Each threshold once in a period. A budget that refused a call counts as used up, even if a smaller call would still fit.
async function raiseAlerts(tx: Queryable, budgets: readonly Budget[], stopped: ReadonlySet<BudgetId>): Promise<void> {
  const alerts = budgets.flatMap((budget) => {
    const now = stopped.has(budget.id) ? 100 : reached(budget, budget);
    const { periodStart, amount, spent, held } = budget;
    return thresholds
      .filter((threshold) => threshold > budget.alerted && threshold <= now)
      .map((threshold, index) => {
        const sequence = budget.alertCount + index + 1;
        return { budget, sequence, threshold, periodStart, amount, spent, held };
      });
  });
  if (alerts.length > 0) await insertAlerts(tx, alerts);
}

function handOn(
  database: Database,
  notices: BudgetNotices,
): Promise<{ readonly count: number; readonly told: readonly AlertAddress[] }> {
  return database.transaction(async (tx) => {
    const alerts = await takeWaitingAlerts(tx, roundMax);
    if (alerts.length === 0) return { count: 0, told: [] };
    const told = await notices.enqueue(tx, alerts);
    await markHandedOn(
      tx,
      alerts.map(({ id }) => id),
    );
    return { count: alerts.length, told };
  });
}
