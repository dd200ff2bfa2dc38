import assert from "node:assert/strict";
import { test } from "node:test";
import { estimateText } from "./retention-command.ts";

test("an estimate names what would be deleted, how much and from when on, or says that it is nothing", () => {
  const none = { things: 0, bytes: 0 };
  const applies_at = "2026-01-02T00:00:00.000Z";
  assert.match(estimateText({ outputs: none, uploads: none, history: none, applies_at }), /^Nothing/);
  assert.equal(
    estimateText({
      outputs: { things: 1240, bytes: 3.1e9 },
      uploads: none,
      history: { things: 7, bytes: 0 },
      applies_at,
    }),
    `Of what is there now, this deletes 1240 outputs (3100.0 MB), 7 entries of history from ${applies_at} on.`,
  );
});
