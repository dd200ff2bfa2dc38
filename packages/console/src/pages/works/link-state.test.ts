import assert from "node:assert/strict";
import { test } from "node:test";
import { linkState } from "./link-state.ts";

test("a link works until it is ended, has expired, or its budget is used up", () => {
  const link = { budget: "25", spent: "24.9", expires_at: "2026-11-20T00:00:00Z", ended_at: null };
  const before = Date.parse("2026-11-19T23:59:59Z");
  assert.equal(linkState(link, before), "open");
  assert.equal(linkState({ ...link, spent: "25.000" }, before), "spent");
  assert.equal(linkState({ ...link, budget: "0", spent: "0" }, before), "open", "free works need none");
  assert.equal(linkState(link, Date.parse(link.expires_at)), "expired");
  assert.equal(linkState({ ...link, spent: "25", ended_at: "2026-11-18T00:00:00Z" }, before), "ended");
});
