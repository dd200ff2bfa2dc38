import assert from "node:assert/strict";
import { test } from "node:test";
import { createReach } from "./reach.ts";

test("an outage is reported once, with the time of the last answer, and ends with the next one", () => {
  const reach = createReach();
  const seen: unknown[] = [];
  reach.subscribe(() => seen.push(reach.current()));
  reach.answered(1_000);
  reach.answered(2_000);
  assert.deepEqual(seen, [], "answers change nothing that is shown");
  reach.lost(3_000);
  reach.lost(4_000);
  reach.answered(5_000);
  assert.deepEqual(seen, [
    { lostAt: 3_000, answeredAt: 2_000 },
    { lostAt: null, answeredAt: 5_000 },
  ]);
});
