// A real model router: server processes as the command starts them, one database, and one sandbox that outlives them all.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { request } from "undici";
import { limitNames } from "../../src/capabilities/limits/index.ts";
import { systemClock } from "../../src/foundation/clock.ts";
import { connectionUrl, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";
import { serverVersionOf } from "../../src/foundation/database/ping-store.ts";
import { type AppClient, bearer, openClient } from "../support/app-client.ts";
import { invokeOn } from "../support/router-calls.ts";
import { type SandboxProvider, sandboxProvider } from "../support/sandbox-provider.ts";
import { postgresPid, type ServerProcess, startServerProcess, until } from "../support/server-process.ts";
import { type TestDatabase, testDatabase } from "../support/test-database.ts";

export interface RouterServer {
  readonly baseUrl: string;
  readonly client: AppClient;
  invoke(model: string, body: Buffer, key: string): ReturnType<typeof invokeOn>;
  // kill -9.
  kill(): Promise<void>;
  // Sends SIGTERM; returns the exit code.
  stop(): Promise<number | null>;
  // Freezes it for this long, as under a debugger or on a sleeping machine.
  pause(ms: number): Promise<void>;
}

export interface RouterWorld {
  readonly database: TestDatabase;
  readonly provider: SandboxProvider;
  readonly workspaceId: () => string;
  readonly key: string;
  readonly adminToken: string;
  // `own`: settings in addition to the world's.
  start(own?: Readonly<Record<string, string>>): Promise<RouterServer>;
  // kill -9, if the world owns the PostgreSQL; resolves when it serves again.
  killPostgres(): Promise<void>;
  close(): Promise<void>;
}

// How long a silent process still counts as alive: short, so that a kill is repaired within seconds.
const leaseSeconds = 3;

export async function routerWorld(
  env: Readonly<Record<string, string>> = {},
  options: { readonly ownPostgres?: boolean; readonly concurrency?: number } = {},
): Promise<RouterWorld> {
  const home = await mkdtemp(join(tmpdir(), "atelier-router-"));
  const postgres = options.ownPostgres ? await startEmbeddedPostgres({ dataDir: join(home, "postgres") }) : null;
  const database = await testDatabase(postgres === null ? {} : { adminUrl: connectionUrl(postgres.connection) });
  const provider = await sandboxProvider();
  const key = `service-${randomBytes(24).toString("hex")}`;
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const running = new Set<ServerProcess>();
  let workspaceId = "";
  const start = async (own: Readonly<Record<string, string>> = {}): Promise<RouterServer> => {
    const server = await startServerProcess({
      home,
      env: {
        DATABASE_URL: database.url,
        ATELIER_PROVIDERS: provider.file,
        ATELIER_BOOTSTRAP_KEY: key,
        ATELIER_BOOTSTRAP_CREDITS: "1000000",
        ATELIER_ADMIN_TOKEN: adminToken,
        ATELIER_CALL_LEASE_SECONDS: String(leaseSeconds),
        ATELIER_ROUTER_DEADLINE_SECONDS: "5",
        ATELIER_LOG_LEVEL: "warn",
        ATELIER_CONTENT_PORT: "0",
        ...env,
        ...own,
      },
    });
    running.add(server);
    if (workspaceId === "") workspaceId = await prepareWorkspace(server.baseUrl, { key, adminToken, ...options });
    const client = openClient(server.baseUrl, 64);
    return {
      baseUrl: server.baseUrl,
      client,
      invoke: (model, body, idempotencyKey) =>
        invokeOn({ call: client.call, key }, model, body, { "idempotency-key": idempotencyKey }),
      async kill() {
        await server.kill("SIGKILL");
        running.delete(server);
        void client.close().catch(() => {});
      },
      async stop() {
        const code = await server.kill("SIGTERM");
        running.delete(server);
        void client.close().catch(() => {});
        return code;
      },
      async pause(ms) {
        server.process.kill("SIGSTOP");
        await systemClock.sleep(ms);
        server.process.kill("SIGCONT");
      },
    };
  };
  return {
    database,
    provider,
    key,
    adminToken,
    workspaceId: () => workspaceId,
    start,
    async killPostgres() {
      const pid = await until("PostgreSQL runs", () => (postgres === null ? null : postgresPid(home)));
      process.kill(pid, "SIGKILL");
      const servesAgain = async () => {
        const now = postgresPid(home);
        return now !== null && now !== pid && (await serverVersionOf(database)) !== null;
      };
      await until("PostgreSQL serves again", servesAgain);
    },
    async close() {
      for (const server of running) await server.kill("SIGKILL");
      await provider.close();
      // The world's own server is removed with its folder in any state. Dropping a database in it first is only tidy, and
      // a server that was just killed may still be starting.
      await database.close().catch((error: unknown) => {
        if (postgres === null) throw error;
      });
      await postgres?.stop();
      await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

const plenty = 100_000;

export async function prepareWorkspace(
  baseUrl: string,
  { key, adminToken, concurrency = plenty }: { key: string; adminToken: string; concurrency?: number },
): Promise<string> {
  const account = await request(`${baseUrl}/account`, { headers: bearer(key) });
  const { workspace } = (await account.body.json()) as { workspace: { id: string } };
  // Callers also get refusals for a full queue, and what waits at the end of a trial is run within a minute.
  const limitValue = (name: string) =>
    name === "concurrency" ? concurrency : name === "queued_requests" ? Math.min(plenty, concurrency * 25) : plenty;
  const names = limitNames.filter((each) => /per_minute$|^(concurrency|jobs|streams|queued_requests)$/.test(each));
  for (const name of names) {
    const answer = await request(`${baseUrl}/admin/workspaces/${workspace.id}/limits/${name}`, {
      method: "PUT",
      headers: { ...bearer(adminToken), "content-type": "application/json" },
      body: JSON.stringify({ value: limitValue(name) }),
    });
    if (answer.statusCode !== 200) throw new Error(`the limit ${name}: ${await answer.body.text()}`);
    await answer.body.dump();
  }
  return workspace.id;
}
