// Both sides die and come back, in every order: a running job is continued or reported, a waiting one runs, and in a
// storm of faults every job ends.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { noFaults, spawnSandboxApplication } from "@atelier/sandbox";
import { freePort } from "../../../test/support/free-port.ts";
import { systemClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import type { JobId } from "../jobs/index.ts";
import { jobOf, openStage, type Stage, slow, start, until } from "./applications.fixture.ts";
import { openApplication } from "./open-application.ts";

const patient = { timing: { graceMs: [20, 100], askBlindEveryMs: 100, awayMsMax: 60_000 } };

describe("restarts", () => {
  let home: string;
  before(async () => {
    home = await mkdtemp(join(tmpdir(), "atelier-restarts-"));
  });
  after(() => rm(home, { recursive: true, force: true }));

  test("a new process of ours goes on with the prompt of the old one, under its client id or another", async () => {
    const stage = await openStage({ home });
    try {
      const options = { url: stage.standIn.url, clock: systemClock, log: silentLog };
      // A job whose process leaves in the middle; on a busy machine it must run longer for that.
      const leftBehind = async (seconds: number): Promise<JobId> => {
        const jobId = newId<"job">();
        const before = openApplication({ ...options, clientId: "the same" });
        await until(() => before.isSocketOpen(), "it hears");
        const lost = start(before, jobOf(slow(seconds), { jobId }), patient);
        await until(() => lost.progress.length > 0, "it runs");
        // As if the process had died: it sends nothing to the application any more.
        await before.close();
        const { kind } = await lost.ending;
        if (kind === "succeeded") return leftBehind(seconds * 2);
        assert.equal(kind, "failed");
        return jobId;
      };
      for (const clientId of ["the same", "another"]) {
        const jobId = await leftBehind(1.5);
        const next = openApplication({ ...options, clientId });
        try {
          const found = start(next, jobOf(slow(1.5), { jobId, isResumed: true }), patient);
          assert.equal((await found.ending).kind, "succeeded");
          assert.equal(found.outputs.length, 1);
          assert.equal(stage.standIn.stats.startsById[jobId], 1, "it ran once");
        } finally {
          await next.close();
        }
      }
    } finally {
      await stage.close();
    }
  });

  test("a client that the application forgot over a reconnect notices, and hears again", async () => {
    const stage = await openStage({ home });
    const options = { url: stage.standIn.url, clock: systemClock, log: silentLog, clientId: "kept" };
    const old = openApplication(options);
    await until(() => old.isSocketOpen(), "the old socket is open");
    const application = openApplication(options);
    try {
      await until(() => application.isSocketOpen(), "the new socket is open");
      const open = stage.standIn.stats.socketsOpen;
      await old.close();
      await until(() => stage.standIn.stats.socketsOpen < open, "the application saw that the old one is gone");
      const deaf = start(application, jobOf(slow(0.1)));
      assert.equal((await deaf.ending).kind, "succeeded");
      await until(() => application.isSocketOpen(), "it came back");
      // Reports are throttled: the busier the machine, the longer it takes to hear three.
      const heardIn = async (seconds: number): Promise<number> => {
        const hearing = start(application, jobOf(slow(seconds)));
        assert.equal((await hearing.ending).kind, "succeeded");
        return hearing.progress.length;
      };
      assert.ok((await heardIn(0.5)) > 2 || (await heardIn(5)) > 2, "it hears again");
    } finally {
      await application.close();
      await stage.close();
    }
  });

  test("a killed application fails its running job with that reason, and the next attempt succeeds", async () => {
    // Chosen beforehand: a port from the system might belong to another program when the application comes back.
    const port = await freePort();
    const first = await spawnSandboxApplication({ home, port });
    const application = openApplication({ url: first.url, clock: systemClock, log: silentLog });
    // The child does not keep this process alive; this does.
    const awake = setInterval(() => {}, 1_000);
    const [jobId, waitingId] = [newId<"job">(), newId<"job">()];
    let second: typeof first | null = null;
    try {
      const running = start(application, jobOf(slow(30), { jobId }), patient);
      await until(() => running.progress.length > 0, "it runs");
      const waiting = start(application, jobOf(slow(0.1), { jobId: waitingId }), patient);
      await until(async () => (await application.queue()).pending.length === 1, "one waits");
      await first.kill();
      second = await spawnSandboxApplication({ home, port });
      const ending = await running.ending;
      assert.ok(ending.kind === "failed");
      assert.deepEqual([ending.problem.code, ending.isRetryable], ["application_restarted", true]);
      assert.equal((await waiting.ending).kind, "succeeded");
      const again = start(application, jobOf(slow(0.1), { jobId, attempt: 2 }), patient);
      assert.equal((await again.ending).kind, "succeeded");
      assert.equal(again.outputs.length, 1);
    } finally {
      await first.kill();
      await second?.kill();
      clearInterval(awake);
      await application.close();
    }
  });
});

describe("a storm of faults", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());

  test("every job ends, most of them while it lasts, and all succeed within their attempts after it", async () => {
    const storms = [
      { garbage: "html" },
      { garbage: "frames", progressPerSecond: 100 },
      { dropsSocketAfterFrames: 3 },
      { wrongPromptIds: "instead" },
      { losesHistory: true },
      { slowMs: 120 },
      { previewBytes: 5_000_000, progressPerSecond: 30 },
      {},
    ] as const;
    let isOver = false;
    const weather = (async () => {
      for (let turn = 0; turn < 24; turn++) {
        stage.standIn.setFaults({ ...noFaults, ...storms[(turn * 5) % storms.length] });
        if (turn % 6 === 3) await stage.standIn.restart(60);
        if (turn % 4 === 1) stage.standIn.dropSockets();
        await systemClock.sleep(120);
      }
      stage.standIn.setFaults(noFaults);
      isOver = true;
    })();
    const attemptsOf = async (at: number) => {
      const jobId = newId<"job">();
      for (let attempt = 1; ; attempt++) {
        const timing = { graceMs: [20, 60], askEveryMs: 200, askBlindEveryMs: 50, awayMsMax: 400 };
        const tried = start(stage.application, jobOf(slow(0.02, `storm${at}`), { jobId, attempt }), { timing });
        const ending = await tried.ending;
        if (ending.kind === "succeeded") return tried.outputs.length;
        assert.ok(ending.kind === "failed" && ending.isRetryable, JSON.stringify(ending));
        // A failure after the storm would be our fault.
        assert.ok(!isOver || attempt < 1_000);
        await systemClock.sleep(50);
      }
    };
    const outputs = await Promise.all(Array.from({ length: 16 }, (_, at) => attemptsOf(at)));
    assert.deepEqual(
      outputs,
      Array.from({ length: 16 }, () => 1),
    );
    await weather;
    assert.equal(stage.standIn.stats.untargetedInterrupts, 0);
  });
});
