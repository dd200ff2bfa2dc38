import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { createFailureBudget } from "./failure-budget.ts";

test("fifty failures a minute answer 401, the fifty-first says how long to wait", async () => {
  const clock = handClock();
  const budget = createFailureBudget({ clock });
  for (let failure = 0; failure < 50; failure += 1) assert.equal(budget.spend("192.0.2.1"), null);
  await clock.advance(20_500);
  assert.equal(budget.spend("192.0.2.1"), 40);
  assert.equal(budget.spend("192.0.2.2"), null);
});

test("after the minute the budget is whole again", async () => {
  const clock = handClock();
  const budget = createFailureBudget({ clock, failuresPerMinuteMax: 1 });
  assert.equal(budget.spend("192.0.2.1"), null);
  assert.equal(budget.spend("192.0.2.1"), 60);
  await clock.advance(60_000);
  assert.equal(budget.spend("192.0.2.1"), null);
});

test("an address is closed only at ten times its budget", () => {
  const budget = createFailureBudget({ clock: handClock(), failuresPerMinuteMax: 2 });
  for (let failure = 0; failure < 19; failure += 1) budget.spend("192.0.2.1");
  assert.equal(budget.isClosed("192.0.2.1"), false);
  budget.spend("192.0.2.1");
  assert.equal(budget.isClosed("192.0.2.1"), true);
  assert.equal(budget.isClosed("192.0.2.2"), false);
});

test("all addresses of one IPv6 /64 share a budget, and an IPv4-mapped one is the IPv4 address", () => {
  const budget = createFailureBudget({ clock: handClock(), failuresPerMinuteMax: 2 });
  assert.equal(budget.spend("2001:db8:0:1::1"), null);
  assert.equal(budget.spend("2001:db8:0:1:ffff::2"), null);
  assert.notEqual(budget.spend("2001:0db8:0000:0001:0:0:0:3"), null);
  assert.equal(budget.spend("2001:db8:0:2::1"), null);
  budget.spend("192.0.2.1");
  budget.spend("::ffff:192.0.2.1");
  assert.notEqual(budget.spend("192.0.2.1"), null);
});

test("a flood of addresses is forgotten from the oldest on and never grows beyond its bound", () => {
  const budget = createFailureBudget({ clock: handClock(), failuresPerMinuteMax: 1, addressesMax: 3 });
  for (const address of ["a", "b", "c", "d"]) budget.spend(address);
  assert.equal(budget.spend("d"), 60);
  assert.equal(budget.spend("a"), null);
});
