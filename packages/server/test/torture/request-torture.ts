// Kills real servers and their PostgreSQL while queued model calls are submitted, run and cancelled, lets everything end,
// and judges: none lost, none run twice, none charged wrongly, and the end of each reported at least once.
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { bearer } from "../support/app-client.ts";
import { type HookReceiver, hookReceiver } from "../support/partner-app.ts";
import { inLanes } from "../support/router-calls.ts";
import { type SandboxReference, sha256Of } from "../support/sandbox-provider.ts";
import { until } from "../support/server-process.ts";
import { endDeliveryLeases } from "./partner-torture-store.ts";
import { type RequestClients, startRequestClients, type TorturedSubmission } from "./request-clients.ts";
import { listRequests, plant, type RequestPlant, type TorturedRequest } from "./request-torture-store.ts";
import { type RouterServer, type RouterWorld, routerWorld } from "./router-world.ts";
import { type Seeded, seeded } from "./seeded.ts";

export interface RequestTorture {
  readonly seed: number;
  readonly kills: number;
  readonly postgresKills: number;
  readonly servers: number;
  readonly lanes: number;
  readonly plant?: RequestPlant;
  say(line: string): void;
}

export interface RequestTortureReport {
  readonly violations: readonly string[];
  readonly troubles: readonly string[];
  readonly kills: number;
  readonly postgresKills: number;
  readonly keys: number;
  readonly requests: number;
  readonly succeeded: number;
  readonly cancelled: number;
  readonly failed: number;
  // Begun more than once, because the process that began it died before sending.
  readonly begunAgain: number;
  readonly runs: number;
  readonly hooks: number;
  readonly seconds: number;
  // Seconds from the last kill until every request had ended, and how many were open when it came.
  readonly settledSeconds: number;
  readonly openAtLast: number;
}

// What a killed process left behind is settled within three minutes of the last kill, if the provider can be asked.
const settledSecondsMax = 180;

// Few, so that something is always waiting.
const concurrency = 8;

export async function tortureRequests(options: RequestTorture): Promise<RequestTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const receiver = await hookReceiver();
  const env = { ATELIER_WEBHOOK_TARGETS: receiver.target, ATELIER_ENGINE_SLOTS: "0" };
  const world = await routerWorld(env, { ownPostgres: options.postgresKills > 0, concurrency });
  const alive: RouterServer[] = [];
  const clients = startRequestClients({
    lanes: options.lanes,
    random: random.stream("clients"),
    apiKey: world.key,
    webhookUrl: receiver.url,
    servers: () => alive,
  });
  const plantNow = async (...names: RequestPlant[]) => {
    if (options.plant !== undefined && names.includes(options.plant)) await plant(world.database, options.plant);
  };
  try {
    await plantNow("lost-notice");
    // An error that stops the strikes is reported with the rest: the judge still runs.
    const stopped = await strike(options, world, alive, random).then(
      () => [],
      (error: unknown) => [`the strikes ended early: ${error}`],
    );
    await clients.stop();
    const last = alive[0] ?? (await until("a server starts", () => world.start().catch(() => null), 180));
    await plantNow("lost-request", "free-ride");
    const settling = await settle(world, options);
    const troubles = [...stopped, ...clients.troubles, ...settling.troubles];
    const verdict = await judge({ world, last, clients, receiver });
    const seconds = (performance.now() - startedMs) / 1000;
    const { kills, postgresKills } = options;
    const { settledSeconds, openAtLast } = settling;
    return { ...verdict, troubles, kills, postgresKills, seconds, settledSeconds, openAtLast };
  } finally {
    await clients.stop();
    await world.close();
    await receiver.close();
  }
}

// Servers one after another in each lane; the database in between.
async function strike(
  options: RequestTorture,
  world: RouterWorld,
  alive: RouterServer[],
  random: Seeded,
): Promise<void> {
  let kills = 0;
  const isDone = () => kills >= options.kills;
  const executioner = async (own: Seeded) => {
    while (!isDone()) {
      // Fails while the database is away.
      const server = await world.start().catch(() => null);
      if (server === null) continue;
      alive.push(server);
      await systemClock.sleep(own.between(300, 2_500));
      if (isDone()) return;
      kills += 1;
      alive.splice(alive.indexOf(server), 1);
      await server.kill();
      if (options.plant === "double-claim") await plant(world.database, options.plant);
      if (kills % 10 === 0) options.say(`${kills} kills`);
    }
  };
  const postgres = async (own: Seeded) => {
    for (let killed = 0; killed < options.postgresKills && !isDone(); killed++) {
      await systemClock.sleep(own.between(1_000, 4_000));
      await world.killPostgres();
      options.say("PostgreSQL was killed");
    }
  };
  await Promise.all([
    postgres(random.stream("postgres")),
    ...Array.from({ length: options.servers }, (_, index) => executioner(random.stream(`executioner ${index}`))),
  ]);
}

// Waits until every request has completed and every notice has left. Calls that a dead process began are asked for by
// their reference; calls that were never sent run then. Nothing is cut short here, because the duration is what we
// measure.
async function settle({ database }: RouterWorld, options: RequestTorture) {
  const startedMs = performance.now();
  const openAtLast = (await listRequests(database)).filter(({ state }) => state !== "completed").length;
  let settledSeconds = Number.NaN;
  const isSettled = async () => {
    const requests = await listRequests(database);
    if (!requests.every(({ state }) => state === "completed")) return false;
    if (Number.isNaN(settledSeconds)) settledSeconds = (performance.now() - startedMs) / 1000;
    await endDeliveryLeases(database);
    return requests.every(({ delivered }) => delivered > 0);
  };
  const patience = options.plant === undefined ? 300 : 45;
  const troubles: string[] = await until("every request has ended and was told", isSettled, patience).then(
    () => [],
    (error: unknown) => [String(error)],
  );
  if (settledSeconds > settledSecondsMax)
    troubles.push(`settled ${Math.round(settledSeconds)} s after the last kill, later than ${settledSecondsMax} s`);
  return { troubles, settledSeconds, openAtLast };
}

interface Trial {
  readonly world: RouterWorld;
  readonly last: RouterServer;
  readonly clients: RequestClients;
  readonly receiver: HookReceiver;
}

async function judge({ world, last, clients, receiver }: Trial) {
  const { database, provider } = world;
  const violations: string[] = [];
  for (const { name, statement } of allInvariants) {
    const broken = await database.query(statement);
    if (broken.length > 0) violations.push(`${name}: ${broken.length} rows`);
  }
  const requests = new Map((await listRequests(database)).map((request) => [request.id, request]));
  const seen = new Map<string, SandboxReference | null>();
  await inLanes(16, [...requests.keys()], async (id) => void seen.set(id, await provider.reference(id)));
  const notified = new Set(receiver.hooks.map(({ value }) => String(value["request_id"])));
  for (const request of requests.values())
    violations.push(...faultsOf(request, seen.get(request.id) ?? null, notified.has(request.id)));
  for (const submission of clients.submissions) violations.push(...faultsOfKey(submission, requests));
  await inLanes(16, clients.submissions, async ({ model, ids }) => {
    const [id] = ids;
    const answer = seen.get(id ?? "")?.response_sha256;
    if (id === undefined || requests.get(id)?.errorType !== null || !answer) return;
    const result = await last.client.call({ path: `/v1/models/${model}/requests/${id}`, headers: bearer(world.key) });
    if (result.status !== 200 || sha256Of(result.bytes) !== answer)
      violations.push(`${id} gives bytes that are not the provider's (${result.status})`);
  });
  const runs = [...seen.values()].reduce((sum, one) => sum + (one?.runs ?? 0), 0);
  const counted = await provider.runs();
  if (counted !== runs) violations.push(`the sandbox ran ${counted} times, the requests explain ${runs}`);
  const ended = [...requests.values()];
  return {
    violations,
    keys: clients.submissions.length,
    requests: ended.length,
    succeeded: ended.filter(({ state, errorType }) => state === "completed" && errorType === null).length,
    cancelled: ended.filter(({ errorType }) => errorType === "cancelled").length,
    failed: ended.filter(({ errorType }) => errorType !== null && errorType !== "cancelled").length,
    begunAgain: ended.filter(({ attempts }) => attempts > 1).length,
    runs,
    hooks: receiver.hooks.length,
  };
}

export function faultsOf(request: TorturedRequest, seen: SandboxReference | null, isNotified: boolean): string[] {
  const faults: string[] = [];
  const say = (what: string) => void faults.push(`${request.id} ${what}`);
  const isDone = request.state === "completed" && request.errorType === null;
  if (request.state !== "completed") say(`never ended: ${request.state}, its call ${request.callState}`);
  else if (!isNotified) say("was never told to its webhook");
  if ((seen?.runs ?? 0) > 1) say(`ran ${seen?.runs} times`);
  if (isDone && seen?.status !== "SUCCEEDED") say("succeeded and never ran");
  if (request.errorType === "cancelled" && seen !== null) say("was cancelled and ran");
  if (request.settleLines > 1) say("was charged twice");
  if (request.settleSum > request.hold) say("was charged beyond its hold");
  if (request.settleSum !== request.creditsUsed) say("says another charge than the journal");
  if (isDone && request.hold > 0n && request.settleSum === 0n) say("succeeded and was not charged");
  if (!isDone && request.settleSum > 0n) say("was charged for nothing");
  return faults;
}

export function faultsOfKey(
  { key, ids, isCancelled }: TorturedSubmission,
  requests: ReadonlyMap<string, TorturedRequest>,
): string[] {
  const faults: string[] = [];
  // A key whose request failed before the provider took it may be used again, which makes another request.
  const lasting = [...ids].filter((id) => {
    const errorType = requests.get(id)?.errorType;
    return errorType === null || errorType === undefined || errorType === "cancelled";
  });
  if (lasting.length > 1) faults.push(`the key ${key} was told ${lasting.length} requests`);
  for (const id of ids) if (!requests.has(id)) faults.push(`the request ${id} of the key ${key} is lost`);
  const [id = ""] = ids;
  if (isCancelled && requests.get(id)?.errorType !== "cancelled") faults.push(`${id} was cancelled and is not`);
  return faults;
}
