import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readFrames, type StreamFrame } from "./event-stream.ts";

const bodyOf = (chunks: readonly Uint8Array[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
async function framesIn(text: string, size = text.length): Promise<StreamFrame[]> {
  const bytes = new TextEncoder().encode(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.slice(at * size, (at + 1) * size),
  );
  return Array.fromAsync(readFrames(bodyOf(chunks)));
}

describe("a stream of events", () => {
  test("has the event, its id and its data, and skips keep-alives", async () => {
    assert.deepEqual(await framesIn(": hello\n\nevent: status\nid: 7\ndata: {}\n\ndata:x\n\n"), [
      { event: "status", id: "7", data: "{}" },
      { event: "message", id: null, data: "x" },
    ]);
  });

  test("joins data of several lines, in either line ending, and drops an unfinished frame", async () => {
    assert.deepEqual(await framesIn("data: a\r\ndata: b\r\n\r\ndata: half"), [
      { event: "message", id: null, data: "a\nb" },
    ]);
  });

  test("reads the same however the network splits it, even within a character", async () => {
    const data = fc.string({ unit: fc.constantFrom("a", "ö", "💡", ":", " ", "{") });
    await fc.assert(
      fc.asyncProperty(
        fc.array(data, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 9 }),
        async (all, size) => {
          const text = all.map((each, at) => `event: e\nid: ${at}\ndata: ${each}\n\n`).join("");
          assert.deepEqual(
            (await framesIn(text, size)).map((frame) => [frame.id, frame.data]),
            all.map((each, at) => [String(at), each]),
          );
        },
      ),
    );
  });

  test("cancels the request when its reader leaves", async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
      cancel: () => {
        isCancelled = true;
      },
    });
    for await (const { data } of readFrames(body)) {
      assert.equal(data, "1");
      break;
    }
    assert.equal(isCancelled, true);
  });
});
