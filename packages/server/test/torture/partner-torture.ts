// Kills a real server over and over while callers start tasks at a partner that outlives it, and then judges: each key is
// one run at the partner, each completed run is charged once, each change was reported without a gap, and the books
// balance. A call that was killed before its submission arrived waits out the quarantine and keeps its hold.
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spawnSandbox } from "@atelier/sandbox";
import { request } from "undici";
import { sandboxPartnerLocations } from "../../src/capabilities/partners/index.ts";
import { shippedPartner } from "../../src/capabilities/partners/shipped-partners.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { allInvariants } from "../../src/processes/invariants.ts";
import { openClient } from "../support/app-client.ts";
import { freePort } from "../support/free-port.ts";
import { type HookReceiver, hookReceiver, pixel, relightPath } from "../support/partner-app.ts";
import { type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { type TestDatabase, testDatabase } from "../support/test-database.ts";
import { endDeliveryLeases, listTortured, type TorturedTask } from "./partner-torture-store.ts";
import { seeded } from "./seeded.ts";

export interface PartnerTortureOptions {
  readonly seed: number;
  readonly kills: number;
  readonly lanes: number;
  // Whether the judge waits until the leases of killed senders expire.
  readonly waitForLeases: boolean;
  readonly say?: (line: string) => void;
}

export interface PartnerTortureReport {
  readonly violations: readonly string[];
  readonly kills: number;
  readonly keys: number;
  readonly tasks: number;
  readonly completed: number;
  readonly quarantined: number;
  readonly hooks: number;
}

export async function torturePartners(options: PartnerTortureOptions): Promise<PartnerTortureReport> {
  const home = await mkdtemp(join(tmpdir(), "atelier-partner-torture-"));
  const database = await testDatabase();
  const receiver = await hookReceiver();
  const credential = randomBytes(12).toString("hex");
  const partners = { "partner-a": { key: "key-a", callbackSecret: "secret-a" } };
  const sandbox = await spawnSandbox({
    credential,
    partners,
    pace: { createdSeconds: 0.2, toolSeconds: 0.3 },
  });
  const key = `service-${randomBytes(24).toString("hex")}`;
  try {
    const { partnerA: partner } = sandboxPartnerLocations(sandbox.url, {
      kind: "bearer",
      setting: "ATELIER_PROVIDER_SANDBOX_KEY",
    });
    const file = join(home, "partner-a.json");
    await writeFile(file, JSON.stringify({ ...(await shippedPartner("partner-a", partner, "further")), poll: poll }));
    const env = {
      DATABASE_URL: database.url,
      ATELIER_PORT: String(await freePort()),
      ATELIER_CONTENT_PORT: "0",
      ATELIER_BOOTSTRAP_KEY: key,
      ATELIER_BOOTSTRAP_CREDITS: "1000000",
      ATELIER_CALL_LEASE_SECONDS: "3",
      ATELIER_ENGINE_SLOTS: "0",
      ATELIER_LOG_LEVEL: "warn",
      ATELIER_WEBHOOK_TARGETS: receiver.target,
      ATELIER_PARTNERS: file,
      ATELIER_PROVIDER_PARTNER_A_KEY: "key-a",
      ATELIER_PROVIDER_PARTNER_A_SECRET: "secret-a",
      ATELIER_PROVIDER_SANDBOX_KEY: credential,
    };
    const keys = await strike(options, { home, env, key, receiver });
    if (!options.waitForLeases) await endDeliveryLeases(database);
    const seen = (id: string) => referenceOf(sandbox.url, credential, id);
    return await judge({ home, env, database, receiver, keys, kills: options.kills, seen, say: options.say });
  } finally {
    await sandbox.close();
    await receiver.close();
    await database.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

const poll = { interval_ms: 300, interval_ms_max: 1_000, timeout_ms: 2_000, at_once: 16 };

interface World {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly key: string;
  readonly receiver: HookReceiver;
}

// Callers carry on through every kill; each lane repeats a key a few times until it gets an answer.
async function strike(options: PartnerTortureOptions, world: World): Promise<Map<string, string | null>> {
  const random = seeded(options.seed);
  const keys = new Map<string, string | null>();
  const tries = new Map<string, number>();
  for (let kill = 1; kill <= options.kills; kill++) {
    const server = await startServerProcess({ home: world.home, env: world.env });
    const ended = new AbortController();
    const lanes = Array.from({ length: options.lanes }, () => lane(server, world, { keys, tries }, ended.signal));
    await systemClock.sleep(100 + random.next() * 1_500);
    // On a busy machine there may be no answer yet, and then there would be nothing to judge.
    if (kill === options.kills) await until("a task was taken", () => [...keys.values()].some((task) => task !== null));
    await server.kill("SIGKILL");
    ended.abort();
    await Promise.all(lanes);
    options.say?.(`kill ${kill}: ${keys.size} keys`);
  }
  return keys;
}

async function lane(
  server: ServerProcess,
  world: World,
  { keys, tries }: { readonly keys: Map<string, string | null>; readonly tries: Map<string, number> },
  signal: AbortSignal,
): Promise<void> {
  const client = openClient(server.baseUrl, 1);
  // A call that was killed before it arrived answers no one during the quarantine, so each key is tried twice at most.
  const open = [...keys].flatMap(([key, task]) => (task === null && (tries.get(key) ?? 0) < 2 ? [key] : []));
  while (!signal.aborted) {
    const key = open.shift() ?? randomUUID();
    if (!keys.has(key)) keys.set(key, null);
    tries.set(key, (tries.get(key) ?? 0) + 1);
    const answer = await client
      .call({
        method: "POST",
        ...workOf(key, world),
        headers: { authorization: `Bearer ${world.key}`, "idempotency-key": key },
      })
      .catch(() => null);
    const found = answer?.status === 200 ? /"task_id":"([^"]+)"/.exec(answer.text)?.[1] : undefined;
    if (found !== undefined) keys.set(key, found);
    else if (answer?.status === 429) await systemClock.sleep(50, signal);
  }
  await client.close().catch(() => undefined);
}

// A key means one request, whatever dies between its tries.
function workOf(key: string, { receiver }: World): { readonly path: string; readonly body: object } {
  const body = { image: pixel, webhook_url: receiver.url };
  const tool = Number.parseInt(key.slice(0, 1), 16) % 4;
  if (tool === 0) return { path: "/proxy/partner-a/v1/ai/image-upscaler", body: { ...body, scale_factor: "4x" } };
  if (tool === 1)
    return { path: "/proxy/partner-a/v1/ai/image-style-transfer", body: { ...body, reference_image: pixel } };
  return { path: relightPath, body };
}

interface Trial {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  readonly database: TestDatabase;
  readonly receiver: HookReceiver;
  readonly keys: ReadonlyMap<string, string | null>;
  readonly kills: number;
  readonly say: PartnerTortureOptions["say"];
  seen(id: string): Promise<{ runs: number } | null>;
}

async function judge(trial: Trial): Promise<PartnerTortureReport> {
  const server = await startServerProcess({ home: trial.home, env: trial.env });
  try {
    // Every task ends, every notice leaves; calls that never arrived stay in quarantine.
    const rows = await until("everything that can end has ended", async () => {
      const found = await listTortured(trial.database);
      const open = found.filter(({ taskState, callState }) => callState === "open" && taskState !== null);
      const arrived = await Promise.all(
        found
          .filter(({ taskState, callState }) => callState === "open" && taskState === null)
          .map(({ id }) => trial.seen(id)),
      );
      const isDelivered = found.every((row) => row.delivered === (row.sequence ?? 0));
      return open.length === 0 && arrived.every((one) => one === null) && isDelivered ? found : null;
    });
    return await verdict(trial, rows);
  } finally {
    await server.kill("SIGKILL");
  }
}

async function verdict(trial: Trial, rows: readonly TorturedTask[]): Promise<PartnerTortureReport> {
  const violations: string[] = [];
  for (const { name, statement } of allInvariants) {
    const broken = await trial.database.query(statement);
    if (broken.length > 0) violations.push(`${name}: ${broken.length} rows`);
  }
  const byKey = Map.groupBy(
    rows.filter(({ taskState }) => taskState !== null),
    ({ idempotencyKey }) => idempotencyKey,
  );
  for (const [key, tasks] of byKey) if (tasks.length > 1) violations.push(`${key} has ${tasks.length} tasks`);
  for (const [key, task] of trial.keys) {
    if (task !== null && !rows.some(({ id }) => id === task)) violations.push(`the answer of ${key} names no task`);
  }
  for (const row of rows) violations.push(...(await faultsOf(trial, row)));
  const completed = rows.filter(({ taskState }) => taskState === "completed");
  return {
    violations,
    kills: trial.kills,
    keys: trial.keys.size,
    tasks: rows.filter(({ taskState }) => taskState !== null).length,
    completed: completed.length,
    quarantined: rows.filter(({ callState }) => callState === "open").length,
    hooks: trial.receiver.hooks.length,
  };
}

async function faultsOf(trial: Trial, row: TorturedTask): Promise<string[]> {
  const faults: string[] = [];
  const seen = await trial.seen(row.id);
  if (seen && seen.runs > 1) faults.push(`${row.id} ran ${seen.runs} times`);
  if (row.taskState === "completed" && row.settled !== row.hold) faults.push(`${row.id} completed and was not charged`);
  if (row.taskState !== "completed" && (row.settled ?? 0n) > 0n) faults.push(`${row.id} was charged for nothing`);
  const numbers = trial.receiver.hooks
    .filter(({ value }) => value["task_id"] === row.id)
    .map(({ value }) => Number(value["sequence"]));
  for (let number = 1; number <= (row.sequence ?? 0); number++)
    if (!numbers.includes(number)) faults.push(`change ${number} of ${row.id} never arrived`);
  return faults;
}

async function referenceOf(url: string, credential: string, id: string): Promise<{ runs: number } | null> {
  const answer = await request(`${url}/v1/references/${id}`, { headers: { authorization: `Bearer ${credential}` } });
  const value = (await answer.body.json()) as { runs?: number };
  return answer.statusCode === 200 ? { runs: Number(value.runs) } : null;
}
