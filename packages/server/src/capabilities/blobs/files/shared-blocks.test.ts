import assert from "node:assert/strict";
import { test } from "node:test";
import { blockPool } from "./block-pool.ts";
import { type SharedBlock, sharedBlocks } from "./shared-blocks.ts";

const blockBytes = 8;

function counted(keptMax = 4) {
  const pool = blockPool(blockBytes, 16);
  const taken: Buffer[] = [];
  const counting = {
    take() {
      const block = pool.take();
      taken.push(block);
      return block;
    },
    giveBack: (block: Buffer) => pool.giveBack(block),
  };
  let reads = 0;
  const fill = async (bytes: Buffer) => {
    bytes.fill(++reads);
  };
  return { blocks: sharedBlocks(counting, { blockBytes, keptMax }), fill, taken, reads: () => reads };
}

test("a block wanted by several readers is read once, even for a slightly later one", async () => {
  const { blocks, fill, reads } = counted();
  const [first, second] = [blocks.open("file"), blocks.open("file")];
  const [one, two] = await Promise.all([first.take(0, 8, fill), second.take(0, 8, fill)]);
  assert.equal(one, two);
  first.giveBack(one);
  second.giveBack(two);
  assert.deepEqual([...(await first.take(0, 8, fill)).bytes], Array(8).fill(1));
  assert.equal(reads(), 1);
});

test("another place, another length and another file are other blocks", async () => {
  const { blocks, fill, reads } = counted();
  const [file, other] = [blocks.open("file"), blocks.open("other")];
  const taken = [await file.take(0, 8, fill), await file.take(8, 8, fill), await file.take(0, 4, fill)];
  taken.push(await other.take(0, 8, fill));
  assert.equal(reads(), 4);
  assert.deepEqual(
    taken.map(({ bytes }) => bytes.length),
    [8, 8, 4, 8],
  );
});

test("a lone reader reuses the same blocks", async () => {
  const { blocks, fill, taken } = counted();
  const file = blocks.open("file");
  let before: SharedBlock | undefined;
  for (let at = 0; at < 80; at += 8) {
    const block = await file.take(at, 8, fill);
    if (before) file.giveBack(before);
    before = block;
  }
  assert.equal(new Set(taken).size, 2);
});

test("a bounded number of blocks is kept for others, and none after the last reader leaves", async () => {
  const { blocks, fill, reads, taken } = counted(2);
  const [first, second] = [blocks.open("file"), blocks.open("file")];
  for (let at = 0; at < 24; at += 8) first.giveBack(await first.take(at, 8, fill));
  // The first one was evicted for the third.
  const again = await second.take(8, 8, fill);
  assert.equal(reads(), 3);
  second.giveBack(again);
  second.giveBack(await second.take(0, 8, fill));
  assert.equal(reads(), 4);
  first.close();
  second.close();
  const third = blocks.open("file");
  third.giveBack(await third.take(8, 8, fill));
  assert.equal(reads(), 5);
  assert.ok(new Set(taken).size <= 3);
});

test("a block that was given up is never filled again, and the others go on with it", async () => {
  const { blocks, fill, taken } = counted();
  const [gone, other] = [blocks.open("file"), blocks.open("file")];
  const [sending, shared] = [await gone.take(0, 8, fill), await other.take(0, 8, fill)];
  gone.giveUp(sending);
  gone.close();
  other.giveBack(shared);
  const next = await other.take(0, 8, fill);
  assert.notEqual(next.bytes, sending.bytes);
  assert.deepEqual([...sending.bytes], Array(8).fill(1));
  assert.equal(new Set(taken).size, 2);
});

test("a failed read fails its waiters, and the next one tries again", async () => {
  const { blocks, fill } = counted();
  const [first, second] = [blocks.open("file"), blocks.open("file")];
  const failure = () => Promise.reject(new Error("the disk"));
  const both = [first.take(0, 8, failure), second.take(0, 8, fill)];
  for (const outcome of await Promise.allSettled(both)) assert.equal(outcome.status, "rejected");
  assert.deepEqual([...(await second.take(0, 8, fill)).bytes], Array(8).fill(1));
});
