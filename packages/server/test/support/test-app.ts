// A whole app on a database of its own: the gateway as `npm start` runs it, on a free loopback port, with a data folder
// of its own, everything it logged, and the callers a test needs. It believes X-Forwarded-For from this machine, so that
// a test can speak for many addresses and never runs into the budget of refused credentials by accident.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { type Clock, systemClock } from "../../src/foundation/clock.ts";
import { trustedId } from "../../src/foundation/ids.ts";
import { createKnownSecrets, type KnownSecrets } from "../../src/foundation/known-secrets.ts";
import { createLifecycle } from "../../src/foundation/lifecycle.ts";
import { createLog, type Log, type LogLevel } from "../../src/foundation/log.ts";
import { Secret } from "../../src/foundation/settings.ts";
import { startGateway } from "../../src/processes/gateway.ts";
import { sharedPool } from "../../src/surfaces/pools.ts";
import { type AppCall, type AppClient, openClient } from "./app-client.ts";
import { type TestDatabase, testDatabase } from "./test-database.ts";
import { fleetSize, type TestFleet, testFleet } from "./test-fleet.ts";
import { addWorkerToken } from "./worker-token-store.ts";

export interface TestAppOptions {
  // Share the database, the key ring and the data folder of another app: a second process of the same service.
  readonly beside?: TestApp;
  // A database the test has made; the app closes it all the same.
  readonly database?: TestDatabase;
  readonly clock?: Clock;
  readonly logLevel?: LogLevel;
  readonly env?: Readonly<Record<string, string>>;
  // Providers' credentials, and the hosts they were entered for, by the names of their settings.
  readonly credentials?: Readonly<Record<string, string>>;
  // As `atelier deployment` runs it: beside another app, for this one deployment.
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
  // The owner of the first workspace: an API key with every scope, and a link that was not used yet.
  readonly key: string;
  readonly workspaceId: string;
  readonly personId: string;
  readonly signInToken: string;
  // The token of the environment.
  readonly adminToken: string;
  // Of a worker of the shared pool that was never started.
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
  // A second process of the same service is one process in a fleet, too.
  const fleet = fleetSize > 1 && beside === undefined ? await testFleet(home) : null;
  const given = { options, database, home, adminToken, log, known, fleet };
  const first = await startOne(given).catch(async (thrown: unknown) => {
    await fleet?.close();
    throw thrown;
  });
  const all = [first];
  const stopAll = async (why: string) => {
    for (const { life } of all.toReversed()) await life.stop(why);
    await fleet?.close();
  };
  // What fails here leaves nothing running: it would keep the process of the test alive for ever.
  const stopped = async (thrown: unknown) => {
    await stopAll("the start failed");
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
  // What this one is told and the others are not.
  readonly own?: Readonly<Record<string, string>>;
}

async function startOne({ options, database, home, adminToken, log, known, fleet, own = {} }: OneOf) {
  const { clock = systemClock } = options;
  const config = configOf({
    ATELIER_HOME: home,
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    // On a busy machine a line grows old without being an overload; what refuses one is tested where it is built.
    ATELIER_QUEUE_AGE_MS_MAX: "60000",
    DATABASE_URL: database.url,
    ATELIER_ADMIN_TOKEN: adminToken,
    ATELIER_TRUST_PROXY: "127.0.0.0/8",
    ATELIER_WEBHOOK_TARGETS: "127.0.0.1:9",
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

// `npm run test:dialect`: what the contract promises is promised with the dialect, too.
export function testedDialect(): Readonly<Record<string, string>> {
  const name = process.env["ATELIER_TEST_DIALECT"];
  return name === undefined ? {} : { ATELIER_DIALECT: name };
}

function configOf(env: Readonly<Record<string, string>>) {
  const { values, problems } = readConfig({ flags: {}, env, file: {} });
  assert.deepEqual(problems, []);
  return values;
}
