import assert from "node:assert/strict";
import { test } from "node:test";
import { isUuid, newId, newRequestId, parseId } from "./ids.ts";

test("new ids are UUID version 7 and sort by the time they were made", () => {
  const early = newId(1_700_000_000_000);
  const late = newId(1_700_000_000_001);
  assert.match(early, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.ok(early < late);
  assert.equal(Number.parseInt(early.replaceAll("-", "").slice(0, 12), 16), 1_700_000_000_000);
});

test("ten thousand ids of one millisecond differ", () => {
  const ids = new Set(Array.from({ length: 10_000 }, () => newId(1_700_000_000_000)));
  assert.equal(ids.size, 10_000);
  for (const id of ids) assert.ok(isUuid(id), id);
});

test("ids of one millisecond sort in the order in which they were made", () => {
  for (let atMs = 1; atMs <= 20; atMs++) {
    const ids = Array.from({ length: 2_000 }, () => newId(1_700_000_000_000 + atMs));
    assert.deepEqual([...ids].sort(), ids);
  }
});

test("only the canonical lower-case spelling is an id", () => {
  const id = newRequestId();
  assert.equal(parseId(id), id);
  for (const other of [id.toUpperCase(), `{${id}}`, id.replaceAll("-", ""), `${id} `, "", "x".repeat(36)]) {
    if (other !== id) assert.equal(parseId(other), null, other);
  }
});
