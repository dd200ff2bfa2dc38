// Lists of jobs that are long, or that all change at the same time; a job's code in a real shell; every look of every
// page.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { ended, jobLooks, noisyGraph, submit, until } from "./jobs.pages.ts";
import { frameMsMax, graphNodes, panGraph } from "./large-graph.ts";
import { busyShareMax, readJobs, rowsOf, tilesMax, watchRunning, withDatabase } from "./long-lists.ts";
import type { Scene } from "./scene.ts";

export function longJobPages(scene: () => Scene): void {
  describe("long lists of jobs", () => {
    test("100,000 jobs scroll with fewer than 400 tiles, and going back finds the same rows", () =>
      withDatabase(scene(), async (database) => {
        const visit = await scene().visit();
        assert.ok((await readJobs(scene(), visit, database)) < tilesMax);
        const shown = await visit.page.evaluate("scrollY");
        // Clicked by the page itself: a click from outside would first scroll the row into view.
        await visit.page.evaluate(
          "[...document.querySelectorAll('[data-row] a')].find((row) => row.getBoundingClientRect().top > 300).click()",
        );
        await visit.page.waitForURL(/\/console\/jobs\/0/);
        await visit.page.goBack();
        await visit.page.locator("[data-row]").nth(5).waitFor();
        await until(visit, `Math.abs(scrollY - ${shown}) < 200`);
        assert.ok((await rowsOf(visit)) < tilesMax);
        await visit.close();
      }));

    test("500 running jobs that all change take less than a fifth of a core", () =>
      withDatabase(scene(), async (database) => {
        const visit = await scene().visit();
        const { busyShare, requests, rows } = await watchRunning(scene(), visit, database);
        assert.ok(busyShare < busyShareMax, `the page took ${Math.round(busyShare * 100)} % of a core`);
        // One list request per tick of two seconds, however much is on the page.
        assert.ok(requests <= 10, `${requests} requests`);
        assert.ok(rows < tilesMax);
        await visit.picture("jobs-running");
        await visit.close();
      }));
  });

  describe("a large graph", () => {
    test("of 500 nodes is panned with less than 20 ms of the page's thread per frame", async (context) => {
      const visit = await scene().visit();
      const { threadMsPerFrame, framesPerSecond, nodesInDocument } = await panGraph(visit);
      context.diagnostic(`${threadMsPerFrame.toFixed(1)} ms a frame, ${framesPerSecond.toFixed(0)} frames a second`);
      assert.ok(threadMsPerFrame < frameMsMax, `${threadMsPerFrame} ms a frame`);
      assert.ok(nodesInDocument < graphNodes / 2, `${nodesInDocument} nodes in the document`);
      await visit.close();
    });
  });

  describe("the code of a job", () => {
    test("pasted into a shell, gives the same picture in each language", async () => {
      const job = await ended(scene(), (await submit(scene(), noisyGraph(23), { it: "isn't" })).id);
      const visit = await scene().visit();
      await visit.open(`/console/jobs/${job.id}?tab=code`);
      const own = await pictureOf(scene(), job.outputs[0]?.id ?? "");
      for (const name of ["curl", "Python", "CLI"]) {
        await visit.page.getByRole("tab", { name, exact: true }).click();
        const code = await visit.page.getByLabel(`This job with ${name}`).textContent();
        assert.deepEqual(await runIn(scene(), name, code ?? ""), [own], name);
      }
      await visit.close();
    });
  });

  describe("every look", () => jobLooks(scene));
}

async function pictureOf(scene: Scene, id: string): Promise<string> {
  const answer = await fetch(`${scene.baseUrl}/api/v2/assets/${id}/content`, {
    headers: { authorization: `Bearer ${scene.server.key}` },
  });
  return hashOf(Buffer.from(await answer.arrayBuffer()));
}

// Pictures contain the graph that made them; it is the same, so the files are the same.
const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

async function runIn(scene: Scene, name: string, code: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "atelier-code-"));
  try {
    const path = `${dirname(process.execPath)}:${process.env["PATH"]}`;
    const env = { ...process.env, ATELIER_API_KEY: scene.server.key, PATH: path, HOME: folder };
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
