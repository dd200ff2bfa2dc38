import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isUuid } from "../../../foundation/ids.ts";
import { promptIdOf, promptIdsMax } from "./prompt-id.ts";
import { findPrompt, readPromptState } from "./prompt-state.ts";
import { type HistoryEntry, readHistory, readQueue } from "./read-prompts.ts";

const jobId = "018f0000-0000-7000-8000-000000000001";
const entry = (ending: HistoryEntry["ending"]): HistoryEntry => ({
  ending,
  ranFor: null,
  failure: null,
  cachedNodes: [],
  outputs: new Map(),
  displayNodes: new Map(),
});
const empty = { running: new Set<string>(), pending: [], outputsOf: new Map<string, readonly string[]>() };

test("the queue is a heap: the numbers say who is next", () => {
  const queue = readQueue({
    queue_running: [[9, "running", {}, {}, ["7"]]],
    queue_pending: [
      [-13, "front"],
      [10, "a"],
      [12, "c"],
      [11, "b"],
    ],
  });
  assert.deepEqual(queue?.pending, ["front", "a", "b", "c"]);
  assert.deepEqual([...(queue?.outputsOf ?? [])], [["running", ["7"]]]);
  assert.ok(queue);
  assert.deepEqual(readPromptState("b", queue, null), { kind: "pending", position: 2 });
  assert.deepEqual(readPromptState("running", queue, entry("failed")), { kind: "running" });
  assert.deepEqual(readPromptState("gone", queue, null), { kind: "unknown" });
});

test("an invalid queue or history is distinguished from an empty one", () => {
  assert.equal(readQueue([]), null);
  assert.equal(readQueue({ queue_running: [] }), null);
  assert.deepEqual(readQueue({ queue_running: ["x", [1]], queue_pending: [] }), {
    running: new Set(),
    pending: [],
    outputsOf: new Map(),
  });
  assert.equal(readHistory({}, "p"), null);
  assert.equal(readHistory({ other: {} }, "p"), undefined);
  assert.equal(readHistory("no", "p"), undefined);
  assert.equal(readHistory({}, "constructor"), null);
});

test("a history entry says how it ended, what was cached and what it made", () => {
  const messages = (...events: [string, object][]) => ({ status_str: "error", messages: events });
  const read = (status: object, rest: object = {}) => readHistory({ p: { status, ...rest } }, "p");
  assert.equal(read({ status_str: "success", messages: [] })?.ending, "succeeded");
  assert.equal(read(messages(["execution_interrupted", {}]))?.ending, "interrupted");
  const failure = { node_id: "3", node_type: "T", exception_type: "E", exception_message: "m", traceback: ["x"] };
  const broken = read(messages(["execution_cached", { nodes: ["1"] }], ["execution_error", failure]));
  assert.equal(broken?.ending, "failed");
  assert.deepEqual(broken?.cachedNodes, ["1"]);
  assert.deepEqual(broken?.failure, { nodeId: "3", classType: "T", exceptionType: "E", message: "m" });
  const rest = { outputs: { "5.0": { text: ["a"] }, "6": 1 }, meta: { "5.0": { display_node: "5" } } };
  const made = read({ status_str: "success" }, { ...rest, prompt: [1, "p", {}, {}, ["5", "6"]] });
  assert.deepEqual([made?.ranFor, broken?.ranFor], [["5", "6"], null]);
  assert.deepEqual([...(made?.outputs.keys() ?? [])], ["5.0"]);
  assert.equal(made?.displayNodes.get("5.0"), "5");
});

test("the ids of a job are distinct canonical ids, the first is its own, and everybody derives the same", () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const ids = Array.from({ length: promptIdsMax }, (_, counter) => promptIdOf(id, counter));
      assert.equal(ids[0], id);
      assert.equal(new Set(ids).size, promptIdsMax);
      for (const each of ids) assert.ok(isUuid(each), each);
      assert.deepEqual(
        ids,
        ids.map((_, counter) => promptIdOf(id, counter)),
      );
    }),
  );
});

test("a job the application has is resumed, and an unknown one is submitted under its own id", async () => {
  const none = async () => null;
  assert.deepEqual(await findPrompt(jobId, empty, none), { kind: "submit", counter: 0 });
  const running = { ...empty, running: new Set([jobId]), outputsOf: new Map([[jobId, ["2"]]]) };
  assert.deepEqual(await findPrompt(jobId, running, none), {
    kind: "attach",
    counter: 0,
    state: { kind: "running" },
    ranFor: ["2"],
  });
  const ended = await findPrompt(jobId, empty, async () => entry("succeeded"));
  const state = { kind: "ended", entry: entry("succeeded") };
  assert.deepEqual(ended, { kind: "attach", counter: 0, state, ranFor: null });
});

test("an interrupted run is submitted again under the next free id, never under one that is remembered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: promptIdsMax - 2 }), async (interruptions) => {
      const known = new Map(
        Array.from({ length: interruptions }, (_, counter) => [promptIdOf(jobId, counter), entry("interrupted")]),
      );
      const historyOf = async (id: string) => known.get(id) ?? null;
      assert.deepEqual(await findPrompt(jobId, empty, historyOf), { kind: "submit", counter: interruptions });
      const queue = { ...empty, pending: ["x", promptIdOf(jobId, interruptions)] };
      assert.deepEqual(await findPrompt(jobId, queue, historyOf), {
        kind: "attach",
        counter: interruptions,
        state: { kind: "pending", position: 1 },
        ranFor: null,
      });
    }),
  );
  const all = await findPrompt(jobId, empty, async () => entry("interrupted"));
  assert.equal(all.kind, "attach", "it does not go on for ever");
});
