// Two changes made in parallel may take the same number; a server would refuse to start with both.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

test("migrations are numbered one after the other, each number once", () => {
  const files = readdirSync(join(import.meta.dirname, "../../migrations")).filter((name) => name.endsWith(".sql"));
  assert.deepEqual(
    files.map((name) => name.slice(0, 5)).sort(),
    files.map((_, at) => `${String(at + 1).padStart(4, "0")}_`),
  );
});
