import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type EventFrame, eventFrames, readFrame } from "./event-frames.ts";

test("a frame gives its event, its id and its data; a comment gives nothing", () => {
  assert.deepEqual(readFrame('event: status\nid: 7\ndata: {"a":1}'), { event: "status", id: "7", data: '{"a":1}' });
  assert.deepEqual(readFrame("data: a\r\ndata: b"), { event: "message", id: null, data: "a\nb" });
  assert.equal(readFrame(": keep-alive"), null);
});

test("frames are the same however the bytes are cut", async () => {
  const text = ': hello\n\nevent: status\ndata: {"status":"läuft"}\n\nid: 9\ndata: {"x":"€"}\n\n';
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 6 }), async (cuts) => {
      const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const [at, edge] of edges.entries()) controller.enqueue(bytes.subarray(edges[at - 1] ?? 0, edge));
          controller.close();
        },
      });
      const frames: (EventFrame | null)[] = [];
      for await (const frame of eventFrames(stream)) frames.push(frame);
      assert.deepEqual(frames, [
        null,
        { event: "status", id: null, data: '{"status":"läuft"}' },
        { event: "message", id: "9", data: '{"x":"€"}' },
      ]);
    }),
    { numRuns: 100 },
  );
});
