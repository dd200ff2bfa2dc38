import assert from "node:assert/strict";
import { test } from "node:test";
import { uniqueName } from "./unique-name.ts";

test("no name is made twice, and every one fits a file and a header", () => {
  const names = Array.from({ length: 10_000 }, uniqueName);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z0-9-]{20,60}$/);
});
