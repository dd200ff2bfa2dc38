// Jobs of one batch are one row.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job } from "@atelier/sdk";
import fc from "fast-check";
import { batchOf, labelledInBatch, wrongIn } from "../../api/labels.ts";
import { listRows, stateOf } from "./job-groups.ts";

const job = (id: string, batch: string | null, more: Partial<Job> = {}): Job =>
  ({
    id,
    status: "queued",
    outputs: [],
    ...(batch === null ? {} : { metadata: { batch, run: `${id} of 9` } }),
    ...more,
  }) as unknown as Job;

describe("the rows of the list", () => {
  test("fold jobs of one batch that follow each other, and unfold the one that a person opened", () => {
    const jobs = [job("1", null), job("2", "a"), job("3", "a"), job("4", "b"), job("5", "a")];
    const said = (opened: readonly string[]) =>
      listRows(jobs, new Set(opened)).map((row) =>
        row.kind === "job" ? row.job.id : `${row.group.batch} ${row.group.size}`,
      );
    assert.deepEqual(said([]), ["1", "a 9", "4", "5"]);
    assert.deepEqual(said(["a"]), ["1", "a 9", "2", "3", "4", "5"]);
  });

  test("leave no job out, keep the order, and know where in the list each begins", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "b", null), { maxLength: 20 }), (batches) => {
        const jobs = batches.map((batch, at) => job(String(at), batch));
        const rows = listRows(jobs, new Set(["a", "b"]));
        const shown = rows.flatMap((row) => (row.kind === "job" ? [row.job] : []));
        assert.deepEqual(shown, jobs);
        for (const row of rows) assert.equal(row.kind === "job" ? row.job : row.group.jobs[0], jobs[row.at]);
      }),
    );
  });

  test("count what each job of a group does, and how far all of them are", () => {
    const jobs = [
      job("1", "a", { status: "succeeded" }),
      job("2", "a", { status: "running", progress: { value: 0.5 } as Job["progress"] }),
      job("3", "a"),
      job("4", "a", { status: "canceled" }),
    ];
    const state = stateOf({ batch: "a", jobs, size: 5 });
    assert.deepEqual(state, { done: 1, failed: 1, running: 1, queued: 1, share: 0.5 });
  });
});

test("the labels of a batch keep those of the person, and are within the server's limits", () => {
  const labels = labelledInBatch("A lighthouse", "mi3k-91ab", 3, 12);
  assert.deepEqual(labels, { name: "A lighthouse", batch: "mi3k-91ab", run: "3 of 12" });
  assert.deepEqual(labelledInBatch({ shot: "7" }, "b", 1, 2), { shot: "7", batch: "b", run: "1 of 2" });
  assert.equal(wrongIn(labels), null);
  assert.deepEqual(batchOf(labels), { id: "mi3k-91ab", size: 12 });
  assert.deepEqual(batchOf({ batch: "bulk" }), { id: "bulk", size: null });
  for (const none of [undefined, "text", { name: "x" }]) assert.equal(batchOf(none), null);
});
