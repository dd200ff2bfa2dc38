import assert from "node:assert/strict";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { giveBackAtOnce, givingBack, restWork } from "./rest.ts";

const mebibyte = 1024 * 1024;

function aProcess() {
  const state = { young: 40 * mebibyte, busy: 0.01, collections: 0 };
  const round = givingBack({
    youngBytes: () => state.young,
    busyShare: () => state.busy,
    collect: () => void state.collections++,
  });
  return { state, rounds: (count: number) => Array.from({ length: count }, round) };
}

test("a process that rests collects its young until they are few", () => {
  const { state, rounds } = aProcess();
  rounds(5);
  assert.equal(state.collections, 5);
  state.young = mebibyte;
  rounds(100);
  assert.equal(state.collections, 5);
  state.young = 40 * mebibyte;
  rounds(3);
  assert.equal(state.collections, 8);
});

test("a busy process is left alone", () => {
  const { state, rounds } = aProcess();
  state.busy = 0.5;
  rounds(100);
  assert.equal(state.collections, 0);
});

test("if it does not help it is tried once a minute", () => {
  const { state, rounds } = aProcess();
  rounds(610);
  assert.equal(state.collections, 10 + 10);
});

test("this engine can do it", async () => {
  const work = restWork();
  assert.ok(work);
  await work.round(new AbortController().signal);
});

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === "new_space")?.space_size ?? 0;

test("what the young generation grew to is given back at once", () => {
  const kept: object[][] = [];
  for (let round = 0; round < 200; round++) kept.push(Array.from({ length: 5_000 }, (_, at) => ({ round, at })));
  assert.equal(kept.length, 200);
  const grown = youngBytes();
  giveBackAtOnce();
  assert.ok(youngBytes() <= grown / 2, `${grown} → ${youngBytes()}`);
});
