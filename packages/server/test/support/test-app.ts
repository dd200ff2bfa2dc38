// A whole app on a fresh database: the gateway as `npm start` runs it, on a free loopback port, with its own data folder,
// everything it logged, and the callers a test needs. It trusts X-Forwarded-For from this machine, so that a test can
// speak for many addresses and never exhausts the budget of refused credentials by accident.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sharedPool } from "../../src/capabilities/pools/shared-pool.ts";
import { readConfig } from "../../src/config.ts";
import { type Clock, systemClock } from "../../src/foundation/clock.ts";
import { trustedId } from "../../src/foundation/ids.ts";
import { createKnownSecrets, type KnownSecrets } from "../../src/foundation/known-secrets.ts";
import { createLifecycle } from "../../src/foundation/lifecycle.ts";
import { createLog, type Log, type LogLevel } from "../../src/foundation/log.ts";
import { Secret } from "../../src/foundation/settings.ts";
import { startGateway } from "../../src/processes/gateway.ts";
import { type AppCall, type AppClient, openClient } from "./app-client.ts";
import { paymentsSecret } from "./payments-secret.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";
import { fleetSize, type TestFleet, testFleet } from "./test-fleet.ts";
import { addWorkerToken } from "./worker-token-store.ts";

export interface TestAppOptions {
  // Shares the database, key ring and data folder of another app, as a second process of the same service does.
  readonly beside?: TestApp;
  // A database that the test created; the app still closes it.
  readonly database?: TestDatabase;
  readonly clock?: Clock;
  readonly logLevel?: LogLevel;
  readonly env?: Readonly<Record<string, string>>;
  // Providers' credentials, and the hosts they were entered for, by the names of their settings.
  readonly credentials?: Readonly<Record<string, string>>;
  // Runs as `atelier deployment` does: beside another app, for this one deployment.
  readonly deploymentId?: string;
}

export interface TestApp {
  readonly baseUrl: string;
  readonly port: number;
  readonly monitoringPort: number | null;
  readonly contentPort: number;
  readonly home: string;
  readonly database: TestDatabase;
  // Every line the app logged so far.
  readonly logged: readonly string[];
  // The owner of the first workspace: an API key with every scope, and an unused sign-in link.
  readonly key: string;
  readonly workspaceId: string;
  readonly personId: string;
  readonly signInToken: string;
  // The admin token from the environment.
  readonly adminToken: string;
  // The token of a worker of the shared pool that was never started.
  readonly workerToken: string;
  readonly call: AppCall;
  readonly client: AppClient;
  stop(): Promise<void>;
  // Stops the app and removes its database and folder.
  close(): Promise<void>;
}

export async function testApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { beside } = options;
  const database = options.database ?? beside?.database ?? (await testDatabase());
  const home = beside?.home ?? (await mkdtemp(join(tmpdir(), "atelier-app-")));
  const adminToken = beside?.adminToken ?? `admin-${randomBytes(32).toString("base64url")}`;
  const logged: string[] = [];
  const known = createKnownSecrets();
  const log = createLog({ level: options.logLevel ?? "info", known, write: (line) => void logged.push(line) });
  // A second process of the same service stays a single process, even in a fleet run.
  const fleet = fleetSize > 1 && beside === undefined ? await testFleet(home) : null;
  const given = { options, database, home, adminToken, log, known, fleet };
  // A start that fails leaves nothing behind, except for a database that the test may use again.
  const remove = async () => {
    if (beside) return;
    if (options.database === undefined) await database.close();
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const first = await startOne(given).catch(async (thrown: unknown) => {
    await fleet?.close();
    await remove();
    throw thrown;
  });
  const all = [first];
  const stopAll = async (why: string) => {
    for (const { life } of all.toReversed()) await life.stop(why);
    await fleet?.close();
  };
  // A failure here must leave nothing running: it would keep the test's process alive for ever.
  const stopped = async (thrown: unknown) => {
    await stopAll("the start failed");
    await remove();
    throw thrown;
  };
  if (fleet !== null) {
    while (all.length < fleetSize) all.push(await startOne({ ...given, own: await fleet.furtherEnv() }).catch(stopped));
    fleet.answers(all.map(({ gateway }) => gateway));
  }
  const workerToken = beside?.workerToken ?? (await addWorkerToken(database, [sharedPool]).catch(stopped));
  const { gateway } = first;
  const client = openClient(gateway.baseUrl);
  const owner = gateway.bootstrapped.fresh
    ? { ...gateway.bootstrapped, personId: String(gateway.bootstrapped.personId) }
    : beside;
  assert.ok(owner, "an app on a fresh database makes the first key");
  const stop = async () => {
    await client.close();
    await stopAll("the test is done");
  };
  return {
    baseUrl: gateway.baseUrl,
    port: fleet?.port ?? gateway.port,
    monitoringPort: gateway.monitoringPort,
    contentPort: gateway.contentPort,
    home,
    database,
    logged,
    key: owner.key,
    workspaceId: owner.workspaceId,
    personId: owner.personId,
    signInToken: owner.signInToken,
    adminToken,
    workerToken,
    call: client.call,
    client,
    stop,
    async close() {
      await stop();
      if (beside) return;
      await database.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

interface OneOf {
  readonly options: TestAppOptions;
  readonly database: TestDatabase;
  readonly home: string;
  readonly adminToken: string;
  readonly log: Log;
  readonly known: KnownSecrets;
  readonly fleet: TestFleet | null;
  // Settings for this one only.
  readonly own?: Readonly<Record<string, string>>;
}

async function startOne({ options, database, home, adminToken, log, known, fleet, own = {} }: OneOf) {
  const { clock = systemClock } = options;
  const config = configOf({
    ATELIER_HOME: home,
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    // Walls have tests of their own, and so has every server that is started as shipped. Trying them costs each app a child.
    ATELIER_ISOLATION: "process",
    // On a busy machine a queue may be old without being overloaded. The refusal of an old queue is tested where it is
    // built.
    ATELIER_QUEUE_AGE_MS_MAX: "60000",
    DATABASE_URL: database.url,
    // A start fills its pool: everything in the background begins at once. A connection costs PostgreSQL as much as the
    // statements that it saves from waiting.
    ATELIER_DATABASE_POOL_SIZE: "4",
    ATELIER_ADMIN_TOKEN: adminToken,
    ATELIER_TRUST_PROXY: "127.0.0.0/8",
    ATELIER_WEBHOOK_TARGETS: "127.0.0.1:9",
    ATELIER_PAYMENTS_SECRET: paymentsSecret,
    ...testedDialect(),
    ...fleet?.env,
    ...options.env,
    ...own,
  });
  const life = createLifecycle({ log, clock: systemClock, roles: new Set(config.roles) });
  const credentials = new Map(
    Object.entries(options.credentials ?? {}).map(([name, text]) => [name, new Secret(text)]),
  );
  const one = options.deploymentId === undefined ? {} : { deploymentId: trustedId<"deployment">(options.deploymentId) };
  const gateway = await startGateway({ config, life, log, known, clock, credentials, ...one }).catch(
    async (thrown: unknown) => {
      await life.stop("the start failed");
      throw thrown;
    },
  );
  return { gateway, life };
}

// `npm run test:long -- dialect`: the contract's promises hold with the dialect too.
export function testedDialect(): Readonly<Record<string, string>> {
  const name = process.env["ATELIER_TEST_DIALECT"];
  return name === undefined ? {} : { ATELIER_DIALECT: name };
}

function configOf(env: Readonly<Record<string, string>>) {
  const { values, problems } = readConfig({ flags: {}, env, file: {} });
  assert.deepEqual(problems, []);
  return values;
}
