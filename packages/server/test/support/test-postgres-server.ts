// Which PostgreSQL the tests use: the one ATELIER_TEST_DATABASE_URL names, or an embedded one that all test processes of
// this user share. It need not survive a power cut, so it does not wait for the disk, and it lives in memory if there is
// room: each of hundreds of databases is some 700 files, created and removed.
import { access, chmod, mkdtemp, rm, statfs } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { binariesIn } from "../../src/foundation/database/embedded/binaries.ts";
import {
  type ConnectionSettings,
  connectionUrl,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../src/foundation/database/index.ts";

export const carelessSettings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  max_connections: "1200",
  // Many databases come and go; a checkpoint for each would be the slowest part of a test.
  checkpoint_timeout: "1h",
  max_wal_size: "2GB",
  autovacuum: "off",
};

let shared: Promise<EmbeddedPostgres> | undefined;

export function adminAddress(): Promise<string | ConnectionSettings> {
  const given = process.env["ATELIER_TEST_DATABASE_URL"];
  return given ? Promise.resolve(given) : sharedServer().then((server) => server.connection);
}

function sharedServer(): Promise<EmbeddedPostgres> {
  if (!shared) {
    const started = startShared();
    shared = started;
    // A process with nothing left to do leaves the server; the last process stops it. This also happens between two files
    // that share a process: the next file starts it again.
    process.once("beforeExit", () => {
      shared = undefined;
      void started.then((server) => server.stop());
    });
  }
  return shared;
}

async function startShared(): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir: join(await sharedFolder(), "postgres"), settings: carelessSettings });
}

// What all test processes of this user share, and the next run finds again.
export async function sharedFolder(): Promise<string> {
  return join(await roomyFolder(), `atelier-tests-${userInfo().uid}`);
}

// Decided by the size and not by the free space, so that all processes of a run decide the same.
async function roomyFolder(): Promise<string> {
  const memory = "/dev/shm";
  const bytesMin = 8 * 1024 ** 3;
  const { blocks, bsize } = await statfs(memory).catch(() => ({ blocks: 0, bsize: 0 }));
  // `npm test` gives tests a temporary folder that is removed with the run; this server stays for the next run.
  const temporary = process.env["ATELIER_TEST_TMPDIR_GIVEN"] ?? process.env["TMPDIR"] ?? "";
  const isRoomy = blocks * bsize >= bytesMin && temporary === "";
  if (isRoomy) return memory;
  return temporary === "" ? "/tmp" : temporary;
}

export interface TestPostgres {
  readonly adminUrl: string;
  stop(): Promise<void>;
}

const debian15 = "/usr/lib/postgresql/15/bin";

// The oldest PostgreSQL we support, if the system has one; the caller stops it. Undefined if there is none.
export async function startTestPostgres15(): Promise<TestPostgres | undefined> {
  const found = await access(join(debian15, "postgres")).then(
    () => true,
    () => false,
  );
  if (!found) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "atelier-pg15-"));
  // The user that runs it must be able to reach its data by path; before version 16, already being there is not enough.
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
