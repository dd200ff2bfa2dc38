import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readTask } from "./read-task.ts";

const definition = {
  task: { root: "/data", id: "/id", status: "/status", error_code: "/error/code", error_message: "/error/message" },
  states: {
    created: { shown: "C", words: ["CREATED"] },
    running: { shown: "R", words: ["IN_PROGRESS"] },
    completed: { shown: "D", words: ["COMPLETED"] },
    failed: { shown: "F", words: ["FAILED", "error"] },
  },
  result: "/generated",
};
const read = (value: unknown) => readTask(definition, Buffer.from(JSON.stringify(value)), "/data");

test("words mean states in any case of letters, and unknown words mean running", () => {
  for (const [status, state] of [
    ["created", "created"],
    ["IN_PROGRESS", "running"],
    ["Error", "failed"],
    ["WARMING_UP", "running"],
  ] as const)
    assert.equal(read({ data: { id: "1", status } })?.state, state);
});

test("done without a result counts as the partner's failure", () => {
  assert.equal(read({ data: { id: "1", status: "COMPLETED", generated: [] } })?.error?.code, "no_result");
  assert.equal(read({ data: { id: "1", status: "COMPLETED", generated: ["u"] } })?.state, "completed");
});

test("an error's words are cleaned of addresses, and its code is a plain word", () => {
  const failed = read({
    data: { id: "1", status: "FAILED", error: { code: "<script>", message: "at https://inner.example/x" } },
  });
  assert.equal(failed?.error?.code, "failed");
  assert.doesNotMatch(failed?.error?.message ?? "", /inner/);
});

test("ids may be texts or whole numbers, and nothing else", () => {
  for (const [id, expected] of [
    ["abc", "abc"],
    [4711, "4711"],
    ["", null],
    [1.5, null],
    [{}, null],
    ["x".repeat(501), null],
  ] as const)
    assert.equal(read({ data: { id, status: "CREATED" } })?.partnerTaskId ?? null, expected);
});

test("reading never throws, whatever bytes a partner sends", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.json().map((text) => Buffer.from(text)),
      ),
      (bytes) => {
        const reading = readTask(definition, Buffer.from(bytes), "/data");
        assert.ok(reading === null || ["created", "running", "completed", "failed"].includes(reading.state));
      },
    ),
  );
});
