// One torture run: a separate PostgreSQL, the scripted provider, workers, clients and the executioner; then rest, and the
// judge. Rest is a condition (every client has its answer, no call is open), never a time.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callInvariants } from "../../src/capabilities/calls/shared-sql.ts";
import { type Database, migrate, openDatabase, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";
import { postgresPid, until } from "../support/server-process.ts";
import { migrationsDirectory } from "../support/test-database.ts";
import { findViolations, type RunFacts, type Violation } from "./checker.ts";
import { type ChildProgram, startProgram } from "./child-program.ts";
import { type Clients, createClients } from "./clients.ts";
import { type ExecutionCount, type ExecutionPlan, execute } from "./executioner.ts";
import type { Plant } from "./planted-bugs.ts";
import { readProviderLog } from "./provider-log.ts";
import type { ProviderSettings } from "./provider-process.ts";
import { ordinaryTemper, type ProviderKind, type ProviderTemper } from "./provider-script.ts";
import { seeded } from "./seeded.ts";
import {
  countOpenCalls,
  listOpenCalls,
  listRecordedCalls,
  listRecordedKeys,
  listRecordedWallets,
  makeWorkspace,
} from "./torture-store.ts";
import { startWorkers, type Workers } from "./workers.ts";

export interface TortureOptions {
  readonly seed: number;
  readonly plan: ExecutionPlan;
  readonly kinds: readonly [ProviderKind, ...ProviderKind[]];
  readonly plant: Plant | null;
  readonly temper?: ProviderTemper;
  readonly workers: number;
  readonly clients: number;
  readonly restSecondsMax: number;
  say(line: string): void;
}

export interface TortureReport {
  readonly seed: number;
  readonly seconds: number;
  readonly strikes: ExecutionCount;
  readonly keys: number;
  readonly attempts: number;
  readonly calls: number;
  readonly runs: number;
  readonly charged: number;
  readonly takenOver: number;
  readonly unknown: number;
  readonly replayed: number;
  readonly violations: readonly Violation[];
  // Problems that no rule of the judge covers: processes that died on their own, no rest, lost keys.
  readonly troubles: readonly string[];
}

const credits = 1_000_000_000_000n;
const calmTemper: ProviderTemper = { faultShare: 0, workMs: [1, 20] };

export async function torture(options: TortureOptions): Promise<TortureReport> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-torture-"));
  const startedMs = performance.now();
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "postgres") });
  const database = openDatabase({ connection: postgres.connection, poolSize: 3 });
  const clearUp = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  // An aborted run stops its PostgreSQL; its workers notice on their own.
  const breakOff = () => void clearUp().finally(() => process.exit(143));
  process.once("SIGTERM", breakOff).once("SIGINT", breakOff);
  try {
    await migrate({ connection: postgres.connection, directory: migrationsDirectory });
    const ended = await runIn({ ...options, folder, database, connection: postgres.connection });
    return { ...ended, seconds: (performance.now() - startedMs) / 1000 };
  } finally {
    process.off("SIGTERM", breakOff).off("SIGINT", breakOff);
    await database.close();
    await clearUp();
  }
}

interface Site extends TortureOptions {
  readonly folder: string;
  readonly database: Database;
  readonly connection: Awaited<ReturnType<typeof startEmbeddedPostgres>>["connection"];
}

async function runIn(site: Site): Promise<Omit<TortureReport, "seconds">> {
  const random = seeded(site.seed);
  // Killed processes save nothing of what they compiled, so use the tests' cache if there is one.
  const cacheFolder = process.env["NODE_COMPILE_CACHE"] ?? join(site.folder, "compiled");
  const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => makeWorkspace(site.database, credits)));
  if (first === undefined) throw new Error("There is no workspace.");
  const provider = await keepProvider(site, cacheFolder);
  const workers = await startWorkers(
    site.workers,
    { connection: site.connection, providerUrl: provider.url, plant: site.plant },
    cacheFolder,
  );
  const clients = createClients({
    random: random.stream("clients"),
    workspaceIds: [first, ...others],
    kinds: site.kinds,
    inFlightMax: site.clients,
    restMs: [20, 220],
    addresses: workers.addresses,
  });
  const working = clients.run();
  site.say(`${site.workers} workers, ${site.clients} clients, provider and PostgreSQL are up`);
  const victims = {
    workers,
    killPostgres: () => killPostgres(site),
    killProvider: provider.kill,
    answersSeen: () => clients.seen.length,
  };
  const strikes = await execute(victims, site.plan, random.stream("executioner"));
  site.say("the executioner is done; waiting for rest");
  const troubles = await comeToRest(site, { provider, clients, working });
  const { replayed, lost } = await clients.replayAll();
  if (lost > 0) troubles.push(`${lost} keys that were answered answer no more`);
  const facts = await gatherFacts(site, clients);
  await clients.close();
  troubles.push(...(await endWorkers(workers)));
  await provider.program().kill("SIGKILL");
  const violations = findViolations(facts);
  if (violations.length + troubles.length > 0) keepEvidence(site, facts, violations, troubles);
  return { ...figures(facts), seed: site.seed, strikes, keys: clients.keyCount, replayed, violations, troubles };
}

function figures({ calls, runs, seen }: RunFacts) {
  return {
    attempts: seen.length,
    calls: calls.length,
    runs: runs.length,
    charged: calls.filter((call) => call.settled > 0n).length,
    takenOver: calls.filter((call) => call.fence > 1).length,
    unknown: calls.filter((call) => call.state === "unknown").length,
  };
}

interface KeptProvider {
  readonly url: string;
  program(): ChildProgram;
  kill(): Promise<void>;
  calm(): void;
}

async function keepProvider(site: Site, cacheFolder: string): Promise<KeptProvider> {
  let temper = site.temper ?? ordinaryTemper;
  let starts = 0;
  const start = (port: number) => {
    const seed = `${site.seed} provider ${starts++}`;
    const settings: ProviderSettings = { logFile: join(site.folder, "provider.jsonl"), port, seed, temper };
    return startProgram("provider-process.ts", settings, cacheFolder);
  };
  let program = await start(0);
  const { port } = program;
  return {
    url: `http://127.0.0.1:${port}`,
    program: () => program,
    async kill() {
      await program.kill("SIGKILL");
      program = await start(port);
    },
    calm() {
      temper = calmTemper;
      program.send({ temper });
    },
  };
}

// Kills the server that this run owns; its holder restarts it.
async function killPostgres(site: Site): Promise<void> {
  const pid = await until("PostgreSQL runs", () => postgresPid(site.folder));
  process.kill(pid, "SIGKILL");
  await until("PostgreSQL serves again", async () => {
    const now = postgresPid(site.folder);
    return now !== null && now !== pid && (await countOpenCalls(site.database)) >= 0;
  });
}

async function comeToRest(
  site: Site,
  run: { provider: KeptProvider; clients: Clients; working: Promise<void> },
): Promise<string[]> {
  run.provider.calm();
  run.clients.finishUp();
  const isAtRest = async () => run.clients.pending === 0 && (await countOpenCalls(site.database)) === 0;
  const troubles = await until("rest", isAtRest, site.restSecondsMax).then(
    (): string[] => [],
    () => [`no rest within ${site.restSecondsMax} s: ${run.clients.pending} clients wait`],
  );
  if (troubles.length > 0) troubles.push(JSON.stringify(await listOpenCalls(site.database)));
  run.clients.stop();
  await run.working;
  return troubles;
}

async function gatherFacts(site: Site, clients: Clients): Promise<RunFacts> {
  const { database } = site;
  const brokenInvariants: string[] = [];
  for (const { name, statement } of callInvariants) {
    const rows = await database.query(statement);
    if (rows.length > 0) brokenInvariants.push(`${name}: ${JSON.stringify(rows.slice(0, 3))}`);
  }
  return {
    funded: credits,
    runs: readProviderLog(join(site.folder, "provider.jsonl")),
    calls: await listRecordedCalls(database),
    keys: await listRecordedKeys(database),
    wallets: await listRecordedWallets(database),
    seen: clients.seen,
    brokenInvariants,
  };
}

async function endWorkers(workers: Workers): Promise<string[]> {
  const codes = await workers.stop();
  return [
    ...workers.diedByThemselves.map((words) => `a worker died by itself: ${words}`),
    ...codes.filter((code) => code !== 0).map((code) => `a worker ended with ${code} when it was asked to end`),
  ];
}

function keepEvidence(site: Site, facts: RunFacts, violations: readonly Violation[], troubles: readonly string[]) {
  const file = join(tmpdir(), `atelier-torture-evidence-${site.plant ?? "run"}-${site.seed}.json`);
  const text = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value);
  writeFileSync(file, JSON.stringify({ violations, troubles, facts }, text));
  site.say(`evidence: ${file}`);
}
