import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { createNewestCalls } from "./newest-call.ts";

const turns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
};

test("each key has one call at a time, then the newest; overtaken calls are never made", async () => {
  const clock = handClock();
  const calls = createNewestCalls(clock);
  const made: string[] = [];
  const say = (word: string) => async () => void made.push(word);
  for (const word of ["a1", "a2", "a3"]) calls.push("a", say(word));
  calls.push("b", say("b1"));
  await turns();
  assert.deepEqual(made, ["a1", "b1"]);
  await clock.advance(500);
  await turns();
  assert.deepEqual(made, ["a1", "b1", "a3"]);
  calls.push("a", say("a4"));
  calls.forget("a");
  await clock.advance(500);
  await turns();
  assert.deepEqual(made, ["a1", "b1", "a3"]);
  calls.close();
});

test("a failed call does not block the next one", async () => {
  const clock = handClock();
  const calls = createNewestCalls(clock);
  calls.push("a", () => Promise.reject(new Error("away")));
  await turns();
  let isMade = false;
  calls.push("a", async () => {
    isMade = true;
  });
  await clock.advance(500);
  await turns();
  assert.ok(isMade);
  calls.close();
});

test("the last call goes out without a pause, and settle waits for it", async () => {
  const calls = createNewestCalls(handClock());
  const made: string[] = [];
  const say = (word: string) => async () => void made.push(word);
  for (const word of ["first", "overtaken", "last"]) calls.push("a", say(word));
  await calls.settle("a");
  assert.deepEqual(made, ["first", "last"]);
  await calls.settle("a");
  assert.deepEqual(made, ["first", "last"]);
  calls.close();
});
