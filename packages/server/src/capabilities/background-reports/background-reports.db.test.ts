import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../foundation/log.ts";
import { createBackgroundReports, type ProcessReport, problemsOf } from "./index.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const until = async (what: string, condition: () => Promise<boolean>) => {
  for (let tries = 0; tries < 12_000; tries++) {
    if (await condition()) return;
    await systemClock.sleep(5);
  }
  assert.fail(what);
};

test("every process reports its background work, each can read all reports, and a stopped one disappears", async () => {
  const stops = ["serve on a 1", "serve on b 2"].map((processName) => {
    const clock = handClock();
    const stop = new AbortController();
    const background = createBackground({ clock, log: silentLog });
    const reports = createBackgroundReports({ database, clock, processName });
    const failing = async () => {
      throw new Error("the partner is away");
    };
    const running = Promise.all([
      background.run({ name: "calls: heartbeat", everyMs: 5000, round: async () => undefined }, stop.signal),
      background.run({ name: "partners: ask", everyMs: 100, round: failing }, stop.signal),
      reports.run(background, stop.signal),
    ]);
    return { clock, stop, running, reports };
  });
  const [one, two] = stops;
  assert.ok(one && two);
  const names = async () => (await one.reports.list()).reports.map(({ name }) => name);
  await until("both are told of", async () => (await names()).length === 2);
  // The first report may have been written before the first rounds of the other works ended.
  await until("the next writing knows how they ended", async () => {
    await one.clock.advance(15_000);
    const { reports } = await two.reports.list();
    const found = reports.find(({ name }) => name === "serve on a 1")?.works ?? [];
    return found.length === 3 && found.every(({ last }) => last !== null);
  });
  const { reports, now } = await two.reports.list();
  const first = reports.find(({ name }) => name === "serve on a 1");
  assert.ok(first && first.seenAt <= now);
  assert.deepEqual(
    first.works.map(({ name, last }) => [name, last?.result, last?.problem]),
    [
      ["background: write down how it goes", "succeeded", null],
      ["calls: heartbeat", "succeeded", null],
      ["partners: ask", "failed", "the partner is away"],
    ],
  );
  assert.deepEqual(problemsOf(first, one.clock.now()), ["partners: ask fails: the partner is away"]);
  for (const { stop, running } of stops) {
    stop.abort();
    await running;
  }
  assert.deepEqual(await names(), []);
});

test("work that never finishes is reported as a problem, and work that is merely due is not", () => {
  const startedAt = new Date("2026-01-01T00:00:00Z");
  const works = (startedSecondsAgo: number | null): ProcessReport["works"] => [
    {
      name: "jobs: sweep",
      everySeconds: 60,
      isRunning: true,
      rounds: 1,
      failures: 0,
      last:
        startedSecondsAgo === null
          ? null
          : {
              startedAt: new Date(startedAt.getTime() + 3_600_000 - startedSecondsAgo * 1000),
              milliseconds: 0,
              result: "succeeded",
              problem: null,
            },
    },
  ];
  const report = { processId: "p", name: "serve", startedAt, seenAt: startedAt };
  const now = new Date(startedAt.getTime() + 3_600_000);
  assert.deepEqual(problemsOf({ ...report, works: works(300) }, now), []);
  assert.deepEqual(problemsOf({ ...report, works: works(600) }, now), [
    "jobs: sweep has not run to its end for 10 minutes",
  ]);
  assert.deepEqual(problemsOf({ ...report, works: works(null) }, now), [
    "jobs: sweep has not run to its end for 60 minutes",
  ]);
});
