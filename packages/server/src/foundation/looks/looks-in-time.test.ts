import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../hand-clock.fixture.ts";
import { well } from "./finding.ts";
import { looksInTime } from "./looks-in-time.ts";

test("a slow part of GET /admin/checks ends after 5 s with a warning; the others keep their results", async () => {
  const clock = handClock();
  let found: readonly unknown[] | null = null;
  const looking = looksInTime(clock, [
    ["quick", async () => [well("quick", "as it should be")]],
    ["hangs", () => new Promise<never>(() => {})],
    ["fails", () => Promise.reject(new Error("postgres://atelier:hidden@127.0.0.1/books"))],
  ]).then((answers) => {
    found = answers.flat().map(({ name, state, message }) => [name, state, message]);
  });
  await clock.advance(4_999);
  assert.equal(found, null);
  await clock.advance(1);
  await looking;
  assert.deepEqual(found, [
    ["quick", "ok", "as it should be"],
    ["hangs", "warning", "The check took too long."],
    ["fails", "problem", "The check failed."],
  ]);
});
