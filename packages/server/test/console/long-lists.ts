// Lists that are long, or that all change at the same time, for the tests' limits and the bench's figures: how many of
// their rows and tiles are in the document, and how much of a core they use.
import { join } from "node:path";
import { type Database, openDatabase, startEmbeddedPostgres } from "../../src/foundation/database/index.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { copyAsset } from "../support/asset-records-store.ts";
import { pictureOf } from "./gallery.pages.ts";
import { ended, noisyGraph, submit, until } from "./jobs.pages.ts";
import type { Scene, Visit } from "./scene.ts";
import { advanceRunning, copyEnded, copyRunning, removeSeeded } from "./seeded-jobs-store.ts";
import { threadTimeOf } from "./thread-time.ts";

export const tilesMax = 400;
export const busyShareMax = 0.2;
const assets = 10_000;
const endedJobs = 100_000;
const runningJobs = 500;

export const tilesOf = ({ page }: Visit) => page.locator("[data-tile]").count();
export const rowsOf = ({ page }: Visit) => page.locator("[data-row]").count();

// Writes rows into the running server's database: creating that many by calls would take minutes.
export async function withDatabase<T>(scene: Scene, use: (database: Database) => Promise<T>): Promise<T> {
  const held = await startEmbeddedPostgres({ dataDir: join(scene.server.home, "postgres") });
  const database = openDatabase({ connection: held.connection, poolSize: 1, log: silentLog });
  try {
    return await use(database);
  } finally {
    await removeSeeded(database);
    await database.close();
    await held.stop();
  }
}

// The gallery with ten thousand pictures, read to its end page by page, as fast as they come. Returns the most tiles
// there were.
export async function readGallery(scene: Scene, visit: Visit): Promise<number> {
  const id = await pictureOf(scene, 0x3c64b1, "blue");
  await withDatabase(scene, (database) => copyAsset(database, id, assets));
  await visit.open("/console/gallery?source=upload");
  const last = visit.page.locator(`[data-tile][aria-label^="copy_${String(assets).padStart(6, "0")}"]`);
  const fault = visit.page.getByRole("alert");
  let most = 0;
  do {
    await visit.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    // The list waits for a click then, so it would never end.
    if ((await fault.count()) > 0) throw new Error(await fault.first().innerText());
    most = Math.max(most, await tilesOf(visit));
  } while ((await last.count()) === 0);
  return most;
}

// A list of 100,000 jobs, read as far as a thousand. Returns the most rows there were.
export async function readJobs(scene: Scene, visit: Visit, database: Database): Promise<number> {
  const { id } = await submit(scene, noisyGraph(21));
  await ended(scene, id);
  await copyEnded(database, id, endedJobs);
  await visit.open("/console/jobs?q=seeded");
  let most = 0;
  for (let height = 0; height < 1_000 * 64; ) {
    await visit.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await until(visit, `document.documentElement.scrollHeight > ${height}`);
    height = Number(await visit.page.evaluate("document.documentElement.scrollHeight"));
    most = Math.max(most, await rowsOf(visit));
  }
  await visit.page.locator("[data-row]").first().waitFor();
  return most;
}

export interface Watched {
  // The share of one core that the page's thread used.
  readonly busyShare: number;
  readonly requests: number;
  readonly rows: number;
}

// 500 running jobs that all advance twice a second, for ten seconds.
export async function watchRunning(scene: Scene, visit: Visit, database: Database): Promise<Watched> {
  const { id } = await submit(scene, noisyGraph(22));
  await ended(scene, id);
  await copyRunning(database, id, runningJobs);
  await advanceRunning(database, 0.01);
  await visit.open("/console/jobs?status=active");
  await visit.page.getByText("ImageAddNoise 1/100 · node 2 of 4").first().waitFor();
  let requests = 0;
  visit.page.on("request", (request) => {
    if (request.url().includes("/api/v2/")) requests++;
  });
  const { ms, passedMs } = await threadTimeOf(visit, async () => {
    for (let at = 2; at <= 20; at++) {
      await advanceRunning(database, at / 100);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  });
  await visit.page.getByText("ImageAddNoise 20/100 · node 2 of 4").first().waitFor();
  return { busyShare: ms / passedMs, requests, rows: await rowsOf(visit) };
}
