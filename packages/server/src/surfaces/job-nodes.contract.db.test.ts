// The state of each node of a job, on every surface: in a read, in the stream and after the end; and the last preview of a job.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { NodeBoard } from "../capabilities/graph-runs/index.ts";
import { systemClock } from "../foundation/clock.ts";
import { sql } from "../foundation/database/index.ts";
import {
  aGraph,
  aWorker,
  clientOf,
  eventually,
  type HandWorker,
  jobSurfaces,
  openStream,
  submitTo,
} from "./jobs.fixture.ts";
import { aHouse, type Client, type House, textOf, toRecord } from "./surfaces.fixture.ts";

const boardOf = (count: number, title: string | null = "A title") =>
  new NodeBoard(
    Array.from({ length: count }, (_, at) => ({ id: String(at), classType: "ImageInvert", title })),
    systemClock,
  );
const picture = Buffer.from("iVBORw0KGgo=", "base64");
const canceled = { kind: "canceled" } as const;
const problem = { code: "node_execution_error", message: "No.", nodeId: "1", classType: "ImageInvert" };
const failed = { kind: "failed", problem, isRetryable: false } as const;

for (const [name, different] of Object.entries(jobSurfaces)) {
  describe(`nodes of jobs on the ${name} surface`, { timeout: 900_000 }, () => {
    let house: House;
    let client: Client;
    let worker: HandWorker;
    const submit = async () => (await submitTo(client, { workflow: aGraph() })).json();
    const read = async (job: Record<string, unknown>) => client.ask(textOf(toRecord(job["urls"])["self"]));
    const progressOf = async (job: Record<string, unknown>) => toRecord((await read(job)).json()["progress"] ?? {});
    const statesIn = (progress: Record<string, unknown>) =>
      Array.isArray(progress["nodes"]) ? progress["nodes"].map((node) => textOf(toRecord(node)["state"])) : null;
    const previewOf = async (job: Record<string, unknown>) => client.ask(textOf(toRecord(job["urls"])["preview"]));

    before(async () => {
      house = await aHouse();
      client = clientOf(house, different);
      worker = aWorker(house, different.pool(house));
    });
    after(async () => {
      await client.close();
      await house.close();
    });

    test("a read and the stream agree, the end is kept with the job, and a list leaves nodes out", async () => {
      const job = await submit();
      const target = new URL(textOf(toRecord(job["urls"])["events"]), `http://127.0.0.1:${different.port(house)}`);
      const stream = await openStream(target.href, different.credential(house));
      const run = await worker.claim(textOf(job["id"]));
      const board = boardOf(3);
      board.finish("0", 12);
      board.advance("1", 0.25);
      run.progress(0.4, board.picture(1));
      await stream.until((sent) => sent.some(({ event, data }) => event === "progress" && "nodes" in data));
      const live = await progressOf(job);
      const sent = stream.events.find(({ event }) => event === "progress")?.data;
      assert.deepEqual([live["nodes"], live["node_counts"]], [sent?.["nodes"], sent?.["node_counts"]]);
      const counts = { waiting: 1, running: 1, cached: 0, done: 1, failed: 0 };
      assert.deepEqual([statesIn(live), live["node_counts"]], [["done", "running", "waiting"], counts]);
      const [first, second] = Array.isArray(live["nodes"]) ? live["nodes"].map(toRecord) : [];
      const same = { node_id: "0", class_type: "ImageInvert", title: "A title", state: "done" };
      assert.deepEqual(first, { ...same, progress: 1, ms: 12 });
      assert.equal(second?.["progress"], 0.25);
      board.close({ kind: "succeeded", outputsReused: false, executedWorkflow: null });
      await run.finish(undefined, board.picture(1));
      await stream.ended();
      const last = stream.events.filter(({ event }) => event === "progress").at(-1)?.data ?? {};
      await house.db.execute(sql`truncate job_live`);
      for (const progress of [last, await progressOf(job)]) {
        assert.deepEqual(statesIn(progress), ["done", "done", "done"]);
        assert.equal(progress["nodes_done"], progress["nodes_total"]);
      }
      const listed = (await client.ask("/api/v2/jobs?limit=1")).json()["data"];
      const [item] = Array.isArray(listed) ? listed.map(toRecord) : [];
      assert.deepEqual([item?.["id"], Object.keys(toRecord(item?.["progress"])).includes("nodes")], [job["id"], false]);
    });

    test("in a job that was canceled or failed what was not completed has failed, what never began waits, and its last preview stays", async () => {
      for (const ending of [canceled, failed]) {
        const job = await submit();
        const run = await worker.claim(textOf(job["id"]));
        const board = boardOf(3);
        board.finish("0", 1);
        board.begin("1");
        run.progress(0.3, board.picture(1));
        run.preview(picture);
        if (ending === canceled) await client.ask(`/api/v2/jobs/${textOf(job["id"])}/cancel`, { method: "POST" });
        // Like a worker that reports nothing more about its nodes: the last report counts.
        await eventually(async () => statesIn(await progressOf(job)) !== null);
        await run.finish(ending);
        const progress = await progressOf(job);
        assert.deepEqual(statesIn(progress), ["done", "failed", "waiting"]);
        assert.deepEqual(progress["node_counts"], { waiting: 1, running: 0, cached: 0, done: 1, failed: 1 });
        const shown = await previewOf(job);
        assert.deepEqual([shown.status, shown.bytes], [200, picture]);
      }
    });

    test("nodes belong to an attempt: the next one starts over, and a worker that reports none shows none", async () => {
      const job = await submit();
      const run = await worker.claim(textOf(job["id"]));
      const board = boardOf(2);
      board.finish("0", 1);
      run.progress(0.5, board.picture(1));
      await eventually(async () => statesIn(await progressOf(job)) !== null);
      await house.jobs.workers.giveBack(run.claimed.lease);
      assert.equal(statesIn(await progressOf(job)), null, "it waits for its next attempt");
      const again = await worker.claim(textOf(job["id"]));
      assert.equal(statesIn(await progressOf(job)), null, "nothing is known of this one yet");
      again.progress(0.6);
      await eventually(async () => (await progressOf(job))["value"] === 0.6);
      assert.equal(statesIn(await progressOf(job)), null, "an older worker");
      again.progress(0.7, boardOf(2).picture(2));
      await eventually(async () => statesIn(await progressOf(job)) !== null);
      const progress = await progressOf(job);
      assert.deepEqual([statesIn(progress), progress["value"]], [["waiting", "waiting"], 0.7]);
      await again.finish();
    });

    test("a job of ten thousand nodes with long titles is read in a bounded body", async () => {
      const job = await submit();
      const run = await worker.claim(textOf(job["id"]));
      const board = boardOf(10_000, "ü".repeat(500));
      for (let at = 0; at < 9_000; at++) board.finish(String(at), 3);
      run.progress(0.9, board.picture(1));
      await eventually(async () => statesIn(await progressOf(job)) !== null);
      const { bytes } = await read(job);
      assert.ok(bytes.byteLength <= 160 * 1024, `${bytes.byteLength} bytes`);
      const counts = { waiting: 1_000, running: 0, cached: 0, done: 9_000, failed: 0 };
      assert.deepEqual((await progressOf(job))["node_counts"], counts);
      await run.finish(canceled, board.picture(1));
      assert.deepEqual((await progressOf(job))["node_counts"], counts);
    });
  });
}
