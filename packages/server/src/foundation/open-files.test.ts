import assert from "node:assert/strict";
import { test } from "node:test";
import { connectionsWithin } from "./http/admission/connection-limits.ts";
import { openFilesMax, readOpenFilesMax } from "./open-files.ts";

test("the limit of open files is read from the system", () => {
  const limits =
    "Limit  Soft Limit  Hard Limit  Units\nMax open files            1024                 4096                 files\n";
  assert.equal(readOpenFilesMax(limits), 1024);
  assert.equal(readOpenFilesMax("nothing"), null);
  const own = openFilesMax();
  assert.ok(own === null || own > 0);
});

test("connections stay below it, with room for files, the database and upstreams", () => {
  assert.equal(connectionsWithin(20_000, null), 20_000);
  assert.equal(connectionsWithin(20_000, 1_024), 576);
  assert.equal(connectionsWithin(20_000, 20_000), 14_808);
  assert.equal(connectionsWithin(100, 20_000), 100);
  assert.equal(connectionsWithin(20_000, 100), 16);
});
