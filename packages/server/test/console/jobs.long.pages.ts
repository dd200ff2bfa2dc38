// Lists of jobs that are long, or that all change at once; the code of a job in a real shell; every look of every page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { startEmbeddedPostgres } from "../../src/foundation/database/embedded-postgres.ts";
import { type Database, openDatabase } from "../../src/foundation/database/index.ts";
import { ended, jobLooks, noisyGraph, submit, until } from "./jobs.pages.ts";
import type { Scene, Visit } from "./scene.ts";
import { advanceRunning, copyEnded, copyRunning, removeSeeded } from "./seeded-jobs-store.ts";

const tilesMax = 400;
const busyShareMax = 0.2;

export function longJobPages(scene: () => Scene): void {
  describe("long lists of jobs", () => {
    test("100,000 jobs scroll with fewer than 400 tiles, and going back finds the same rows", () =>
      withDatabase(scene(), async (database) => {
        const { id } = await submit(scene(), noisyGraph(21));
        await ended(scene(), id);
        await copyEnded(database, id, 100_000);
        const visit = await scene().visit();
        await visit.open("/console/jobs?q=seeded");
        await scrollTo(visit, 1_000);
        assert.ok((await tilesOf(visit)) < tilesMax);
        const shown = await visit.page.evaluate("scrollY");
        // By the page's own means: a click from outside would first scroll the row into view.
        await visit.page.evaluate(
          "[...document.querySelectorAll('[data-row] a')].find((row) => row.getBoundingClientRect().top > 300).click()",
        );
        await visit.page.waitForURL(/\/console\/jobs\/0/);
        await visit.page.goBack();
        await visit.page.locator("[data-row]").nth(5).waitFor();
        await until(visit, `Math.abs(scrollY - ${shown}) < 200`);
        await visit.close();
      }));

    test("500 running jobs that all change take less than a fifth of a core", () =>
      withDatabase(scene(), async (database) => {
        const { id } = await submit(scene(), noisyGraph(22));
        await ended(scene(), id);
        await copyRunning(database, id, 500);
        await advanceRunning(database, 0.01);
        const visit = await scene().visit();
        await visit.open("/console/jobs?status=active");
        await visit.page.getByText("ImageAddNoise 1/100 · node 2 of 4").first().waitFor();
        let requests = 0;
        visit.page.on("request", (request) => {
          if (request.url().includes("/api/v2/")) requests++;
        });
        const share = await busyShare(visit, async () => {
          for (let at = 2; at <= 20; at++) {
            await advanceRunning(database, at / 100);
            await new Promise((resolve) => setTimeout(resolve, 500));
          }
        });
        await visit.page.getByText("ImageAddNoise 20/100 · node 2 of 4").first().waitFor();
        assert.ok(share < busyShareMax, `the page took ${Math.round(share * 100)} % of a core`);
        // One list request per tick of two seconds, whatever is on the page.
        assert.ok(requests <= 10, `${requests} requests`);
        assert.ok((await tilesOf(visit)) < tilesMax);
        await visit.picture("jobs-running");
        await visit.close();
      }));
  });

  describe("the code of a job", () => {
    test("pasted into a shell each of them gives the same picture", async () => {
      const job = await ended(scene(), (await submit(scene(), noisyGraph(23), { it: "isn't" })).id);
      const visit = await scene().visit();
      await visit.open(`/console/jobs/${job.id}?tab=code`);
      const own = await pictureOf(scene(), job.outputs[0]?.id ?? "");
      for (const name of ["CLI", "curl", "Python"]) {
        await visit.page.getByRole("tab", { name, exact: true }).click();
        const code = await visit.page.getByLabel(`This job with ${name}`).textContent();
        assert.deepEqual(await runIn(scene(), name, code ?? ""), [own], name);
      }
      await visit.close();
    });
  });

  describe("every look", () => jobLooks(scene));
}

async function withDatabase(scene: Scene, use: (database: Database) => Promise<void>): Promise<void> {
  const held = await startEmbeddedPostgres({ dataDir: join(scene.server.home, "postgres") });
  const database = openDatabase({ connection: held.connection });
  try {
    await use(database);
  } finally {
    await removeSeeded(database);
    await database.close();
    await held.stop();
  }
}

// Until this many rows were read.
async function scrollTo(visit: Visit, rows: number): Promise<void> {
  for (let height = 0; height < rows * 64; ) {
    await visit.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    await until(visit, `document.documentElement.scrollHeight > ${height}`);
    height = Number(await visit.page.evaluate("document.documentElement.scrollHeight"));
  }
  await visit.page.locator("[data-row]").first().waitFor();
}

const tilesOf = (visit: Visit) => visit.page.locator("[data-row]").count();

// The share of its time that the page's thread worked.
async function busyShare(visit: Visit, during: () => Promise<void>): Promise<number> {
  const session = await visit.context.newCDPSession(visit.page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const [before, at] = [await read(), performance.now()];
  await during();
  return (1_000 * ((await read()) - before)) / (performance.now() - at);
}

async function pictureOf(scene: Scene, id: string): Promise<string> {
  const answer = await fetch(`${scene.baseUrl}/api/v2/assets/${id}/content`, {
    headers: { authorization: `Bearer ${scene.server.key}` },
  });
  return hashOf(Buffer.from(await answer.arrayBuffer()));
}

// Pictures carry the graph that made them; it is the same, so the files are too.
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function runIn(scene: Scene, name: string, code: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-code-"));
  try {
    const cli = new URL("../../../cli/bin/atelier.mjs", import.meta.url).pathname;
    symlinkSync(cli, join(folder, "atelier"));
    const env = { ...process.env, ATELIER_API_KEY: scene.server.key, PATH: `${folder}:${process.env["PATH"]}` };
    const [program, flag] = name === "Python" ? ["python3", "-c"] : ["bash", "-c"];
    await promisify(execFile)(program, [flag, code], { cwd: folder, env, timeout: 60_000 });
    const out = existsSync(join(folder, "out")) ? join(folder, "out") : folder;
    return readdirSync(out)
      .filter((file) => file.endsWith(".png"))
      .map((file) => hashOf(readFileSync(join(out, file))));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
