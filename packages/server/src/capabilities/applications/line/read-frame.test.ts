import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { frameLimits, readBinaryFrame, readTextFrame } from "./read-frame.ts";

const text = (type: string, data: object) => readTextFrame(JSON.stringify({ type, data }));
const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

test("every message of a run is read under its own name", () => {
  const id = { prompt_id: "p" };
  assert.deepEqual(text("execution_start", { ...id, timestamp: 1 }), { kind: "started", promptId: "p" });
  assert.deepEqual(text("execution_cached", { ...id, nodes: ["1", 2] }), {
    kind: "cached",
    promptId: "p",
    nodes: ["1", "2"],
  });
  assert.deepEqual(text("executing", { ...id, node: "4", display_node: "3" }), {
    kind: "executing",
    promptId: "p",
    nodeId: "4",
    displayNodeId: "3",
  });
  assert.deepEqual(text("executing", { ...id, node: null }), { kind: "left", promptId: "p" });
  assert.deepEqual(text("progress", { ...id, node: "4", value: 0.01, max: 6 }), {
    kind: "progress",
    promptId: "p",
    nodeId: "4",
    value: 0.01,
    max: 6,
  });
  assert.deepEqual(text("executed", { ...id, node: "4", output: { text: ["a"] } }), {
    kind: "executed",
    promptId: "p",
    nodeId: "4",
    displayNodeId: null,
    output: { text: ["a"] },
  });
  assert.equal(text("execution_success", id)?.kind, "succeeded");
  assert.equal(text("execution_interrupted", id)?.kind, "interrupted");
});

test("the first word after a reconnect names a node and no prompt", () => {
  assert.deepEqual(text("executing", { node: "2" }), {
    kind: "executing",
    promptId: null,
    nodeId: "2",
    displayNodeId: null,
  });
  assert.equal(text("executing", { node: null }), null, "nobody left");
});

test("a failure keeps its message and loses traceback and inputs", () => {
  const event = text("execution_error", {
    prompt_id: "p",
    node_id: "1",
    node_type: "Broken",
    exception_type: "RuntimeError",
    exception_message: "no",
    traceback: ["/secret/place.py"],
    current_inputs: { key: ["secret"] },
  });
  assert.ok(!JSON.stringify(event).includes("secret"));
  assert.deepEqual(event, {
    kind: "failed",
    promptId: "p",
    failure: { nodeId: "1", classType: "Broken", exceptionType: "RuntimeError", message: "no" },
  });
});

test("both kinds of preview and texts are read, and a copy is kept", () => {
  const old = readBinaryFrame(Buffer.concat([words(1, 2), Buffer.from("png")]));
  assert.deepEqual(old, {
    kind: "preview",
    promptId: null,
    nodeId: null,
    contentType: "image/png",
    bytes: Buffer.from("png"),
  });
  const metadata = Buffer.from(
    JSON.stringify({ prompt_id: "p", node_id: "5.1", display_node_id: "5", image_type: "image/jpeg" }),
  );
  const frame = Buffer.concat([words(4, metadata.length), metadata, Buffer.from("jpeg")]);
  const named = readBinaryFrame(frame);
  frame.fill(0);
  assert.deepEqual(named, {
    kind: "preview",
    promptId: "p",
    nodeId: "5",
    contentType: "image/jpeg",
    bytes: Buffer.from("jpeg"),
  });
  const about = readBinaryFrame(Buffer.concat([words(3, 2), Buffer.from("12"), Buffer.from("half done")]));
  assert.deepEqual(about, { kind: "text", promptId: null, nodeId: "12", text: "half done" });
});

test("a preview that is too large, of another type or truncated is dropped", () => {
  const picture = (bytes: number) => Buffer.concat([words(1, 1), Buffer.alloc(bytes, 1)]);
  assert.ok(readBinaryFrame(picture(frameLimits.previewBytesMax)));
  assert.equal(readBinaryFrame(picture(frameLimits.previewBytesMax + 1)), null);
  assert.equal(readBinaryFrame(Buffer.concat([words(1, 9), Buffer.from("x")])), null);
  assert.equal(readBinaryFrame(Buffer.concat([words(4, 1000), Buffer.from("{}")])), null);
  assert.equal(readBinaryFrame(Buffer.concat([words(3, 0xffff_ffff), Buffer.from("a")])), null);
  assert.equal(readBinaryFrame(words(2, 1, 1)), null, "that kind never leaves the application");
});

test("any frame is read or dropped, and never throws", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), fc.constantFrom(1, 2, 3, 4, 5), (bytes, kind) => {
      readBinaryFrame(Buffer.from(bytes));
      readBinaryFrame(Buffer.concat([words(kind), Buffer.from(bytes)]));
    }),
  );
  const types = ["status", "executing", "progress", "progress_state", "executed", "execution_error", "feature_flags"];
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.jsonValue(), fc.string(), (type, data, raw) => {
      readTextFrame(JSON.stringify({ type, data }));
      const about = { type, data: { prompt_id: "p", node: data, nodes: { "1": data }, output: data, status: data } };
      const event = readTextFrame(JSON.stringify(about));
      assert.ok(event === null || typeof event.kind === "string");
      readTextFrame(raw);
    }),
  );
});
