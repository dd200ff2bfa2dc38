import assert from "node:assert/strict";
import { test } from "node:test";
import { RunRecords } from "./run-records.ts";

const call = { reference: "call-1", model: "image-1", sha256: "aa" };

test("submissions and runs are counted per reference and in total", () => {
  const runs = new RunRecords();
  for (let time = 0; time < 3; time++) runs.started(runs.submitted(call));
  runs.submitted({ ...call, reference: null });
  assert.partialDeepStrictEqual(runs.find("call-1"), { submissions: 3, runs: 3, status: "RUNNING" });
  assert.partialDeepStrictEqual(runs.stats(), {
    submissions: 4,
    runs: 3,
    runs_by_model: { "image-1": 3 },
    most_runs_of_one_reference: 3,
    reference_count: 1,
  });
});

test("other bytes under the same reference keep counting, so a second run is never hidden", () => {
  const runs = new RunRecords();
  runs.started(runs.submitted(call));
  runs.started(runs.submitted({ ...call, sha256: "bb" }));
  assert.partialDeepStrictEqual(runs.find("call-1"), { submissions: 2, runs: 2, requestSha256: "bb" });
});

test("the answer is kept with the reference", () => {
  const runs = new RunRecords();
  const record = runs.submitted(call);
  const answer = { status: 200, contentType: "application/json", body: Buffer.from("{}") };
  runs.ended(record, "SUCCEEDED", answer);
  assert.equal(runs.answerTo("call-1"), answer);
  assert.equal(runs.answerTo("call-2"), null);
});
