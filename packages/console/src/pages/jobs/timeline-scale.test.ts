// The axis of the timeline, for any job: it never runs backwards, and long stretches in which nothing ran take little room.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Job, JobNode } from "@atelier/sdk";
import fc from "fast-check";
import { timelineOf } from "./timeline.ts";

const created = Date.parse("2026-11-17T10:00:00.000Z");

interface Ran {
  readonly began: number | null;
  readonly ms: number | null;
}

function jobOf(queuedMs: number, ranMs: number, nodes: readonly Ran[]): Job {
  const at = (ms: number) => new Date(created + ms).toISOString();
  return {
    status: "succeeded",
    created_at: at(0),
    started_at: at(queuedMs),
    completed_at: at(queuedMs + ranMs),
    progress: {
      nodes: nodes.map(({ began, ms }, index) => ({
        ...{ node_id: String(index + 1), class_type: "A", title: null, state: "done", progress: 1, ms },
        ...(began === null ? {} : { began_ms: began }),
      })),
    },
  } as unknown as Job;
}

const nodeIds = (rows: readonly { readonly node: JobNode }[]) => rows.map(({ node }) => node.node_id);

describe("any timeline", () => {
  const ran = fc.record({
    began: fc.option(fc.integer({ min: 0, max: 1e7 }), { nil: null }),
    ms: fc.option(fc.integer({ min: 0, max: 1e6 }), { nil: null }),
  });
  const jobs = fc.record({
    queued: fc.integer({ min: 0, max: 1e7 }),
    ran: fc.integer({ min: 0, max: 1e7 }),
    nodes: fc.array(ran, { maxLength: 8 }),
  });

  test("has room beside each mark of its axis for the mark's words", () => {
    fc.assert(
      fc.property(jobs, (job) => {
        const marks = timelineOf(jobOf(job.queued, job.ran, job.nodes), {}, created).ticks.map(({ at }) => at);
        assert.equal(marks[0], 0);
        for (const [index, at] of marks.entries()) assert.ok((marks[index + 1] ?? 1) - at >= 0.15999, `${marks}`);
      }),
    );
  });

  test("has each node once, those that ran in the order they began", () => {
    fc.assert(
      fc.property(jobs, (job) => {
        const { rows } = timelineOf(jobOf(job.queued, job.ran, job.nodes), {}, created);
        assert.deepEqual(nodeIds(rows).toSorted(), job.nodes.map((_, at) => String(at + 1)).toSorted());
        const begins = rows.map(({ fromMs }) => fromMs ?? Number.POSITIVE_INFINITY);
        assert.deepEqual(
          begins,
          begins.toSorted((one, other) => one - other),
        );
      }),
    );
  });

  test("keeps every bar within the width, from left to right", () => {
    fc.assert(
      fc.property(jobs, (job) => {
        const { rows } = timelineOf(jobOf(job.queued, job.ran, job.nodes), {}, created);
        for (const { from, to, waitedFrom } of rows) {
          if (from === null || to === null || waitedFrom === null) continue;
          assert.ok(waitedFrom >= 0 && waitedFrom <= from && from <= to && to <= 1, `${waitedFrom} ${from} ${to}`);
        }
      }),
    );
  });

  test("has ticks in order, far enough apart to read, starting with the submission", () => {
    fc.assert(
      fc.property(jobs, (job) => {
        const { ticks, totalMs } = timelineOf(jobOf(job.queued, job.ran, job.nodes), {}, created);
        assert.deepEqual(ticks[0], { at: 0, ms: 0 });
        for (const [index, tick] of ticks.entries()) {
          const before = ticks[index - 1];
          assert.ok(tick.ms <= totalMs);
          assert.ok(before === undefined || (tick.ms > before.ms && tick.at - before.at >= 0.099));
        }
        assert.ok(ticks.length <= 11, String(ticks.length));
      }),
    );
  });
});

describe("a job that waited a long time", () => {
  test("shows the wait as a break, and its work in most of the width", () => {
    const { breaks, rows, totalMs } = timelineOf(jobOf(7_200_000, 2_000, [{ began: 0, ms: 2_000 }]), {}, created);
    assert.equal(totalMs, 7_202_000);
    assert.deepEqual(
      breaks.map(({ ms }) => ms),
      [7_200_000],
    );
    const [row] = rows;
    assert.ok((row?.to ?? 0) - (row?.from ?? 0) > 0.9);
  });

  test("between two nodes is broken there, and a short wait is not", () => {
    const long = timelineOf(
      jobOf(0, 602_000, [
        { began: 0, ms: 1_000 },
        { began: 601_000, ms: 1_000 },
      ]),
      {},
      created,
    );
    assert.deepEqual(
      long.breaks.map(({ ms }) => ms),
      [600_000],
    );
    const short = timelineOf(
      jobOf(0, 2_900, [
        { began: 0, ms: 1_000 },
        { began: 1_900, ms: 1_000 },
      ]),
      {},
      created,
    );
    assert.deepEqual(short.breaks, []);
    assert.deepEqual(
      short.rows.map(({ from }) => Math.round((from ?? 0) * 100)),
      [0, 66],
    );
  });
});

describe("a job whose nodes have no start", () => {
  const graph = {
    1: { class_type: "Save", inputs: { image: ["2", 0] } },
    2: { class_type: "Scale", inputs: { image: ["3", 0] } },
    3: { class_type: "Load", inputs: {} },
  };

  test("is shown in the order in which its nodes need each other", () => {
    const nodes = [100, 200, 300].map((ms) => ({ began: null, ms }));
    const { rows, isMeasured } = timelineOf(jobOf(0, 600, nodes), graph, created);
    assert.equal(isMeasured, false);
    assert.deepEqual(
      rows.map(({ node, fromMs }) => [node.node_id, fromMs]),
      [
        ["3", 0],
        ["2", 300],
        ["1", 500],
      ],
    );
  });

  test("in a cycle still shows each of them", () => {
    const circle = {
      1: { class_type: "A", inputs: { x: ["2", 0] } },
      2: { class_type: "B", inputs: { x: ["1", 0] } },
    };
    const { rows } = timelineOf(
      jobOf(0, 20, [
        { began: null, ms: 10 },
        { began: null, ms: 10 },
      ]),
      circle,
      created,
    );
    assert.deepEqual(nodeIds(rows), ["1", "2"]);
  });

  test("puts those that did not run last, in the order of the graph", () => {
    const { rows } = timelineOf(
      jobOf(0, 10, [
        { began: null, ms: null },
        { began: null, ms: 10 },
        { began: null, ms: null },
      ]),
      {},
      created,
    );
    assert.deepEqual(nodeIds(rows), ["2", "1", "3"]);
    assert.equal(rows[1]?.from, null);
  });
});
