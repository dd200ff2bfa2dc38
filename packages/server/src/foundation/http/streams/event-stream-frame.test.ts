import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeComment, encodeEvent, encodeRetryHint } from "./event-stream-frame.ts";

test("an event is its fields and one line of data", () => {
  assert.equal(
    encodeEvent({ id: "7", event: "progress", data: { value: 0.5 } }).toString(),
    'id: 7\nevent: progress\ndata: {"value":0.5}\n\n',
  );
  assert.equal(encodeEvent({ data: null }).toString(), "data: null\n\n");
  assert.equal(encodeComment("keep-alive").toString(), ": keep-alive\n\n");
  assert.equal(encodeRetryHint(2000.4).toString(), "retry: 2000\n\n");
});

test("no text in the data can begin another line, field or event", () => {
  const nasty = fc.string({
    unit: fc.constantFrom("\r", "\n", "\u2028", "\u2029", "\u0085", "\u0000", "data: x", ":", "é", "a"),
  });
  fc.assert(
    fc.property(nasty, (text) => {
      const frame = encodeEvent({ event: "status", data: { text } }).toString("utf8");
      const lines = frame.split(/\r\n|\r|\n|\u2028|\u2029/);
      assert.deepEqual([lines.length, lines[0], lines[2], lines[3]], [4, "event: status", "", ""]);
      assert.deepEqual(JSON.parse(lines[1]?.slice("data: ".length) ?? ""), { text });
    }),
  );
});

test("an id or name that is not one plain word throws", () => {
  for (const wrong of ["", "a b", "a\nb", "a\u0000", "é", "x".repeat(129)]) {
    assert.throws(() => encodeEvent({ id: wrong, data: 1 }), /Invariant/);
    assert.throws(() => encodeEvent({ event: wrong, data: 1 }), /Invariant/);
  }
  assert.throws(() => encodeEvent({ data: undefined }), /Invariant/);
});
