// Many machines on one: gateways behind haproxy, workers, a pair of PostgreSQL servers, an S3 store and NATS, each a process
// of its own that can be killed. Gateways and workers have homes of their own and share nothing on the disk.
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newRingText } from "../../src/capabilities/secrets/index.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { type Database, migrate, openDatabase } from "../../src/foundation/database/index.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { type AppCall, openClient } from "../support/app-client.ts";
import { endsWithUs } from "../support/ends-with-us.ts";
import { freePort } from "../support/free-port.ts";
import { isListening } from "../support/is-listening.ts";
import { invokeOn } from "../support/router-calls.ts";
import { type SandboxProvider, sandboxProvider } from "../support/sandbox-provider.ts";
import { type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { migrationsDirectory } from "../support/test-database.ts";
import { hasNats, testNats } from "../support/test-nats-server.ts";
import { hasPostgresPair, postgresPair } from "../support/test-postgres-pair.ts";
import { testS3 } from "../support/test-s3.ts";
import { prepareWorkspace, type RouterServer } from "./router-world.ts";

const haproxy = "/usr/sbin/haproxy";

// What this machine lacks for it, by the names of Debian's packages.
export function missingForFleet(): string[] {
  return [
    ...(hasNats ? [] : ["nats-server"]),
    ...(hasPostgresPair ? [] : ["postgresql-15"]),
    ...(existsSync(haproxy) ? [] : ["haproxy"]),
  ];
}

export type Part = "gateway" | "worker" | "postgres" | "nats" | "haproxy";

export interface Answered {
  total: number;
  // Waiting mends these: refusals with 502, 503, 504, and connections that broke.
  refused: number;
  broken: number;
}

export interface FleetWorld {
  readonly database: Database;
  readonly provider: SandboxProvider;
  readonly key: string;
  // As callers see it: behind haproxy.
  readonly front: RouterServer;
  readonly answered: Answered;
  // kill -9 of one of them; resolves when another is in its stead.
  strike(part: Part, which: number): Promise<void>;
  // SIGTERM and a new one.
  restart(which: number, own?: Readonly<Record<string, string>>): Promise<void>;
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
}

export async function fleetWorld(size: FleetSize): Promise<FleetWorld> {
  const folder = await mkdtemp(join(tmpdir(), "atelier-fleet-"));
  const [pair, nats, s3, provider] = [
    await postgresPair(),
    await testNats(),
    await testS3(7_200),
    await sandboxProvider(),
  ];
  await nats.start();
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
    };
  };
  const inOrder = async <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> => {
    const made: T[] = [];
    for (let index = 0; index < count; index += 1) made.push(await make(index));
    return made;
  };
  const gateways = await inOrder(size.gateways, (index) => slotOf(`gateway-${index}`, 0));
  const workers = await inOrder(size.workers, (index) => slotOf(`worker-${index}`, 2));
  const start = async (slot: Slot, more: Readonly<Record<string, string>> = {}) => {
    // A process that starts while PostgreSQL is away ends, and is started again.
    const options = { home: slot.home, env: { ...slot.env, ...more } };
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
  const { front, answered } = frontOf(`http://127.0.0.1:${port}`, key);
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
    async strike(part, which) {
      if (part === "gateway" || part === "worker") {
        const slot = slotAt(part === "gateway" ? gateways : workers, which);
        await slot.server?.kill("SIGKILL");
        await start(slot);
      } else if (part === "nats") {
        await nats.kill();
        await systemClock.sleep(1_000);
        await nats.start();
      } else if (part === "haproxy") {
        await balancer.kill();
        await balancer.start();
      } else {
        await pair.failOver();
        await systemClock.sleep(1_000);
        await pair.rebuild();
      }
    },
    async restart(which, own) {
      const slot = slotAt(gateways, which);
      await slot.server?.kill("SIGTERM");
      await start(slot, own);
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

function frontOf(baseUrl: string, key: string): { front: RouterServer; answered: Answered } {
  const client = openClient(baseUrl, 64);
  const answered: Answered = { total: 0, refused: 0, broken: 0 };
  const call: AppCall = async (request) => {
    answered.total += 1;
    try {
      const answer = await client.call(request);
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
  return { front, answered };
}

interface Balanced {
  readonly port: number;
  readonly contentPort: number;
  readonly gateways: readonly Slot[];
}

// Readiness decides who gets work, asked for twice a second; a connection that is refused goes to the next.
class Balancer {
  readonly #file: string;
  readonly #balanced: Balanced;
  #child: ChildProcess | null = null;

  constructor(file: string, balanced: Balanced) {
    this.#file = file;
    this.#balanced = balanced;
  }

  async start(): Promise<void> {
    const { port, contentPort } = this.#balanced;
    await writeFile(this.#file, this.#settings());
    this.#child = endsWithUs(spawn(haproxy, ["-db", "-f", this.#file], { stdio: "ignore" }));
    await until("haproxy listens", async () => (await isListening(port)) && (await isListening(contentPort)));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }

  #settings(): string {
    const { port, contentPort, gateways } = this.#balanced;
    const backend = (setting: string, check: string) =>
      gateways.map(
        ({ env }, index) =>
          `  server gateway${index} 127.0.0.1:${env[setting]} check port ${env["ATELIER_PORT"]} ${check}`,
      );
    const check = [
      "  option httpchk",
      `  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1:${port}`,
      "  http-check expect status 200",
      "  option redispatch",
      "  retries 3",
      "  retry-on conn-failure",
      "  balance roundrobin",
    ];
    const often = "inter 500ms fall 1 rise 1";
    return [
      "defaults",
      "  mode http",
      "  timeout connect 2s",
      "  timeout client 120s",
      "  timeout server 120s",
      "  timeout check 2s",
      "frontend api",
      `  bind 127.0.0.1:${port}`,
      "  default_backend gateways",
      "backend gateways",
      ...check,
      ...backend("ATELIER_PORT", often),
      "frontend content",
      `  bind 127.0.0.1:${contentPort}`,
      "  default_backend contents",
      "backend contents",
      ...check,
      ...backend("ATELIER_CONTENT_PORT", often),
      "",
    ].join("\n");
  }
}
