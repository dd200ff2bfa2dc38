import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import fc from "fast-check";
import { type ByteSource, sourceOf, streamOf } from "./byte-source.ts";

// Alternates between two blocks, as the rules of `next` allow, and overwrites each as soon as they allow it.
function thrifty(chunks: readonly Uint8Array[], onClose: () => void = () => {}): ByteSource {
  const blocks: Uint8Array[] = [];
  let at = 0;
  return {
    async next() {
      blocks[at - 2]?.fill(0xff);
      const block = chunks[at]?.slice() ?? null;
      if (block) blocks[at] = block;
      at++;
      return block;
    },
    async close() {
      onClose();
    },
  };
}

const anyChunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 50 }), { maxLength: 20 });

test("a stream of a source has its bytes, although the source uses its blocks again", () =>
  fc.assert(
    fc.asyncProperty(anyChunks, async (chunks) => {
      assert.deepEqual(await buffer(streamOf(thrifty(chunks))), Buffer.concat(chunks));
    }),
  ));

test("a source of a stream has its bytes and then ends", () =>
  fc.assert(
    fc.asyncProperty(anyChunks, async (chunks) => {
      const source = sourceOf(Readable.from(chunks, { objectMode: false }));
      const received: Uint8Array[] = [];
      for (let block = await source.next(); block !== null; block = await source.next()) received.push(block);
      assert.deepEqual(Buffer.concat(received), Buffer.concat(chunks));
      await source.close();
    }),
  ));

test("a stream that ends, fails or is let go closes its source once it is over", async () => {
  let closed = 0;
  const source = () => thrifty([Buffer.from("a"), Buffer.from("b")], () => closed++);
  await buffer(streamOf(source()));
  assert.equal(closed, 1);
  const unread = streamOf(source());
  const over = new Promise((resolve) => unread.once("close", resolve));
  unread.destroy();
  await over;
  assert.equal(closed, 2);
  const failing: ByteSource = { ...source(), next: () => Promise.reject(new Error("torn")) };
  await assert.rejects(buffer(streamOf(failing)), /torn/);
  assert.equal(closed, 3);
});

test("closing a source destroys the stream that it reads", async () => {
  const stream = new Readable({ read: () => {} });
  await sourceOf(stream).close();
  assert.ok(stream.destroyed);
});

test("a stream that fails before anybody reads it fails the first read", async () => {
  const stream = new Readable({ read: () => {} });
  const source = sourceOf(stream);
  stream.destroy(new Error("reset"));
  await new Promise((resolve) => setImmediate(resolve));
  await assert.rejects(source.next(), /reset/);
});
