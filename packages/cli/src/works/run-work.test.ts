import assert from "node:assert/strict";
import { test } from "node:test";
import { filesIn } from "./run-work.ts";

test("the files of an answer are found under the names of their outputs, in the form's order", () => {
  const png = { url: "http://127.0.0.1/a", content_type: "image/png", bytes: 5, asset_id: "x" };
  const answer = { job_id: "j", inputs: {}, outputs: { picture: [png, png], sound: [] } };
  assert.deepEqual(
    filesIn(answer).map(({ output, contentType, bytes }) => [output, contentType, bytes]),
    [
      ["picture", "image/png", 5],
      ["picture", "image/png", 5],
    ],
  );
  for (const odd of [null, 5, {}, { outputs: [] }, { outputs: { picture: "x" } }]) assert.deepEqual(filesIn(odd), []);
});
