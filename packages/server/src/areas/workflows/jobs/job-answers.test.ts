import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { aJob } from "../jobs.fixture.ts";
import { createJobAnswers } from "./job-answers.ts";

const answerOf = (body: Buffer) => ({ status: 200, headers: { "x-service-credits-used": "1.5" }, body });
const later = (clock: { now(): Date }, ms: number) => new Date(clock.now().getTime() + ms);

test("an answer is found by its workspace, job and host, and by nobody else", () => {
  const clock = handClock();
  const answers = createJobAnswers({ clock });
  const asked = { workspaceId: newId<"workspace">(), jobId: newId<"job">(), host: "a:1" };
  const answer = answerOf(Buffer.from("{}"));
  answers.keep(asked, answer, later(clock, 1e9));
  assert.equal(answers.find(asked), answer, "with its headers");
  for (const other of [{ workspaceId: newId<"workspace">() }, { jobId: newId<"job">() }, { host: "b:1" }]) {
    assert.equal(answers.find({ ...asked, ...other }), null);
  }
});

test("it is gone after a minute, and at once when the job expires", async () => {
  const clock = handClock();
  const answers = createJobAnswers({ clock });
  const one = { workspaceId: newId<"workspace">(), jobId: newId<"job">(), host: undefined };
  const two = { ...one, jobId: newId<"job">() };
  answers.keep(one, answerOf(Buffer.from("1")), later(clock, 1e9));
  answers.keep(two, answerOf(Buffer.from("2")), later(clock, 5000));
  await clock.advance(4999);
  assert.ok(answers.find(two));
  await clock.advance(1);
  assert.equal(answers.find(two), null);
  assert.ok(answers.find(one));
  await clock.advance(55_000);
  assert.equal(answers.find(one), null);
});

test("all together are bounded: the oldest go first, and a large one is not kept", () => {
  const clock = handClock();
  const answers = createJobAnswers({ clock });
  const asked = Array.from({ length: 600 }, () => ({
    workspaceId: newId<"workspace">(),
    jobId: newId<"job">(),
    host: "",
  }));
  for (const each of asked) answers.keep(each, answerOf(Buffer.alloc(64 * 1024)), later(clock, 1e9));
  const found = asked.map((each) => answers.find(each) !== null);
  assert.equal(found.filter(Boolean).length, 512);
  assert.equal(found[0], false);
  const [first] = asked;
  assert.ok(first);
  answers.keep(first, answerOf(Buffer.alloc(64 * 1024 + 1)), later(clock, 1e9));
  assert.equal(answers.find(first), null);
});

test("the bytes of a picture are made once for each host, and a new picture has none", () => {
  const answers = createJobAnswers({ clock: handClock() });
  let made = 0;
  const make = () => Buffer.from(String(++made));
  const picture = aJob();
  const shown = [
    answers.bytesOf(picture, "a:1", make),
    answers.bytesOf(picture, "a:1", make),
    answers.bytesOf(picture, "b:1", make),
    answers.bytesOf({ ...picture }, "b:1", make),
  ];
  assert.deepEqual(shown.map(String), ["1", "1", "2", "3"]);
});
