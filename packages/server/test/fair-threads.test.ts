// The threads that read large bodies are shared fairly: one workspace's bodies hold up no other.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { systemClock } from "../src/foundation/clock.ts";
import { Fault } from "../src/foundation/fault.ts";
import { fairThreads } from "../src/foundation/own-thread.ts";
import type { HeldTask } from "./support/held-task.worker.ts";

const threads = fairThreads<HeldTask, string>(new URL("./support/held-task.worker.ts", import.meta.url), systemClock);
after(() => threads.close());

const closedGate = () => new Int32Array(new SharedArrayBuffer(8));
const openGate = Int32Array.of(1);

function open(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

function shared(numbers: Int32Array): Int32Array<SharedArrayBuffer> {
  const copy = closedGate();
  copy.set(numbers);
  return copy;
}

describe("the threads for large bodies", { timeout: 900_000 }, () => {
  test("a slow body, and everything its sender sends after it, holds up nobody else", async () => {
    const gate = closedGate();
    const done: string[] = [];
    const note = (name: string) => done.push(name);
    const hostile = ["a1", "a2", "a3"].map((name) => threads.run({ name, gate }, "a").then(note));
    for (const name of ["b1", "c1", "b2"])
      await threads.run({ name, gate: shared(openGate) }, name.charAt(0)).then(note);
    assert.deepEqual(done, ["b1", "c1", "b2"]);
    open(gate);
    await Promise.all(hostile);
    assert.deepEqual(done.slice(3), ["a1", "a2", "a3"]);
  });

  test("a sender with too much waiting gets 503 with Retry-After, and others do not", async () => {
    const gate = closedGate();
    const outcomes = Array.from({ length: 300 }, (_, at) => threads.run({ name: `a${at}`, gate }, "a"));
    const settled = Promise.allSettled(outcomes);
    assert.equal(await threads.run({ name: "b", gate: shared(openGate) }, "b"), "b");
    open(gate);
    const refused = (await settled).filter((one) => one.status === "rejected").map(({ reason }) => reason);
    // One is being read or about to be, and the others wait.
    assert.ok(refused.length === 300 - 256 || refused.length === 300 - 257, String(refused.length));
    for (const fault of refused) {
      assert.ok(fault instanceof Fault && fault.code === "service_unavailable", String(fault));
      assert.ok(Number(fault.retryAfterSeconds) >= 1);
    }
  });

  test("a thread that ends takes only its own task with it", async () => {
    const gate = closedGate();
    const lost = threads.run({ name: "a", gate }, "a");
    const other = threads.run({ name: "b", gate: shared(openGate) }, "b");
    assert.equal(await other, "b");
    // Begun before the end, so that it is the one that ends with the thread.
    await Atomics.waitAsync(gate, 1, 0).value;
    const isLost = assert.rejects(lost, /ended/);
    await threads.close();
    await isLost;
    assert.equal(await threads.run({ name: "a", gate: shared(openGate) }, "a"), "a");
  });
});
