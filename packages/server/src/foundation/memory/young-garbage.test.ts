import assert from "node:assert/strict";
import { test } from "node:test";
import { findCollectYoung, movedBytes } from "./young-garbage.ts";

test("the young are collected once for every so many bytes, however they are cut", () => {
  for (const [cut, expected] of [
    [1, 10],
    [20, 10],
    [100, 10],
    [250, 4],
  ] as const) {
    let [finds, collections] = [0, 0];
    const count = movedBytes(100, () => {
      finds++;
      return () => void collections++;
    });
    for (let sum = 0; sum < 1000; sum += cut) count(cut);
    assert.equal(collections, expected);
    assert.equal(finds, 1);
  }
});

test("without engine support nothing happens", () => {
  let finds = 0;
  const count = movedBytes(10, () => {
    finds++;
    return null;
  });
  for (let time = 0; time < 5; time++) count(10);
  assert.equal(finds, 1);
});

test("this engine collects its young on request, and leaves no collector lying about", () => {
  const collect = findCollectYoung();
  assert.ok(collect);
  collect();
  assert.ok(!("gc" in globalThis) || process.execArgv.includes("--expose-gc"));
});
