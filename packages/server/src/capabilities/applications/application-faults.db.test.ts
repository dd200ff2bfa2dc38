// No matter what an application does, a job ends: with a typed error, or by running again. Nothing here may hang.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, describe, test } from "node:test";
import { noFaults } from "@atelier/sandbox";
import { freePort } from "../../../test/support/free-port.ts";
import { systemClock } from "../../foundation/clock.ts";
import { silentLog } from "../../foundation/log.ts";
import type { JobEnding } from "../jobs/index.ts";
import { jobOf, openStage, picture, run, type Stage, slow, start, until } from "./applications.fixture.ts";
import { openApplication } from "./open-application.ts";

const impatient = { timing: { awayMsMax: 700, askBlindEveryMs: 50, graceMs: [20, 50] } };
const codeOf = (ending: JobEnding) =>
  ending.kind === "failed" ? [ending.problem.code, ending.isRetryable] : ending.kind;

describe("an application with faults", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
    assert.ok(await stage.application.whenUp(60_000));
  });
  afterEach(async () => {
    stage.standIn.setFaults(noFaults);
    await until(() => stage.application.isSocketOpen(), "the socket is open again");
  });
  after(() => stage.close());

  for (const garbage of ["html", "broken_json", "wrong_shape"] as const) {
    test(`garbage answers (${garbage}) end the attempt with that reason`, async () => {
      stage.standIn.setFaults({ garbage });
      assert.deepEqual(codeOf(await run(stage.application, picture(), impatient).ending), ["application_error", true]);
    });
  }

  test("temporary garbage answers are waited out", async () => {
    stage.standIn.setFaults({ garbage: "html" });
    const { ending } = run(stage.application, picture());
    await systemClock.sleep(300);
    stage.standIn.setFaults(noFaults);
    assert.equal((await ending).kind, "succeeded");
  });

  test("garbage frames change nothing", async () => {
    stage.standIn.setFaults({ garbage: "frames" });
    const { ending, outputs } = run(stage.application, slow(0.2));
    assert.equal((await ending).kind, "succeeded");
    assert.equal(outputs.length, 1);
  });

  test("a hundred frames a second are throttled to a readable pace", async () => {
    stage.standIn.setFaults({ progressPerSecond: 100 });
    const startedMs = systemClock.monotonicMs();
    const { ending, progress } = run(stage.application, slow(1));
    assert.equal((await ending).kind, "succeeded");
    // Ten a second, no matter how long a busy machine takes for this second.
    const most = (systemClock.monotonicMs() - startedMs) / 95 + 3;
    assert.ok(progress.length >= 4 && progress.length <= most, `${progress.length} of ten times as many`);
    const values = progress.map(({ value }) => value);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
  });

  test("previews come through, huge ones do not, and the job goes on", async () => {
    stage.standIn.setFaults({ previewBytes: 50_000, progressPerSecond: 20 });
    const startedMs = systemClock.monotonicMs();
    const seen = run(stage.application, slow(0.6));
    assert.equal((await seen.ending).kind, "succeeded");
    const most = (systemClock.monotonicMs() - startedMs) / 240 + 3;
    assert.ok(seen.previews.length >= 1 && seen.previews.length <= most, `${seen.previews.length} previews`);
    stage.standIn.setFaults({ previewBytes: 6 * 1024 * 1024, progressPerSecond: 10 });
    const unseen = run(stage.application, slow(0.4));
    assert.equal((await unseen.ending).kind, "succeeded");
    assert.deepEqual(unseen.previews, []);
  });

  test("messages about unknown prompts are ignored", async () => {
    stage.standIn.setFaults({ wrongPromptIds: "beside" });
    assert.equal((await run(stage.application, slow(0.2)).ending).kind, "succeeded");
    stage.standIn.setFaults({ wrongPromptIds: "instead" });
    const deaf = run(stage.application, slow(0.2), { timing: { askEveryMs: 100 } });
    assert.equal((await deaf.ending).kind, "succeeded", "what is not told is asked for");
    assert.equal(deaf.outputs.length, 1);
  });

  test("a socket that is cut again and again costs no job", async () => {
    stage.standIn.setFaults({ dropsSocketAfterFrames: 4 });
    const { ending, outputs } = run(stage.application, slow(0.5), { timing: { askBlindEveryMs: 100 } });
    assert.equal((await ending).kind, "succeeded");
    assert.equal(outputs.length, 1);
  });

  test("a prompt whose end is never written down fails for another attempt", async () => {
    stage.standIn.setFaults({ losesHistory: true });
    assert.deepEqual(codeOf(await run(stage.application, slow(0.1), impatient).ending), [
      "application_restarted",
      true,
    ]);
  });

  test("a job that was running when the application restarted says so; one that waited runs", async () => {
    const running = run(stage.application, slow(30), impatient);
    await until(() => running.progress.length > 0, "one runs and says so");
    const waiting = start(stage.application, jobOf(slow(0.1)), { timing: { graceMs: [20, 50] } });
    await until(async () => (await stage.application.queue()).pending.length === 1, "one waits");
    await stage.standIn.restart(300);
    assert.deepEqual(codeOf(await running.ending), ["application_restarted", true]);
    assert.equal((await waiting.ending).kind, "succeeded");
    assert.equal(waiting.outputs.length, 1);
  });

  test("a crash during a job is reported, and the next attempt succeeds", async () => {
    stage.standIn.setFaults({ crashesMidJob: true });
    const job = jobOf(slow(0.2));
    const first = start(stage.application, job, { timing: { graceMs: [20, 50] } });
    assert.deepEqual(codeOf(await first.ending), ["application_restarted", true]);
    stage.standIn.setFaults(noFaults);
    const second = start(stage.application, jobOf(slow(0.2), { jobId: job.lease.jobId, attempt: 2 }));
    const ending = await second.ending;
    assert.equal(ending.kind, "succeeded", JSON.stringify(ending));
  });

  test("a job that runs longer than it may is interrupted and fails", async () => {
    const { ending } = run(stage.application, slow(30), { timing: { runMsMax: 300, askEveryMs: 50 } });
    assert.deepEqual(codeOf(await ending), ["timed_out", false]);
    assert.equal((await stage.application.queue()).running.size, 0);
    assert.equal(stage.standIn.stats.untargetedInterrupts, 0);
  });

  test("an interrupt inside the application is accepted the second time", async () => {
    const { ending } = run(stage.application, slow(30));
    for (let turn = 0; turn < 2; turn++) {
      await until(async () => (await stage.application.queue()).running.size === 1, "it runs");
      const [promptId] = (await stage.application.queue()).running;
      await stage.application.cancel(promptId ?? "");
      await until(async () => !(await stage.application.queue()).running.has(promptId ?? ""), "it stopped");
    }
    assert.deepEqual(codeOf(await ending), ["interrupted", false]);
  });

  test("many jobs share one socket", async () => {
    const sockets = stage.standIn.stats.socketsOpen;
    const runs = Array.from({ length: 12 }, (_, at) => run(stage.application, slow(0.01, `many${at}`)));
    const endings = await Promise.all(runs.map(({ ending }) => ending));
    assert.ok(endings.every(({ kind }) => kind === "succeeded"));
    assert.ok(stage.standIn.stats.socketsOpen <= Math.max(1, sockets));
  });
});

describe("an application that is not there", () => {
  test("a job ends as retryable when it stays away, and at once when it is canceled", async () => {
    const port = await freePort();
    const application = openApplication({ url: `http://127.0.0.1:${port}`, clock: systemClock, log: silentLog });
    try {
      assert.deepEqual(codeOf(await run(application, picture(), impatient).ending), ["application_unreachable", true]);
      assert.equal(application.state(), "down");
      assert.equal(application.classes(), null);
      const waiting = run(application, picture());
      await systemClock.sleep(50);
      waiting.stop();
      assert.deepEqual(await waiting.ending, { kind: "canceled" });
    } finally {
      await application.close();
    }
  });

  test("one that comes later is found, and what waited for it runs", async () => {
    const port = await freePort();
    const application = openApplication({ url: `http://127.0.0.1:${port}`, clock: systemClock, log: silentLog });
    let stage: Stage | null = null;
    try {
      const { ending } = run(application, picture());
      await systemClock.sleep(200);
      stage = await openStage({ port });
      assert.equal((await ending).kind, "succeeded");
      await until(() => application.classes() !== null, "its classes are known");
    } finally {
      await application.close();
      await stage?.close();
    }
  });

  test("one that takes connections and says nothing ends the attempt", async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = addressOf(silent.address());
    const application = openApplication({ url: `http://127.0.0.1:${port}`, clock: systemClock, log: silentLog });
    try {
      const { ending, stop } = run(application, picture(), impatient);
      setTimeout(stop, 500);
      assert.deepEqual(await ending, { kind: "canceled" });
    } finally {
      await application.close();
      silent.closeAllConnections();
      await new Promise((resolve) => silent.close(resolve));
    }
  });
});

function addressOf(address: AddressInfo | string | null): AddressInfo {
  assert.ok(typeof address === "object" && address !== null);
  return address;
}
