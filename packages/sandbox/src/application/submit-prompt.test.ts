import assert from "node:assert/strict";
import { test } from "node:test";
import { toTuple } from "./prompt.ts";
import { judgeSubmission } from "./submit-prompt.ts";
import { applicationClasses } from "./test-classes.ts";

const id = "3f1c2a9e-0000-4000-8000-00000000abcd";
const prompt = { "1": { class_type: "PreviewAny", inputs: { source: "x" } } };
const judge = (body: Readonly<Record<string, unknown>>, version: "old" | "new" = "new", counter = 7) =>
  judgeSubmission({ body, counter, version, classes: applicationClasses, isFile: () => true, nowMs: 1000 });

test("the number is the counter, its negative for the front, or the requested one", () => {
  assert.equal(judge({ prompt }).prompt?.number, 7);
  assert.equal(judge({ prompt, front: true }).prompt?.number, -7);
  assert.equal(judge({ prompt, front: true, number: 1.5 }).prompt?.number, 1.5);
});

test("the new version requires a canonical uuid, the old one accepts any id", () => {
  assert.equal(judge({ prompt, prompt_id: id }).prompt?.id, id);
  for (const wrong of ["not-a-uuid", id.toUpperCase(), id.replaceAll("-", ""), `${id}x`]) {
    assert.equal(judge({ prompt, prompt_id: wrong }).status, 400, wrong);
    assert.equal(judge({ prompt, prompt_id: wrong }, "old").prompt?.id, wrong);
  }
});

test("the client's name goes into the extra data, and credentials never come out of the history", () => {
  const judged = judge({ prompt, client_id: "me", extra_data: { api_key_partner: "SECRET", other: 1 } }, "old").prompt;
  assert.ok(judged);
  assert.equal(judged.clientId, "me");
  assert.deepEqual(toTuple(judged, "hidden")[3], { other: 1, client_id: "me" });
  assert.deepEqual(toTuple(judged, "shown")[3], { api_key_partner: "SECRET", other: 1, client_id: "me" });
});

test("only the wanted outputs run when some are named", () => {
  const two = { ...prompt, "2": { class_type: "PreviewAny", inputs: { source: "y" } } };
  assert.deepEqual(judge({ prompt: two }).prompt?.outputs, ["1", "2"]);
  assert.deepEqual(judge({ prompt: two, partial_execution_targets: ["2"] }).prompt?.outputs, ["2"]);
});

test("a prompt that is not an object is refused and never throws", () => {
  for (const wrong of [null, 1, "x", [], [[]], { a: null }, { a: [] }, { a: { class_type: 1 } }])
    assert.equal(judge({ prompt: wrong }).status, 400, JSON.stringify(wrong));
});
