import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Fault } from "../../../foundation/fault.ts";
import { blake3Stream } from "../blake3-stream.ts";
import type { Staging } from "../blob-storage.ts";
import { blockPools } from "../files/block-pool.ts";
import { receiveBytes } from "./receive-bytes.ts";

const blake3 = blake3Stream();
const KiB = 1024;

// Writes as slowly as `onWrite` does, and copies what it was given when the write began.
function staging(onWrite: () => Promise<void> = async () => {}) {
  const written: Buffer[] = [];
  const state = { writing: 0, writingMax: 0 };
  const staged: Staging = {
    async write(bytes) {
      state.writing++;
      state.writingMax = Math.max(state.writingMax, state.writing);
      try {
        await onWrite();
        written.push(Buffer.from(bytes));
      } finally {
        state.writing--;
      }
    },
    async seal() {},
    async publish() {},
    async discard() {},
  };
  return { staged, state, bytes: () => Buffer.concat(written) };
}

const options = { bytesMax: 1e9, requireSpace: async () => {}, pools: blockPools() };

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncIterable<Uint8Array> {
  // One buffer for all chunks, as a socket reader might do.
  const shared = Buffer.alloc(Math.max(0, ...chunks.map(({ length }) => length)));
  for (const chunk of chunks) {
    shared.set(chunk);
    yield shared.subarray(0, chunk.length);
    shared.fill(0xee);
  }
}

async function hashOf(bytes: Uint8Array): Promise<string> {
  const hash = await blake3();
  hash.update(bytes);
  return hash.digest();
}

describe("receiving bytes", () => {
  test("what is written and what is hashed are the bytes that came, in any chunks, also from a reused buffer", async () => {
    const chunk = fc.integer({ min: 0, max: 400 * KiB }).map((length) => Buffer.alloc(length, length % 251));
    await fc.assert(
      fc.asyncProperty(fc.array(chunk, { maxLength: 12 }), async (chunks) => {
        const { staged, bytes, state } = staging(() => new Promise((resolve) => setImmediate(resolve)));
        const received = await receiveBytes(chunksOf(chunks), staged, await blake3(), options);
        const expected = Buffer.concat(chunks);
        assert.ok(bytes().equals(expected));
        assert.deepEqual(received, { hash: await hashOf(expected), size: expected.length });
        assert.ok(state.writingMax <= 1);
      }),
      { numRuns: 40 },
    );
  });

  test("the source is asked for no more than two blocks ahead of the writing", async () => {
    let given = 0;
    async function* endless() {
      for (;;) {
        given += 64 * KiB;
        yield Buffer.alloc(64 * KiB);
      }
    }
    const stop = new AbortController();
    const { staged } = staging(() => new Promise(() => {}));
    const receiving = receiveBytes(endless(), staged, await blake3(), { ...options, signal: stop.signal });
    let before = -1;
    while (before !== given) {
      before = given;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(given <= 1200 * KiB, `${given}`);
    // The write never ends, so this must not either: the file must not be closed during a write.
    stop.abort(new Error("left"));
    const ended = await Promise.race([
      receiving.catch(() => "ended"),
      new Promise((resolve) => setTimeout(resolve, 50)),
    ]);
    assert.equal(ended, undefined);
  });

  test("uploads at once do not share a block, and blocks come back when all is written", async () => {
    const pools = blockPools();
    const uploads = Array.from({ length: 20 }, (_, index) => Buffer.alloc(1_300_000 + index, index));
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        uploads.map(async (upload) => {
          const { staged, bytes } = staging(() => new Promise((resolve) => setTimeout(resolve, Math.random() * 3)));
          await receiveBytes(chunksOf([upload]), staged, await blake3(), { ...options, pools });
          assert.ok(bytes().equals(upload));
        }),
      );
    }
    const { staged } = staging();
    await receiveBytes(chunksOf([Buffer.alloc(100_000)]), staged, await blake3(), { ...options, pools });
    const free = Array.from({ length: 9 }, () => pools.large.take());
    assert.equal(new Set(free.map(({ buffer }) => buffer)).size, 9);
  });

  test("more than the cap is refused at the first byte too many", async () => {
    const bytes = Buffer.alloc(1000);
    const { staged } = staging();
    await receiveBytes(chunksOf([bytes]), staged, await blake3(), { ...options, bytesMax: 1000 });
    await assert.rejects(
      receiveBytes(chunksOf([bytes, Buffer.alloc(1)]), staged, await blake3(), { ...options, bytesMax: 1000 }),
      (thrown) => thrown instanceof Fault && thrown.code === "payload_too_large",
    );
  });

  test("a failed write ends the reading with its own error", async () => {
    const { staged } = staging(() => Promise.reject(new Error("disk gone")));
    let isReturned = false;
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(64 * KiB);
      } finally {
        isReturned = true;
      }
    }
    await assert.rejects(receiveBytes(endless(), staged, await blake3(), options), { message: "disk gone" });
    assert.ok(isReturned);
  });

  test("a signal ends the wait for a source that is silent", async () => {
    const stop = new AbortController();
    async function* silent() {
      yield Buffer.alloc(10);
      await new Promise(() => {});
    }
    const { staged } = staging();
    const receiving = receiveBytes(silent(), staged, await blake3(), { ...options, signal: stop.signal });
    setTimeout(() => stop.abort(new Error("left")), 10);
    await assert.rejects(receiving, { message: "left" });
  });

  test("space is asked for again while a long upload goes on", async () => {
    let asked = 0;
    async function* long() {
      const chunk = Buffer.alloc(1024 * KiB);
      for (let count = 0; count < 200; count++) yield chunk;
    }
    const { staged } = staging();
    const requireSpace = async () => {
      if (++asked === 3) throw new Fault("storage_full", "full");
    };
    await assert.rejects(receiveBytes(long(), staged, await blake3(), { ...options, requireSpace }), {
      message: "full",
    });
    assert.equal(asked, 3);
  });
});
