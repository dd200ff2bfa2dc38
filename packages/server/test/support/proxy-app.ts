// A proxy in this process, with a database, a home and a free port of its own, in front of the application's address.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { createLifecycle } from "../../src/foundation/lifecycle.ts";
import { createLog } from "../../src/foundation/log.ts";
import { Secret } from "../../src/foundation/settings.ts";
import { startProxy } from "../../src/processes/proxy/proxy.ts";
import { testedDialect } from "./test-app.ts";
import { testDatabase } from "./test-database.ts";

export interface ProxyApp {
  readonly url: string;
  readonly port: number;
  readonly home: string;
  readonly logged: readonly string[];
  // Stops and restarts it on the same home, database and port.
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface ProxyAppOptions {
  readonly applicationUrl: string;
  readonly env?: Readonly<Record<string, string>>;
}

export async function proxyApp(options: ProxyAppOptions): Promise<ProxyApp> {
  const database = await testDatabase();
  const home = await mkdtemp(join(tmpdir(), "atelier-proxy-"));
  const logged: string[] = [];
  const log = createLog({ level: "info", write: (line) => void logged.push(line) });
  const { values: config, problems } = readConfig({
    flags: {},
    env: {
      ATELIER_PROXY_PORT: "0",
      ATELIER_APPLICATION_URL: options.applicationUrl,
      ...testedDialect(),
      ...options.env,
    },
    file: {},
  });
  assert.deepEqual(problems, []);
  // The database is already migrated: its schema is the one that a start would create.
  const databaseUrl = new Secret(database.url);
  const start = async (proxyPort: number) => {
    const life = createLifecycle({ log, clock: systemClock });
    const given = { config: { ...config, proxyPort }, home, life, log, databaseUrl };
    const proxy = await startProxy(given).catch(async (thrown: unknown) => {
      await life.stop("the start failed");
      throw thrown;
    });
    return { life, proxy };
  };
  let { life, proxy } = await start(config.proxyPort);
  return {
    url: proxy.url,
    port: proxy.port,
    home,
    logged,
    async restart() {
      await life.stop("the test starts it again");
      ({ life, proxy } = await start(proxy.port));
    },
    async close() {
      await life.stop("the test is done");
      await database.close();
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

// A member of a JSON answer at any depth. Undefined if there is none.
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

export async function upstreamState(url: string): Promise<unknown> {
  return at(await (await fetch(`${url}/api/v2/health`)).json(), "upstream_state");
}
