import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { echoHeaders, noticeOf, renderView, type ViewFacts } from "./render-view.ts";
import type { View } from "./view-definition.ts";

const states = {
  created: { shown: "CREATED", words: ["CREATED"] },
  running: { shown: "RUNNING", words: ["RUNNING"] },
  completed: { shown: "DONE", words: ["DONE"] },
  failed: { shown: "FAILED", words: ["FAILED"] },
};
const facts = (more: Partial<ViewFacts> = {}): ViewFacts => ({
  id: "id-1",
  state: "created",
  answer: null,
  echo: {},
  error: null,
  createdAt: new Date("2026-01-01T00:00:00Z"),
  endedAt: null,
  ...more,
});
const shown = (view: View, more: Partial<ViewFacts> = {}) => renderView({ view, states }, facts(more));
const members = (one: Record<string, View>): View => ({ from: "object", members: one });

test("a value of the partner's is copied as it was written, below its root", () => {
  const bytes = Buffer.from('{"data":{"seed": 9007199254740993,"x":1.50}}');
  const view = members({
    seed: { from: "answer", pointer: "/seed" },
    x: { from: "answer", pointer: "/x" },
    gone: { from: "answer", pointer: "/gone" },
  });
  assert.equal(shown(view, { answer: { bytes, root: "/data" } }), '{"seed":9007199254740993,"x":1.50}');
});

test("a leaf outside its states is its constant, or left out", () => {
  const bytes = Buffer.from('{"urls":["a"]}');
  const view = members({
    urls: { from: "answer", pointer: "/urls", in: ["completed"], otherwise: [] },
    url: { from: "answer", pointer: "/urls/0", in: ["completed"] },
  });
  const answer = { bytes, root: "" };
  assert.equal(shown(view, { answer }), '{"urls":[]}');
  assert.equal(shown(view, { answer, state: "completed" }), '{"urls":["a"],"url":"a"}');
});

test("null is not a value, and the caller's value comes before a constant", () => {
  const view = members({ p: { from: "answer", pointer: "/p", or_request: "/q", otherwise: 0 } });
  const answer = { bytes: Buffer.from('{"p":null}'), root: "" };
  assert.equal(shown(view, { answer }), '{"p":0}');
  assert.equal(shown(view, { answer, echo: { "/q": "1e2" } }), '{"p":1e2}');
});

test("errors, times and durations appear only where they apply", () => {
  const view = members({
    error: { from: "object", in: ["failed"], members: { code: { from: "error", part: "code" } } },
    ended: { from: "time", of: "ended" },
    seconds: { from: "duration" },
    status: { from: "status" },
  });
  assert.equal(shown(view), '{"status":"CREATED"}');
  const endedAt = new Date("2026-01-01T00:00:01.500Z");
  const failed = { state: "failed", error: { code: "x", message: "y" }, endedAt } as const;
  assert.equal(
    shown(view, failed),
    '{"error":{"code":"x"},"ended":"2026-01-01T00:00:01.500Z","seconds":1.5,"status":"FAILED"}',
  );
});

test("any caller input is echoed as its own JSON, and the view stays JSON", () => {
  const view = members({ text: { from: "request", pointer: "/text", otherwise: "" } });
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 3 }), fc.integer({ min: 0, max: 2 }), (value, indent) => {
      const body = Buffer.from(JSON.stringify({ other: 1, text: value }, null, indent));
      const text = shown(view, { echo: echoHeaders(view, body) });
      assert.equal(JSON.stringify(JSON.parse(text)), JSON.stringify({ text: value }));
    }),
  );
});

test("a notice is the named part of the view and the number of the change", () => {
  assert.equal(noticeOf({ notice: "/data" }, '{"data":{"a":1}}', 3).toString(), '{"a":1,"sequence":3}');
  assert.equal(noticeOf({ notice: "" }, "{}", 1).toString(), '{"sequence":1}');
});
