// Shared by the tests of this capability; contains no test itself. `aProcess` builds a whole capability as another
// process would have it: two of them share only the database, the disk and the clock.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { sql } from "../../foundation/database/index.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { type Blobs, createBlobs, fileBlobStorage } from "../blobs/index.ts";
import { createLimits } from "../limits/index.ts";
import { type Assets, createAssets } from "./assets.ts";

export interface AssetsFixture {
  readonly db: TestDatabase;
  readonly clock: HandClock;
  readonly blobs: Blobs;
  readonly workspaceId: WorkspaceId;
  aWorkspace(): Promise<WorkspaceId>;
  aProcess(): Assets;
  close(): Promise<void>;
}

export async function anAssetsFixture(): Promise<AssetsFixture> {
  const db = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), "atelier-assets-"));
  const clock = handClock();
  const secret = randomBytes(32);
  const keyRing = { current: () => ({ id: "k1", secret }), verifying: () => [{ id: "k1", secret }] };
  const storage = fileBlobStorage({ directory: join(folder, "blobs"), reserve: { bytes: 0, share: 0 } });
  const blobs = createBlobs({ database: db, storage, graceSeconds: 0 });
  const processes: Assets[] = [];
  const aWorkspace = async () => {
    const id = newId<"workspace">();
    await db.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
    return id;
  };
  return {
    db,
    clock,
    blobs,
    workspaceId: await aWorkspace(),
    aWorkspace,
    aProcess() {
      const assets = createAssets({
        database: db,
        blobs,
        limits: createLimits({ database: db, clock: systemClock }),
        keyRing,
        cursors: createCursors({ secrets: [secret], clock }),
        clock,
        log: silentLog,
        settings: {
          contentUrl: () => "http://127.0.0.1:1",
          signedUrlSeconds: 6 * 3600,
          retentionSeconds: null,
        },
      });
      processes.push(assets);
      return assets;
    },
    async close() {
      await Promise.all(processes.map((assets) => assets.close()));
      await db.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export async function* bytesOf(...parts: readonly (string | Buffer)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

export const assetInput = {
  contentType: "text/plain",
  filePath: "a.txt",
  tags: [],
  keepSeconds: null,
  expectedHash: null,
};

export function receive(
  assets: Assets,
  workspaceId: WorkspaceId,
  bytes: string | Buffer,
  changed: Partial<{ contentType: string; filePath: string | null; keepSeconds: number | null }> = {},
) {
  const source = bytesOf(bytes);
  return assets.receive({
    workspaceId,
    source,
    expectedHash: null,
    jobId: null,
    describe: () => ({ ...assetInput, ...changed }),
  });
}
