// Many machines on one: gateways behind haproxy, workers, a pair of PostgreSQL servers, an S3 store and NATS, each a
// separate process that can be killed. Gateways and workers have their own homes and share nothing on disk.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { newRingText } from "../../src/capabilities/secrets/index.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { type Database, migrate, openDatabase } from "../../src/foundation/database/index.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { type AppCall, openClient } from "../support/app-client.ts";
import { freePort } from "../support/free-port.ts";
import { invokeOn } from "../support/router-calls.ts";
import { type SandboxProvider, sandboxProvider } from "../support/sandbox-provider.ts";
import { collectOutput, runAtelier, type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { migrationsDirectory } from "../support/test-database.ts";
import { hasNats, testNats } from "../support/test-nats-server.ts";
import { hasPostgresPair, postgresPair } from "../support/test-postgres-pair.ts";
import { hasVersitygw, testVersitygw } from "../support/test-versitygw.ts";
import { Balancer, hasHaproxy } from "./fleet-balancer.ts";
import { prepareWorkspace, type RouterServer } from "./router-world.ts";

// What this machine lacks for it, and how to get it.
export function missingForFleet(): string[] {
  return [
    ...(hasNats ? [] : ["apt-get install nats-server"]),
    ...(hasPostgresPair ? [] : ["apt-get install postgresql-15"]),
    ...(hasHaproxy ? [] : ["apt-get install haproxy"]),
    ...(hasVersitygw ? [] : ["go install github.com/versity/versitygw/cmd/versitygw@latest"]),
  ];
}

export type Part = "gateway" | "worker" | "postgres" | "nats" | "haproxy" | "store";

export interface Answered {
  total: number;
  // Waiting fixes these: refusals with 502, 503, 504, and broken connections.
  refused: number;
  broken: number;
}

export type Statuses = Map<number, number>;

export interface FleetWorld {
  readonly database: Database;
  readonly provider: SandboxProvider;
  readonly key: string;
  // What callers see: behind haproxy.
  readonly front: RouterServer;
  readonly answered: Answered;
  // How many times each status was answered.
  readonly statuses: Statuses;
  // The versions that gateways report: one, or two while one replaces the other.
  versions(): Promise<ReadonlySet<string>>;
  // Runs a command of the program (or of another one, if its path is given) on the fleet's database.
  command(words: readonly string[], program?: string): Promise<{ readonly code: number | null; readonly said: string }>;
  // kill -9 of one of them; resolves when a replacement is there.
  strike(part: Part, which: number): Promise<void>;
  // SIGTERM and a new one, of another program if its path is given. Returns the exit code.
  restart(part: "gateway" | "worker", which: number, program?: string): Promise<number | null>;
  close(): Promise<void>;
}

export interface FleetSize {
  readonly gateways: number;
  readonly workers: number;
}

interface Slot {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  server: ServerProcess | null;
  // Null means this checkout's.
  program: string | null;
}

export async function fleetWorld(size: FleetSize): Promise<FleetWorld> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
  const [pair, nats, s3, provider] = [
    await postgresPair(),
    await testNats(),
    await testVersitygw(),
    await sandboxProvider(),
  ];
  await nats.start();
  await s3.start();
  await migrate({ connection: pair.url, directory: migrationsDirectory, log: silentLog });
  const database = openDatabase({
    connection: pair.url,
    poolSize: 4,
    limits: { statementMs: 60_000, acquireMs: 20_000 },
  });
  const [port, contentPort] = [await freePort(), await freePort()];
  const key = `service-${randomBytes(24).toString("hex")}`;
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const common = {
    DATABASE_URL: pair.url,
    ATELIER_SECRETS: newRingText(systemClock.now()),
    ATELIER_BUS: nats.url,
    ATELIER_BLOBS: s3.address,
    ATELIER_BLOBS_KEY_ID: s3.credentials.accessKeyId,
    ATELIER_BLOBS_SECRET: s3.credentials.secretAccessKey,
    ATELIER_BASE_URL: `http://127.0.0.1:${port}`,
    ATELIER_CONTENT_URL: `http://127.0.0.1:${contentPort}`,
    ATELIER_PROVIDERS: provider.file,
    ATELIER_BOOTSTRAP_KEY: key,
    ATELIER_BOOTSTRAP_CREDITS: "1000000",
    ATELIER_ADMIN_TOKEN: adminToken,
    ATELIER_CALL_LEASE_SECONDS: "3",
    ATELIER_JOB_LEASE_SECONDS: "3",
    ATELIER_ROUTER_DEADLINE_SECONDS: "5",
    ATELIER_DATABASE_POOL_SIZE: "4",
    ATELIER_DRAIN_NOTICE_SECONDS: "2",
    ATELIER_WEBHOOK_TARGETS: "127.0.0.1:9",
    ATELIER_LOG_LEVEL: "warn",
  };
  const slotOf = async (name: string, engineSlots: number): Promise<Slot> => {
    const own = { ATELIER_PORT: String(await freePort()), ATELIER_CONTENT_PORT: String(await freePort()) };
    return {
      home: join(folder, name),
      env: { ...common, ...own, ATELIER_ENGINE_SLOTS: String(engineSlots) },
      server: null,
      program: null,
    };
  };
  const inOrder = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    for (let index = 0; index < count; index += 1) made.push(await make(index));
    return made;
  };
  const gateways = await inOrder(size.gateways, (index) => slotOf(`gateway-${index}`, 0));
  const workers = await inOrder(size.workers, (index) => slotOf(`worker-${index}`, 2));
  const start = async (slot: Slot) => {
    // A process that starts while PostgreSQL is away exits, and is started again.
    const options = { home: slot.home, env: slot.env, ...(slot.program === null ? {} : { program: slot.program }) };
    let reason = "";
    const tried = () =>
      startServerProcess(options).catch((error: unknown) => {
        reason = String(error);
        return null;
      });
    slot.server = await until("a server starts", tried, 120).catch((error: unknown) => {
      throw new Error(reason, { cause: error });
    });
  };
  const balancer = new Balancer(join(folder, "haproxy.cfg"), { port, contentPort, gateways });
  for (const slot of [...gateways, ...workers]) await start(slot);
  await balancer.start();
  const { front, answered, statuses } = frontOf(`http://127.0.0.1:${port}`, key);
  await prepareWorkspace(front.baseUrl, { key, adminToken });
  const slotAt = (slots: readonly Slot[], which: number): Slot => {
    const slot = slots[which % slots.length];
    if (slot === undefined) throw new Error("there is none");
    return slot;
  };
  return {
    database,
    provider,
    key,
    front,
    answered,
    statuses,
    async versions() {
      const headers = { authorization: `Bearer ${adminToken}`, host: `127.0.0.1:${port}` };
      const pages = gateways.map(({ env }) => request(`http://127.0.0.1:${env["ATELIER_PORT"]}/metrics`, { headers }));
      const bodies = await Promise.all(pages.map(async (page) => (await page).body.text()));
      return new Set(bodies.map((text) => /^atelier_build_info\{.*version="([^"]+)"/m.exec(text)?.[1] ?? "none"));
    },
    async command(words, program) {
      const env = { ...common, ATELIER_HOME: join(folder, "command") };
      const { code, out, err } = await collectOutput(runAtelier(words, env, program));
      return { code, said: `${out}${err}`.trim() };
    },
    async strike(part, which) {
      if (part === "gateway" || part === "worker") {
        const slot = slotAt(part === "gateway" ? gateways : workers, which);
        await slot.server?.kill("SIGKILL");
        await start(slot);
      } else if (part === "nats") {
        await nats.kill();
        await systemClock.sleep(1_000);
        await nats.start();
      } else if (part === "store") {
        await s3.kill();
        await systemClock.sleep(1_000);
        await s3.start();
      } else if (part === "haproxy") {
        await balancer.kill();
        await balancer.start();
      } else {
        await pair.failOver();
        await systemClock.sleep(1_000);
        await pair.rebuild();
      }
    },
    async restart(part, which, program) {
      const slot = slotAt(part === "gateway" ? gateways : workers, which);
      const code = (await slot.server?.kill("SIGTERM")) ?? null;
      slot.program = program ?? slot.program;
      await start(slot);
      return code;
    },
    async close() {
      await balancer.kill();
      for (const { server } of [...gateways, ...workers]) await server?.kill("SIGKILL");
      await front.client.close().catch(() => undefined);
      await provider.close();
      await database.close();
      await nats.kill();
      await s3.close();
      await pair.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
    },
  };
}

function frontOf(baseUrl: string, key: string): { front: RouterServer; answered: Answered; statuses: Statuses } {
  const client = openClient(baseUrl, 64);
  const answered: Answered = { total: 0, refused: 0, broken: 0 };
  const statuses: Statuses = new Map();
  const call: AppCall = async (request) => {
    answered.total += 1;
    try {
      const answer = await client.call(request);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if ([502, 503, 504].includes(answer.status)) answered.refused += 1;
      return answer;
    } catch (error) {
      answered.broken += 1;
      throw error;
    }
  };
  const never = () => Promise.reject(new Error("the front is not killed"));
  const front: RouterServer = {
    baseUrl,
    client: { ...client, call },
    invoke: (model, body, idempotencyKey) =>
      invokeOn({ call, key }, model, body, { "idempotency-key": idempotencyKey }),
    kill: never,
    stop: never,
    pause: never,
  };
  return { front, answered, statuses };
}
