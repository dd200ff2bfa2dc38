// The complete begin + finish pair: key, hold, slot, intent; settlement, recorded answer, usage. With PostgreSQL on the same
// cores, as on the smallest installation. For comparison the same calls one by one, each in its own batch.
import type { CallEnding, CallOpening, OwnerId } from "../packages/server/src/capabilities/calls/call/call-opening.ts";
import { type Calls, callPlannerSettings, createCalls } from "../packages/server/src/capabilities/calls/index.ts";
import { beginCalls } from "../packages/server/src/capabilities/calls/rounds/begin-store.ts";
import { finishCalls } from "../packages/server/src/capabilities/calls/rounds/finish-store.ts";
import { fundWallet } from "../packages/server/src/capabilities/calls/shared-sql.ts";
import { inProcessBus } from "../packages/server/src/foundation/bus/bus.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import type { Database } from "../packages/server/src/foundation/database/index.ts";
import { newId, type WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { addWorkspaces, countCalls, growCalls } from "./calls-store.ts";
import { migrateWhole, openUntil, postgresIn } from "./database.ts";
import { atLeast, atMost, type Finding, reportWith } from "./finding.ts";
import { watchCpu } from "./foreign-cpu.ts";
import { tempFolder } from "./processes.ts";
import { crowd } from "./timing.ts";

const callers = 64;
const fingerprint = Buffer.alloc(32, 1);
const answer = { status: 200, headers: { "content-type": "application/json" }, body: Buffer.alloc(2000, 120) };

export const opening = (workspaceId: WorkspaceId, id = newId<"call">()): CallOpening => ({
  id,
  workspaceId,
  subject: "model:bench/model",
  idempotencyKey: id,
  fingerprint,
  isValid: true,
  hold: 5_000n,
  priceRecordId: null,
  takesSlot: true,
  isCostly: false,
  slotsMax: 1_000_000,
  costlySlotsMax: 1_000_000,
  recovery: "ask",
  longestRunSeconds: 600,
});

export const ending = (call: CallEnding["call"]): CallEnding => ({
  call,
  state: "finished",
  outcome: "succeeded",
  charge: 4_000n,
  answer,
  usage: {
    requestId: newId(),
    apiKeyId: newId(),
    subject: "model:bench/model",
    status: 200,
    totalMs: 12,
    providerMs: 10,
  },
});

// Without blobs: no answer here is large enough for one.
export async function startCalls(database: Database): Promise<Calls> {
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  return calls;
}

type Pair = (workspaceId: WorkspaceId) => Promise<void>;

async function load(pair: Pair, workspaces: readonly WorkspaceId[], seconds: number) {
  const took = await crowd(callers, seconds, (index) =>
    pair(workspaces[index % workspaces.length] ?? newId<"workspace">()),
  );
  return { perSecond: took.length / seconds, p99Ms: took[Math.floor(took.length * 0.99)] ?? 0 };
}

export async function benchCalls(rounds: number, stored: readonly number[]): Promise<Finding[]> {
  await using ends = new AsyncDisposableStack();
  const home = ends.use(tempFolder("calls")).path;
  const server = await postgresIn(home, ends);
  const { connection } = server;
  await migrateWhole(connection);
  const database = openUntil(ends, { connection, poolSize: 8, settings: callPlannerSettings });
  return await measure(database, rounds, stored);
}

async function measure(database: Database, rounds: number, stored: readonly number[]): Promise<Finding[]> {
  const workspaces = Array.from({ length: 100 }, () => newId<"workspace">());
  await addWorkspaces(database, workspaces);
  for (const workspaceId of workspaces) {
    await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1_000_000_000_000n });
  }
  const calls = await startCalls(database);
  const batched: Pair = async (workspaceId) => {
    const begun = await calls.begin(opening(workspaceId));
    if (begun.kind !== "begun") throw new Error(`a call did not begin: ${begun.kind}`);
    if (!(await calls.finish(ending(begun.call)))) throw new Error("a call was lost");
  };
  const single: Pair = (workspaceId) => oneByOne(database, calls.ownerId, workspaceId);
  const hot = workspaces.slice(0, 1);
  await load(batched, hot, 1);
  const series = { hot: [] as number[], many: [] as number[], single: [] as number[], p99: [] as number[] };
  const cpu = watchCpu();
  for (let round = 0; round < rounds; round++) {
    const one = await load(batched, hot, 3);
    series.hot.push(one.perSecond);
    series.p99.push(one.p99Ms);
    series.many.push((await load(batched, workspaces, 3)).perSecond);
    series.single.push((await load(single, hot, 2)).perSecond);
  }
  const { medianOf } = reportWith(cpu.foreignShare());
  const findings = [
    medianOf("calls, one hot workspace: begin + finish", series.hot, "calls/s", atLeast(4000)),
    medianOf("calls, 100 workspaces: begin + finish", series.many, "calls/s", atLeast(4000)),
    medianOf("calls, one hot workspace: p99 at 64 callers", series.p99, "ms", atMost(15)),
    medianOf("calls, one hot workspace, one by one", series.single, "calls/s"),
  ];
  for (const count of stored) {
    await growCalls(database, workspaces, count);
    await load(batched, workspaces, 1);
    const rate = (await load(batched, workspaces, 3)).perSecond;
    const rows = await countCalls(database);
    findings.push(medianOf(`calls, 100 workspaces, ${rows.toLocaleString("en")} stored`, [rate], "calls/s"));
  }
  await calls.close();
  return findings;
}

async function oneByOne(database: Database, ownerId: OwnerId, workspaceId: WorkspaceId): Promise<void> {
  const request = opening(workspaceId);
  const [verdict] = await beginCalls(database, [request], ownerId);
  if (verdict?.kind !== "begun") throw new Error(`a call did not begin: ${verdict?.kind}`);
  await finishCalls(database, [ending({ id: request.id, workspaceId, fence: 1 })]);
}
