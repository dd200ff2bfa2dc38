import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { handClock } from "./hand-clock.fixture.ts";
import { createLifecycle, signalsRead } from "./lifecycle.ts";
import { createLog, silentLog } from "./log.ts";

describe("a lifecycle", () => {
  test("stops in the reverse order of the start", async () => {
    const order: string[] = [];
    const life = createLifecycle({ log: silentLog, clock: handClock() });
    for (const name of ["database", "identity", "listener"]) life.onStop(name, () => void order.push(name));
    await life.stop("test");
    assert.deepEqual(order, ["listener", "identity", "database"]);
  });

  test("skips a step that takes too long", async () => {
    const lines: string[] = [];
    const clock = handClock();
    const life = createLifecycle({ log: createLog({ level: "info", write: (line) => lines.push(line) }), clock });
    let closed = false;
    life.onStop("database", () => {
      closed = true;
    });
    life.onStop("hanging", () => new Promise<void>(() => undefined), 3);
    const stopped = life.stop("test");
    await clock.advance(2_999);
    assert.equal(closed, false);
    await clock.advance(1);
    await stopped;
    assert.equal(closed, true);
    assert.match(lines.join(""), /"step":"hanging".*took too long/);
  });

  test("a failing step does not keep the others from stopping", async () => {
    let closed = false;
    const life = createLifecycle({ log: silentLog, clock: handClock() });
    life.onStop("first", () => {
      closed = true;
    });
    life.onStop("failing", () => {
      throw new Error("no");
    });
    await life.stop("test");
    assert.equal(closed, true);
  });

  test("gives notice first: it is leaving, and nothing stops before the time is over", async () => {
    const clock = handClock();
    const life = createLifecycle({ log: silentLog, clock });
    let closed = false;
    life.onStop("listener", () => {
      closed = true;
    });
    life.giveNotice(5);
    const stopped = life.stop("test");
    assert.deepEqual([life.leaving.aborted, life.stopping.aborted], [true, false]);
    await clock.advance(4_999);
    assert.deepEqual([closed, life.stopping.aborted, life.secondsStopping()], [false, false, 0]);
    await clock.advance(1);
    await stopped;
    assert.deepEqual([closed, life.stopping.aborted], [true, true]);
  });

  test("a second stop waits for the first and runs nothing twice", async () => {
    let times = 0;
    const life = createLifecycle({ log: silentLog, clock: handClock() });
    life.onStop("once", () => {
      times += 1;
    });
    assert.equal(life.stopping.aborted, false);
    await Promise.all([life.stop("a"), life.stop("b")]);
    assert.equal(times, 1);
    assert.equal(life.stopping.aborted, true);
  });
});

test("two stop signals at once count as one; a later one ends the process now", () => {
  const read = signalsRead();
  assert.deepEqual([10_000, 10_003, 10_999, 11_000, 11_001].map(read), ["stop", "same", "same", "exit", "exit"]);
});
