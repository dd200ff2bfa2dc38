import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createBackground, pauseOf, type WorkReport } from "./background.ts";
import { handClock } from "./hand-clock.fixture.ts";

function world() {
  const clock = handClock();
  const said: string[] = [];
  const log = {
    warn: (_fields: object, text: string) => said.push(`warn: ${text}`),
    info: (_fields: object, text: string) => said.push(`info: ${text}`),
  };
  const stop = new AbortController();
  return { clock, said, stop, background: createBackground({ clock, log: log as never }) };
}

const only = (reports: readonly WorkReport[]): WorkReport => {
  assert.equal(reports.length, 1);
  return reports[0] as WorkReport;
};

describe("background work", { timeout: 900_000 }, () => {
  it("runs a round at once, then one after each pause, until the signal fires", async () => {
    const { clock, stop, background } = world();
    let rounds = 0;
    const done = background.run({ name: "a", everyMs: 1000, round: async () => rounds++ }, stop.signal);
    await clock.advance(0);
    assert.equal(rounds, 1);
    await clock.advance(999);
    assert.equal(rounds, 1);
    await clock.advance(1);
    assert.equal(rounds, 2);
    stop.abort();
    await done;
    await clock.advance(10_000);
    assert.equal(rounds, 2);
  });

  it("leaves works of other roles alone until the signal fires, and says so", async () => {
    const { clock, stop } = world();
    const background = createBackground({
      clock,
      log: { warn() {}, info() {} } as never,
      roles: new Set(["webhooks"]),
    });
    const rounds: string[] = [];
    const work = (name: string, role?: "background" | "webhooks") => ({
      name,
      ...(role ? { role } : {}),
      everyMs: 1000,
      round: async () => rounds.push(name),
    });
    const works = [work("own"), work("deliveries", "webhooks"), work("sweep", "background")];
    let ended = 0;
    const done = works.map((each) => background.run(each, stop.signal).then(() => ended++));
    await clock.advance(0);
    await clock.advance(1000);
    assert.deepEqual(rounds, ["own", "deliveries", "own", "deliveries"]);
    assert.deepEqual(
      background.reports().map(({ name }) => name),
      ["deliveries", "own"],
    );
    assert.deepEqual(
      works.map((each) => background.does(each)),
      [true, true, false],
    );
    background.wake("sweep");
    assert.equal(ended, 0);
    stop.abort();
    await Promise.all(done);
    assert.equal(rounds.length, 4);
  });

  it("waits for the first pause if configured to", async () => {
    const { clock, stop, background } = world();
    let rounds = 0;
    const work = { name: "a", everyMs: 1000, begins: "after_pause", round: async () => rounds++ } as const;
    const done = background.run(work, stop.signal);
    await clock.advance(999);
    assert.equal(rounds, 0);
    await clock.advance(1);
    assert.equal(rounds, 1);
    stop.abort();
    await done;
  });

  it("never runs two rounds of one work at a time, and a wake-up during a round starts one more", async () => {
    const { clock, stop, background } = world();
    let underWay = 0;
    let most = 0;
    let rounds = 0;
    const round = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      rounds += 1;
      await clock.sleep(100);
      underWay -= 1;
    };
    const done = background.run({ name: "a", everyMs: 60_000, round }, stop.signal);
    await clock.advance(50);
    background.wake("a");
    background.wake("a");
    await clock.advance(60);
    assert.equal(rounds, 2);
    await clock.advance(1000);
    assert.deepEqual([rounds, most], [2, 1]);
    background.wake("a");
    await clock.advance(1);
    assert.equal(rounds, 3);
    stop.abort();
    await clock.advance(1000);
    await done;
  });

  it("goes on after a failure, logs it once when it begins and once when it is over", async () => {
    const { clock, said, stop, background } = world();
    let isBroken = true;
    const round = async () => {
      if (isBroken) throw new Error("the database is away");
    };
    const done = background.run({ name: "calls: heartbeat", everyMs: 5000, round }, stop.signal);
    await clock.advance(0);
    await clock.advance(20_000);
    const failing = only(background.reports());
    assert.equal(failing.last?.result, "failed");
    assert.equal(failing.last?.problem, "the database is away");
    assert.equal(failing.failures, 5);
    isBroken = false;
    await clock.advance(10_000);
    assert.deepEqual(said, [
      "warn: background work failed; retrying until it succeeds",
      "info: background work succeeds again",
    ]);
    assert.deepEqual([only(background.reports()).last?.result, only(background.reports()).failures], ["succeeded", 5]);
    stop.abort();
    await done;
  });

  it("slows a quick work down while it fails, and never delays one beyond its interval of five seconds or more", () => {
    assert.equal(pauseOf(100, 0), 100);
    assert.equal(pauseOf(100, 1), 200);
    assert.equal(pauseOf(100, 40), 5000);
    assert.equal(pauseOf(5000, 7), 5000);
    assert.equal(pauseOf(600_000, 3), 600_000);
  });

  it("reports how often, when and how each work ended, and never counts a stop as a failure", async () => {
    const { clock, said, stop, background } = world();
    const slow = {
      name: "b",
      everyMs: () => 2000,
      async round(signal: AbortSignal) {
        await clock.sleep(300, signal);
        signal.throwIfAborted();
      },
    };
    const both = Promise.all([
      background.run(slow, stop.signal),
      background.run({ name: "a", everyMs: 500, round: async () => undefined }, stop.signal),
    ]);
    await clock.advance(2400);
    const [a, b] = background.reports();
    assert.deepEqual([a?.name, a?.everySeconds, a?.rounds, a?.isRunning], ["a", 0.5, 5, false]);
    assert.deepEqual([b?.name, b?.rounds, b?.isRunning, b?.last?.milliseconds], ["b", 1, true, 300]);
    assert.equal(b?.last?.startedAt.toISOString(), "2026-01-01T00:00:00.000Z");
    stop.abort();
    await both;
    assert.deepEqual([background.reports()[1]?.failures, said], [0, []]);
  });
});
