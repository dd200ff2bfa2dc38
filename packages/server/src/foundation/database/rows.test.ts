import assert from "node:assert/strict";
import { test } from "node:test";
import { fromRow, type RowOf } from "./rows.ts";

interface Kept {
  readonly id: string;
  readonly workspaceId: string;
  readonly sha256: string | null;
  readonly lastUsedAt: Date | null;
}

test("a row's columns become the members whose names they have in snake case, values untouched", () => {
  const at = new Date();
  const row: RowOf<Kept> = { id: "a", workspace_id: "b", sha256: null, last_used_at: at };
  assert.deepEqual(fromRow<Kept>(row), { id: "a", workspaceId: "b", sha256: null, lastUsedAt: at });
  assert.equal(fromRow<Kept>(row).lastUsedAt, at);
});
