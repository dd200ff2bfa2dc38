import assert from "node:assert/strict";
import { test } from "node:test";
import { Fault } from "../../fault.ts";
import { handClock } from "../../hand-clock.fixture.ts";
import { blockOf } from "../outgoing/address-block.ts";
import { AddressRate } from "./address-rate.ts";

const isLimited = (seconds: number) => (thrown: unknown) =>
  thrown instanceof Fault && thrown.code === "rate_limited" && thrown.retryAfterSeconds === seconds;

test("an address has a minute's requests at once, and then gets them back evenly", async () => {
  const clock = handClock();
  const rate = new AddressRate({ clock, perMinute: 120 });
  for (let count = 0; count < 120; count++) rate.admit("192.0.2.1");
  assert.throws(() => rate.admit("192.0.2.1"), isLimited(1));
  rate.admit("192.0.2.2");
  await clock.advance(500);
  rate.admit("192.0.2.1");
  assert.throws(() => rate.admit("192.0.2.1"), isLimited(1));
});

test("the wait that a refusal names suffices", async () => {
  const clock = handClock();
  const rate = new AddressRate({ clock, perMinute: 2 });
  rate.admit("a");
  rate.admit("a");
  assert.throws(() => rate.admit("a"), isLimited(30));
  await clock.advance(30_000);
  rate.admit("a");
});

test("IPv6 counts by its /64, and IPv4 is the same however it is written", () => {
  assert.equal(blockOf("2001:db8:1:2::1"), blockOf("2001:0db8:0001:0002:ffff:ffff:ffff:ffff"));
  assert.notEqual(blockOf("2001:db8:1:2::1"), blockOf("2001:db8:1:3::1"));
  assert.equal(blockOf("::ffff:192.0.2.1"), "192.0.2.1");
});

test("memory is bounded: the oldest address goes", () => {
  const rate = new AddressRate({ clock: handClock(), perMinute: 1, addressesMax: 2 });
  for (const address of ["a", "b", "c"]) rate.admit(address);
  rate.admit("a");
  assert.throws(() => rate.admit("c"), Fault);
});
