import assert from "node:assert/strict";
import { test } from "node:test";
import type { RequestBodies } from "@atelier/sdk";
import { describeBodies } from "./request-bodies.ts";

const body = { content_type: "application/json", bytes: 30, sha256: "0".repeat(64), removed: [] };
const none: RequestBodies = {
  request_id: "83bea06c-5294-4e1b-b1f0-8113549330ee",
  keeping: false,
  kept_at: null,
  expires_at: null,
  input: null,
  answer: null,
  status: null,
};

test("bodies are printed with large integers exact, and with what was removed or not kept", () => {
  const lines = describeBodies({
    ...none,
    keeping: true,
    expires_at: "2026-11-20T09:00:00.000Z",
    input: { ...body, kind: "json", text: '{"seed":18446744073709551615}', removed: [{ at: "/image", what: "file" }] },
    answer: { ...body, kind: "file", content_type: "image/png", text: null },
  });
  assert.deepEqual(lines, [
    "",
    "input   (removed: files)",
    '{\n  "seed": 18446744073709551615\n}',
    "",
    `answer: a file, image/png, 30 bytes, sha256 ${"0".repeat(64)}`,
    "",
    "deleted   2026-11-20T09:00:00.000Z",
  ]);
});

test("where nothing is kept, it says why", () => {
  assert.match(describeBodies(none).join(""), /an owner can turn that on/);
  assert.match(describeBodies({ ...none, keeping: true }).join(""), /their time is over/);
  assert.deepEqual(describeBodies(null), []);
});
