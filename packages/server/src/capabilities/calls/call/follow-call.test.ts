import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Finding, isUnknowable, nextStep, defaultFollowRules as rules } from "./follow-call.ts";

const call = (ageSeconds: number, notFoundTimes = 0, senderDeadSeconds: number | null = null) => ({
  ageSeconds,
  longestRunSeconds: 600,
  notFoundTimes,
  senderDeadSeconds,
});
const young = 60;
const old = rules.quarantineSeconds + 1;
const hopeless = 600 + rules.quarantineSeconds + 1;

describe("following a call whose owner is gone", () => {
  const table: readonly [string, Finding["kind"], ReturnType<typeof call>, string][] = [
    ["an end is an end, at any age", "ended", call(young), "finish"],
    ["an end is an end, at any age", "ended", call(hopeless), "finish"],
    ["what somebody else ends is left alone, at any age", "parked", call(hopeless), "park"],
    ["what was gone with its provider frees the key, at any age", "gone", call(young), "release"],
    ["what runs is asked again", "running", call(young), "look_again"],
    ["what runs beyond its longest run and the quarantine is given up", "running", call(hopeless), "declare_unknown"],
    [
      "not found is not believed inside the quarantine: the old owner may be about to send",
      "not_found",
      call(young, 5),
      "look_again",
    ],
    ["not found once after the quarantine is noted", "not_found", call(old, 0), "note_not_found"],
    ["not found twice after the quarantine frees the key", "not_found", call(old, 1), "release"],
    ["also when its sender was found gone just now", "not_found", call(young, 5, 59), "look_again"],
    [
      "not found once a minute after its sender was found gone is noted",
      "not_found",
      call(young, 0, 60),
      "note_not_found",
    ],
    ["not found twice then frees the key", "not_found", call(young, 1, 90), "release"],
    ["a call that nobody can ask about waits for no more either", "cannot_ask", call(young, 0, 60), "declare_unknown"],
    ["what still runs is asked again, sender or not", "running", call(young, 0, 600), "look_again"],
    ["a provider that does not answer is asked again", "unreachable", call(old), "look_again"],
    ["a provider that never answers ends in suspense", "unreachable", call(hopeless), "declare_unknown"],
    ["who can neither be asked nor repeated waits out the quarantine", "cannot_ask", call(young), "look_again"],
    ["and is then unknown: never charged, never sent again", "cannot_ask", call(old), "declare_unknown"],
  ];
  for (const [name, kind, state, expected] of table) {
    test(`${name} (${kind}, ${Math.round(state.ageSeconds)} s)`, () =>
      assert.equal(nextStep(state, { kind }, rules).kind, expected));
  }
});

test("a call taken over from a provider that cannot be asked or polled is unknowable", () => {
  const lost = { fence: 2, recovery: "neither", handle: null } as const;
  assert.equal(isUnknowable(lost), true);
  assert.equal(isUnknowable({ ...lost, fence: 1 }), false, "its owner may be alive");
  assert.equal(isUnknowable({ ...lost, recovery: "ask" }), false);
  assert.equal(isUnknowable({ ...lost, handle: { url: "http://127.0.0.1:9/t/1" } }), false);
});
