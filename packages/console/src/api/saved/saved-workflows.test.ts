// A document reaches the server as the text it is.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bodyOf, tagsIn } from "./saved-workflows.ts";

const text = '{ "2": {"seed": 18446744073709551615, "unknown": 1.0},\n "1": {} }';

describe("the body that saves a workflow", () => {
  test("contains the document byte for byte, after everything else", () => {
    const body = bodyOf({ text }, { name: "A “name”", folder: "", note: undefined });
    assert.ok(body.endsWith(`,"document":${text}}`), body);
    assert.deepEqual(Object.keys(JSON.parse(body)), ["name", "folder", "document"]);
    assert.equal(bodyOf({ text: "{}" }, { note: undefined }), '{"document":{}}');
  });

  test("names a job instead where the workflow is a job's", () => {
    assert.deepEqual(JSON.parse(bodyOf({ jobId: "j" }, { name: "N" })), { name: "N", job_id: "j" });
  });
});

test("tags are read as people type them, without spaces, capitals and repetitions", () => {
  assert.deepEqual(tagsIn(" Sea, night,, sea ,"), ["sea", "night"]);
});
