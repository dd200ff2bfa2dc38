import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import { decodeNodes } from "../jobs/index.ts";
import { jobOf, openStage, picture, run, type Stage, slow, start, until } from "./applications.fixture.ts";

for (const version of ["old", "new"] as const) {
  describe(`an application of the ${version} kind`, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage({ version });
    });
    after(() => stage.close());

    test("a graph runs, and its files come home under the node that made them", async () => {
      const { ending, outputs, progress } = run(stage.application, picture("sub/one"));
      assert.deepEqual(await ending, { kind: "succeeded", outputsReused: false, executedWorkflow: null });
      assert.deepEqual(
        outputs.map(({ nodeId, index, name, contentType }) => [nodeId, index, name, contentType]),
        [["2", 0, "sub/one_00001_.png", "image/png"]],
      );
      assert.equal(outputs[0]?.bytes.toString("latin1", 1, 4), "PNG");
      assert.equal(progress.at(-1)?.value, 1);
    });

    test("each node is reported to its end, under its title in the graph", async () => {
      const own = { width: 8, height: 8, batch_size: 1, color: 4_711 };
      const graph = {
        ...picture("nodes"),
        "1": { class_type: "EmptyImage", inputs: own, _meta: { title: "Nearly black" } },
        "9": { class_type: "EmptyImage", inputs: own },
      };
      for (const state of ["done", "cached"]) {
        const { ending, boards } = run(stage.application, graph);
        assert.equal((await ending).kind, "succeeded");
        const nodes = decodeNodes(boards[0]?.picture(1) ?? "")?.nodes ?? [];
        assert.deepEqual(
          nodes.map(({ nodeId, title, state: now }) => [nodeId, title, now]),
          [
            ["1", "Nearly black", state],
            ["2", null, state],
          ],
        );
        assert.ok(nodes.every(({ ms }) => (state === "cached" ? ms === null : ms !== null)));
      }
    });

    test("a preview-only picture is shown before the end, shrunk if it is too large", async () => {
      const shown = {
        "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 255 } },
        "2": { class_type: "ImageAddNoise", inputs: { image: ["1", 0], seed: 1, strength: 1 } },
        "4": { class_type: "SaveImageWebsocket", inputs: { images: ["2", 0] } },
      };
      const small = run(stage.application, shown);
      assert.equal((await small.ending).kind, "succeeded");
      assert.equal(small.previews.at(-1)?.nodeId, "4");
      let asked = 0;
      const noisy = { width: 512, height: 512, batch_size: 1, color: 255 };
      const large = run(
        stage.application,
        { ...shown, "1": { class_type: "EmptyImage", inputs: noisy } },
        {
          shrinkPicture: async (bytes) => {
            asked = bytes.byteLength;
            await new Promise((resolve) => setTimeout(resolve, 50));
            return Buffer.from("small");
          },
        },
      );
      assert.equal((await large.ending).kind, "succeeded");
      const last = large.previews.at(-1);
      assert.deepEqual([last?.nodeId, last?.contentType, last?.bytes.toString()], ["4", "image/webp", "small"]);
      assert.ok(asked > 128 * 1024, `${asked} bytes`);
    });

    test("the same graph again takes its results over, and says so", async () => {
      const graph = picture("again");
      await run(stage.application, graph).ending;
      const second = run(stage.application, graph);
      assert.deepEqual(await second.ending, { kind: "succeeded", outputsReused: true, executedWorkflow: null });
      assert.equal(second.outputs.length, 1);
    });

    test("a node that fails is named, without a path of that machine", async () => {
      const ending = await run(stage.application, {
        "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        "7": { class_type: "TestSyncError", inputs: { value: ["1", 0] } },
        "3": { class_type: "SaveImage", inputs: { images: ["7", 0], filename_prefix: "x" } },
      }).ending;
      assert.ok(ending.kind === "failed");
      assert.deepEqual(
        [ending.problem.code, ending.problem.nodeId, ending.problem.classType, ending.isRetryable],
        ["node_execution_error", "7", "TestSyncError", false],
      );
      assert.match(ending.problem.message, /^Intentional sync execution error for testing$/);
    });

    test("a graph of which only a part would run is refused, and that part is taken back", async () => {
      const started = stage.standIn.stats.started;
      const ending = await run(stage.application, {
        ...slow(30),
        "8": { class_type: "SaveImage", inputs: { images: ["nobody", 0], filename_prefix: "x" } },
      }).ending;
      assert.ok(ending.kind === "failed");
      assert.deepEqual([ending.problem.code, ending.problem.nodeId], ["invalid_workflow", "8"]);
      await until(async () => (await stage.application.queue()).running.size === 0, "nothing runs");
      assert.ok(stage.standIn.stats.started <= started + 1);
    });

    test("a partial prompt left behind is refused by the runner that finds it, running or ended", async () => {
      const part = (graph: object) => ({
        ...graph,
        "8": { class_type: "SaveImage", inputs: { images: ["nobody", 0], filename_prefix: "x" } },
      });
      for (const [graph, isEnded] of [
        [part(slow(30)), false],
        [part(picture("part")), true],
      ] as const) {
        // As if the process had died between the application's answer and the cancel.
        const jobId = newId<"job">();
        await stage.application.submit({ promptId: jobId, graph: JSON.stringify(graph), credential: null });
        const isThere = async () =>
          isEnded
            ? (await stage.application.history(jobId)) !== null
            : (await stage.application.queue()).running.has(jobId);
        await until(isThere, "the part is there");
        const found = start(stage.application, jobOf(graph, { jobId, isResumed: true }));
        const ending = await found.ending;
        assert.ok(ending.kind === "failed");
        assert.deepEqual(
          [ending.problem.code, ending.problem.nodeId, ending.problem.classType, ending.isRetryable],
          ["invalid_workflow", "8", "SaveImage", false],
        );
        assert.deepEqual(found.outputs, []);
        await until(async () => (await stage.application.queue()).running.size === 0, "nothing runs");
        assert.equal(stage.standIn.stats.startsById[jobId], 1);
      }
    });

    test("a cancel ends the job's own prompt, waiting or running, and no other", async () => {
      const first = run(stage.application, slow(30));
      const second = run(stage.application, slow(30));
      await until(async () => (await stage.application.queue()).pending.length === 1, "one waits");
      second.stop();
      assert.deepEqual(await second.ending, { kind: "canceled" });
      const untouched = await stage.application.queue();
      assert.deepEqual([untouched.pending.length, untouched.running.size], [0, 1]);
      first.stop();
      assert.deepEqual(await first.ending, { kind: "canceled" });

      const third = run(stage.application, slow(30));
      await until(async () => (await stage.application.queue()).running.size === 1, "it runs");
      const fourth = run(stage.application, slow(0.1));
      third.stop();
      assert.deepEqual(await third.ending, { kind: "canceled" });
      assert.equal((await fourth.ending).kind, "succeeded");
      assert.equal(stage.standIn.stats.untargetedInterrupts, 0);
    });

    test("a second runner of the job goes on with what runs, and collects what ended", async () => {
      const job = jobOf(slow(1));
      const first = start(stage.application, job);
      await until(() => stage.standIn.stats.startsById[job.lease.jobId] === 1, "it runs");
      first.stop("given_back");
      await first.ending;
      const isLeft = async () =>
        (await stage.application.queue()).running.has(job.lease.jobId) ||
        (await stage.application.history(job.lease.jobId))?.ending === "succeeded";
      assert.ok(await isLeft(), "it was left running");
      const second = start(stage.application, jobOf(slow(1), { jobId: job.lease.jobId, attempt: 2 }));
      assert.equal((await second.ending).kind, "succeeded");
      assert.equal(second.outputs.length, 1);
      const third = start(stage.application, jobOf(slow(1), { jobId: job.lease.jobId, attempt: 3 }));
      assert.equal((await third.ending).kind, "succeeded");
      assert.equal(third.outputs.length, 1);
      assert.equal(stage.standIn.stats.startsById[job.lease.jobId], 1);
    });

    test("a job that was interrupted for another runner runs again under another id", async () => {
      const jobId = newId<"job">();
      const first = start(stage.application, jobOf(slow(30), { jobId }));
      await until(async () => (await stage.application.queue()).running.has(jobId), "it runs");
      first.stop("lost");
      await first.ending;
      const second = start(stage.application, jobOf(slow(0.1), { jobId, attempt: 2 }));
      assert.equal((await second.ending).kind, "succeeded");
      assert.equal(stage.standIn.stats.startsById[jobId], 1);
    });

    test("a graph with an unknown class fails with that reason", async () => {
      const ending = await run(stage.application, { "1": { class_type: "Nope", inputs: {} } }).ending;
      assert.ok(ending.kind === "failed");
      assert.deepEqual([ending.problem.code, ending.isRetryable], ["invalid_workflow", false]);
      assert.match(ending.problem.message, /Nope/);
    });
  });
}
