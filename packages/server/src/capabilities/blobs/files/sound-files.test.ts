import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { soundFiles } from "./sound-files.ts";

test("a verified file is trusted for an hour, and only under its own mark", async () => {
  const clock = handClock();
  const sound = soundFiles(clock);
  assert.equal(sound.has("a", "mark"), false);
  sound.add("a", "mark");
  assert.equal(sound.has("a", "mark"), true);
  assert.equal(sound.has("a", "another"), false);
  assert.equal(sound.has("b", "mark"), false);
  await clock.advance(3_599_000);
  assert.equal(sound.has("a", "mark"), true);
  await clock.advance(1_001);
  assert.equal(sound.has("a", "mark"), false);
});

test("bytes without a mark are never believed", () => {
  const sound = soundFiles(handClock());
  sound.add("a", undefined);
  assert.equal(sound.has("a", undefined), false);
});

test("damage revokes the trust", () => {
  const sound = soundFiles(handClock());
  sound.add("a", "mark");
  sound.drop("a");
  assert.equal(sound.has("a", "mark"), false);
});

test("memory has a bound: what was read longest ago goes first", () => {
  const sound = soundFiles(handClock());
  for (let index = 0; index <= 16_384; index++) sound.add(String(index), "mark");
  assert.equal(sound.has("0", "mark"), false);
  assert.equal(sound.has("1", "mark"), true);
  assert.equal(sound.has("16384", "mark"), true);
});
