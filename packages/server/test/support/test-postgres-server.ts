// Which PostgreSQL the tests use: the one ATELIER_TEST_DATABASE_URL names, or an embedded one in the temporary folder
// that all test processes of this user share. It need not survive a power cut, so it does not wait for the disk.
import { access, chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { binariesIn } from "../../src/foundation/database/embedded/binaries.ts";
import {
  type ConnectionSettings,
  connectionUrl,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/foundation/database/index.ts";

const carelessSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "300",
  // Many databases come and go; a checkpoint for each would be the slowest part of a test.
  checkpoint_timeout: "1h",
  max_wal_size: "4GB",
  autovacuum: "off",
};

let shared: Promise<EmbeddedPostgres> | undefined;

export function adminAddress(): Promise<string | ConnectionSettings> {
  const given = process.env["ATELIER_TEST_DATABASE_URL"];
  return given ? Promise.resolve(given) : sharedServer().then((server) => server.connection);
}

function sharedServer(): Promise<EmbeddedPostgres> {
  if (!shared) {
    const dataDir = join(tmpdir(), `atelier-tests-${userInfo().uid}`, "postgres");
    const started = startEmbeddedPostgres({ dataDir, settings: carelessSettings });
    shared = started;
    // When the process has nothing left to do it leaves the server; the last process stops it. Between two files that
    // share a process there is such a moment too: the next one starts it again.
    process.once("beforeExit", () => {
      shared = undefined;
      void started.then((server) => server.stop());
    });
  }
  return shared;
}

export interface TestPostgres {
  readonly adminUrl: string;
  stop(): Promise<void>;
}

const debian15 = "/usr/lib/postgresql/15/bin";

// The oldest PostgreSQL we support, where the system has one; the caller stops it. Undefined where there is none.
export async function startTestPostgres15(): Promise<TestPostgres | undefined> {
  const found = await access(join(debian15, "postgres")).then(
    () => true,
    () => false,
  );
  if (!found) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "atelier-pg15-"));
  // The user that runs it must be able to walk to its data; before version 16 standing there is not enough.
  await chmod(folder, 0o755);
  const server = await startEmbeddedPostgres({
    dataDir: join(folder, "data"),
    settings: carelessSettings,
    binaries: binariesIn(debian15, "15"),
  });
  return {
    adminUrl: connectionUrl(server.connection),
    async stop() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
