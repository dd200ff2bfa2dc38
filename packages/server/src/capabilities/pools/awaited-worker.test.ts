import assert from "node:assert/strict";
import { test } from "node:test";
import { awaitedWorker, type PoolEnvironment } from "./awaited-worker.ts";

const [early, late] = [new Date(1_000), new Date(2_000)];
const here = (...classes: string[]): PoolEnvironment => ({
  classes: new Set(classes),
  isPresent: true,
  seenAt: new Date(9_000),
});
const gone = (seenAt: Date, ...classes: string[]): PoolEnvironment => ({
  ...here(...classes),
  isPresent: false,
  seenAt,
});
const needing = (...classes: string[]) => ({ classes, models: [] });

test("a job waits for no worker while one that has all its classes is here", () => {
  assert.equal(awaitedWorker(needing("A", "B"), [gone(early, "A", "B"), here("A", "B", "C")]), null);
  assert.equal(awaitedWorker(null, [here()]), null, "any worker will do");
});

test("a job whose only workers are gone waits for what the present ones lack, and names the last that could run it", () => {
  const environments = [here("A"), gone(early, "A", "B"), gone(late, "A", "B", "C"), gone(new Date(3_000), "B")];
  assert.deepEqual(awaitedWorker(needing("A", "B"), environments), {
    nodeClasses: ["B"],
    models: [],
    lastSeenAt: late,
  });
});

test("classes that are here on different workers are all named, because no worker has all of them", () => {
  const found = awaitedWorker(needing("A", "B"), [here("A"), here("B"), gone(early, "A", "B")]);
  assert.deepEqual(found, { nodeClasses: ["A", "B"], models: [], lastSeenAt: early });
});

test("a file of weights that only an absent worker has is named", () => {
  const lacking = { ...here("A"), modelsLacking: new Set(["a.safetensors"]) };
  const found = awaitedWorker({ classes: ["A"], models: ["a.safetensors", "text.bin"] }, [lacking, gone(late, "A")]);
  assert.deepEqual(found, { nodeClasses: [], models: ["a.safetensors"], lastSeenAt: late });
});

test("with no worker here everything is named, and the time is null where none is remembered", () => {
  assert.deepEqual(awaitedWorker(needing("A"), []), { nodeClasses: ["A"], models: [], lastSeenAt: null });
  assert.deepEqual(awaitedWorker(null, [gone(late)]), { nodeClasses: [], models: [], lastSeenAt: late });
});
