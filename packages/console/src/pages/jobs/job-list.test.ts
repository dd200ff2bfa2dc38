// How a fresh page of the list joins the one on display.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job, JobPage } from "@atelier/sdk";
import fc from "fast-check";
import { merged } from "./job-list.ts";

const job = (id: string, more: Partial<Job> = {}): Job =>
  ({ id, status: "queued", outputs: [], completed_at: null, ...more }) as unknown as Job;
const pageOf = (jobs: readonly Job[], has_more = false): JobPage =>
  ({ data: jobs, has_more, limit: 50, ...(has_more ? { next_cursor: "next" } : {}) }) as JobPage;
const ids = ({ data }: JobPage) => data.map(({ id }) => id);

describe("a page that was read again", () => {
  test("is the very same object if nothing that a row shows has changed", () => {
    const old = pageOf([job("3"), job("2"), job("1")]);
    assert.equal(merged(old, pageOf([job("3"), job("2"), job("1")])), old);
  });

  test("keeps unchanged rows, so that they are not drawn again", () => {
    const old = pageOf([job("2"), job("1")]);
    const now = merged(old, pageOf([job("2", { status: "running" }), job("1")]));
    assert.equal(now.data[1], old.data[1]);
    assert.equal(now.data[0]?.status, "running");
  });

  for (const [name, more] of Object.entries({
    status: { status: "succeeded" },
    progress: { progress: { value: 0.5, nodes_done: 1 } },
    position: { queue_position: 3 },
    outputs: { outputs: [{}] },
    end: { completed_at: "2026-11-17T10:00:00.000Z" },
  }))
    test(`shows a change of the ${name}`, () => {
      const old = pageOf([job("1")]);
      assert.notEqual(merged(old, pageOf([job("1", more as Partial<Job>)])), old);
    });

  test("puts new jobs first, and keeps those they pushed off the end", () => {
    const old = pageOf([job("3"), job("2"), job("1")], true);
    const now = merged(old, pageOf([job("5"), job("4"), job("3")], true));
    assert.deepEqual(ids(now), ["5", "4", "3", "2", "1"]);
    assert.equal(now.next_cursor, old.next_cursor, "the next page begins where it began");
  });

  test("drops jobs that no longer match the filter", () => {
    assert.deepEqual(ids(merged(pageOf([job("3"), job("2"), job("1")]), pageOf([job("3"), job("1")]))), ["3", "1"]);
    assert.deepEqual(ids(merged(pageOf([job("1")]), pageOf([]))), []);
  });

  test("never has a job twice, and starts with the fresh ones", () => {
    const some = fc.uniqueArray(fc.integer({ min: 1, max: 12 }).map(String));
    fc.assert(
      fc.property(some, some, fc.boolean(), (before, after, hasMore) => {
        const down = (list: readonly string[]) => list.toSorted((one, other) => Number(other) - Number(one));
        const fresh = pageOf(
          down(after).map((id) => job(id)),
          hasMore,
        );
        const now = ids(
          merged(
            pageOf(
              down(before).map((id) => job(id)),
              hasMore,
            ),
            fresh,
          ),
        );
        assert.equal(new Set(now).size, now.length);
        assert.deepEqual(now.slice(0, after.length), ids(fresh));
      }),
    );
  });
});
