import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BoundedMap } from "./bounded-map.ts";

test("entries and bytes stay within the bounds, and evictions are reported", () => {
  const writes = fc.array(
    fc.record({
      key: fc.integer({ min: 0, max: 20 }),
      bytes: fc.integer({ min: 0, max: 120 }),
      isDeleted: fc.boolean(),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(writes, (list) => {
      const evicted = new Set<number>();
      const map = new BoundedMap<number, number>(5, {
        bytesMax: 100,
        bytesOf: (bytes) => bytes,
        evicted: (key) => evicted.add(key),
      });
      for (const { key, bytes, isDeleted } of list) {
        evicted.clear();
        const before = [...map.keys()];
        if (isDeleted) map.delete(key);
        else map.set(key, bytes);
        assert.ok(map.size <= 5 && map.bytes <= 100);
        assert.equal(
          map.bytes,
          [...map.values()].reduce((sum, value) => sum + value, 0),
        );
        for (const other of before) if (other !== key) assert.equal(map.has(other), !evicted.has(other));
      }
    }),
  );
});

test("the oldest entry goes first; a key that is overwritten keeps its turn", () => {
  const map = new BoundedMap<string, number>(2);
  map.set("a", 1).set("b", 2).set("a", 3).set("c", 4);
  assert.deepEqual(
    [...map],
    [
      ["b", 2],
      ["c", 4],
    ],
  );
});

test("a value larger than the whole limit is not kept, nor is the one it replaced", () => {
  const map = new BoundedMap<string, number>(2, { bytesMax: 10, bytesOf: (bytes) => bytes });
  map.set("a", 4).set("a", 11);
  assert.equal(map.size, 0);
  assert.equal(map.bytes, 0);
});

test("a cleared map counts from zero", () => {
  const map = new BoundedMap<string, number>(2, { bytesMax: 10, bytesOf: (bytes) => bytes });
  map.set("a", 10).clear();
  map.set("b", 10);
  assert.deepEqual([...map.keys()], ["b"]);
});
