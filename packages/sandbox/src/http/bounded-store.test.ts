import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BoundedStore } from "./bounded-store.ts";

test("entries and bytes always stay within the budget, and the newest that fits is there", () => {
  const puts = fc.array(fc.record({ key: fc.integer({ min: 0, max: 20 }), bytes: fc.integer({ min: 0, max: 120 }) }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(puts, (list) => {
      const store = new BoundedStore<number>({ entriesMax: 5, bytesMax: 100, keepSeconds: 10 }, () => 0);
      for (const [index, { key, bytes }] of list.entries()) {
        store.put(String(key), index, bytes);
        assert.ok(store.size <= 5 && store.bytes <= 100 && store.bytes >= 0);
        assert.equal(store.get(String(key)), bytes <= 100 ? index : undefined);
      }
    }),
  );
});

test("an expired entry is gone, and its bytes are free again", () => {
  let now = 0;
  const store = new BoundedStore<string>({ entriesMax: 5, bytesMax: 100, keepSeconds: 10 }, () => now);
  store.put("a", "first", 60);
  now = 9_999;
  assert.equal(store.get("a"), "first");
  now = 10_000;
  assert.equal(store.get("a"), undefined);
  assert.equal(store.bytes, 0);
  store.put("b", "second", 60);
  now = 30_000;
  store.put("c", "third", 10);
  assert.equal(store.bytes, 10);
});
