// Caps of single keys, in credits per day, per month and in all (decisions, section 1: the 402 names the cap). A key without a cap
// costs one lookup in memory.
// How exact it is: a call with a capped key reserves its hold before it begins. Reservations go one after another under the
// cap's row lock, across all processes. Open calls count as their holds, ended ones as what they were charged, so the cap is
// never exceeded; it may refuse a call while holds are larger than the final charges. Two edges: other processes see a new
// or changed cap when they hear of it over the bus, 5 seconds later at most, and calls that were open when a first cap was
// set count only through their earlier usage rows. A refund does not raise the key's remaining cap.
// Order: a retry under an idempotency key must be replayed even if the cap is reached; course/begin-paid-call.ts takes care
// of that.
import { type Forgetting, forgettingAlone } from "../../../foundation/bus/forgetting.ts";
import { type Clock, systemClock } from "../../../foundation/clock.ts";
import { type Database, type GroupCommit, groupCommit, type Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type KeyId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import { creditsText } from "../../prices/index.ts";
import type { CallId } from "../call/call-opening.ts";
import { spentBy } from "../usage/usage-store.ts";
import type { CreditsActing, CreditsAudit } from "./credits.ts";
import {
  addUpCap,
  capOf,
  deleteCap,
  deleteUnbegunCall,
  findTotals,
  insertCappedCalls,
  type KeyOfWorkspace,
  lockCap,
  putCap,
} from "./credits-caps-store.ts";
import type { KeyCap, KeySpending } from "./key-cap.ts";

export interface CappedCall extends KeyOfWorkspace {
  // The id the call will begin with.
  readonly callId: CallId;
  readonly hold: bigint;
}

export interface KeyCaps {
  // For a key without a cap: the sums of its usage rows, and no holds, because none count.
  look(key: KeyOfWorkspace): Promise<KeyCap & KeySpending>;
  // The key must belong to the workspace. Only nulls remove the cap.
  set(key: KeyOfWorkspace, cap: KeyCap, by: CreditsActing): Promise<void>;
  // What keys have spent in all, and may spend, by key. Keys without a cap are left out.
  totals(
    workspaceId: WorkspaceId,
    apiKeyIds: readonly KeyId[],
  ): Promise<ReadonlyMap<string, { readonly total: bigint | null; readonly spent: bigint }>>;
  // For a job that a call of the same id starts: throws insufficient_credits if the whole job could cost more than is left in
  // all. The part for its running time then counts until the call has ended; calls of its nodes count by themselves.
  requireJobWithinTotal(job: CappedCall & { readonly runningTime: bigint }): Promise<void>;
  // Throws insufficient_credits; the message names the cap.
  requireWithinCap(call: CappedCall): Promise<void>;
  // For a call that was allowed here and then did not begin (replayed, joined, refused). Never throws.
  giveBack(call: Pick<CappedCall, "apiKeyId" | "callId">): Promise<void>;
}

const rememberMs = 5_000;
const rememberedMax = 10_000;
// How long a reservation counts if its call never begins and it is not given back.
const unbegunSeconds = 300;

export function createKeyCaps(deps: {
  readonly database: Database;
  readonly audit: CreditsAudit;
  readonly clock?: Clock;
  readonly forgetting?: Forgetting;
}): KeyCaps {
  const { database, audit, clock = systemClock, forgetting = forgettingAlone } = deps;
  const remembered = new TtlCache<KeyId, boolean>({ clock, keepMs: rememberMs, entriesMax: rememberedMax });
  const forget = forgetting.share("caps of keys", (keyId) => remembered.delete(trustedId(keyId)));

  // Concurrent reservations share one transaction on one connection, so callers of a busy key do not queue for its row.
  const reserving: GroupCommit<CappedCall, Fault | null> = groupCommit({
    maxBatch: 128,
    inFlight: 1,
    run: (reserved) => database.transaction((tx) => reserve(tx, reserved)),
  });

  const hasCap = (key: KeyOfWorkspace) =>
    remembered.getOrLoad(key.apiKeyId, async () => (await capOf(database, key)) !== null);

  return {
    look: (key) =>
      database.transaction(async (tx) => {
        const cap = await lockCap(tx, key);
        if (cap !== null) return { ...cap, ...(await addUpCap(tx, key.apiKeyId, unbegunSeconds)) };
        const now = clock.now();
        const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
        const spentDay = await spentBy(tx, { ...key, since: new Date(Date.UTC(year, month, day)) });
        const spentMonth = await spentBy(tx, { ...key, since: new Date(Date.UTC(year, month)) });
        return { day: null, month: null, total: null, spentDay, spentMonth, spentTotal: 0n, held: 0n };
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
    async requireJobWithinTotal({ runningTime, ...job }) {
      if (!(await hasCap(job))) return;
      await database.transaction(async (tx) => {
        const cap = await lockCap(tx, job);
        if (cap === null || cap.total === null || cap.total === undefined) return;
        const spending = await addUpCap(tx, job.apiKeyId, unbegunSeconds);
        const refusal = refusalOf({ day: null, month: null, total: cap.total }, spending, job.hold);
        if (refusal !== null) throw refusal;
        await insertCappedCalls(tx, [{ ...job, hold: runningTime }]);
      });
    },
    async requireWithinCap(call) {
      if (call.hold === 0n || !(await hasCap(call))) return;
      const refusal = await reserving(call);
      if (refusal !== null) throw refusal;
    },
    async giveBack({ apiKeyId, callId }) {
      if (remembered.getStale(apiKeyId) !== true) return;
      // A reservation we cannot give back now is dropped when it gets too old.
      await deleteUnbegunCall(database, callId).catch(() => undefined);
    },
  };
}

// Keys in id order, so two processes cannot deadlock; within a key, first come first served.
async function reserve(tx: Queryable, batch: readonly CappedCall[]): Promise<(Fault | null)[]> {
  const refusals = new Map<CallId, Fault>();
  const letIn: CappedCall[] = [];
  const byKey = Map.groupBy(batch, (call) => call.apiKeyId);
  for (const [apiKeyId, ofKey] of [...byKey].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const [first] = ofKey;
    const cap = first ? await lockCap(tx, first) : null;
    if (cap === null) continue;
    const spending = await addUpCap(tx, apiKeyId, unbegunSeconds);
    let { held } = spending;
    for (const call of ofKey) {
      const refusal = refusalOf(cap, { ...spending, held }, call.hold);
      if (refusal !== null) refusals.set(call.callId, refusal);
      else {
        held += call.hold;
        letIn.push(call);
      }
    }
  }
  if (letIn.length > 0) await insertCappedCalls(tx, letIn);
  return batch.map((call) => refusals.get(call.callId) ?? null);
}

export function refusalOf(cap: KeyCap, spending: KeySpending, hold: bigint): Fault | null {
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
      `This key may spend ${figures.most} credits ${name === "total" ? "in all" : `per ${name}`}. ${figures.spent} are spent, ${figures.held} are held by its open calls and ${figures.left} are left, but this call may cost ${figures.hold}.`,
      { details: { cap: name, ...figures } },
    );
  }
  return null;
}
