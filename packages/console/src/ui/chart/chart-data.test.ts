import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { UsageSeries } from "@atelier/sdk";
import fc from "fast-check";
import { colourAt, failureColourAt, isTime, sentenceOf, slotsOf, stepMs, unitOf, usageChart } from "./chart-data.ts";
import { plotted } from "./plotted.ts";

const begin = Date.parse("2026-11-17T00:00:00.000Z");
const hours = (count: number): string => new Date(begin + count * stepMs.hour).toISOString();

type Point = UsageSeries["data"][number];
const point = (at: number, more: Partial<Point> = {}): Point =>
  ({
    at: hours(at),
    key: null,
    calls: 0,
    failures: 0,
    replays: 0,
    credits: "0",
    p50_ms: null,
    p95_ms: null,
    ...more,
  }) as Point;
const series = (data: readonly Point[], more: Partial<UsageSeries> = {}): UsageSeries =>
  ({ from: hours(0), to: hours(4), step: "hour", by: "none", groups: [], data, ...more }) as UsageSeries;

describe("the points of a chart", () => {
  test("are every step of the range, from the one in which it begins", () => {
    assert.deepEqual(slotsOf(5, 31, 10), [0, 10, 20, 30]);
    assert.deepEqual(slotsOf(10, 30, 10), [10, 20]);
    assert.deepEqual(slotsOf(10, 10, 10), [10], "one at least");
  });

  test("cover the range without a gap", () => {
    const steps = fc.constantFrom(...Object.values(stepMs));
    fc.assert(
      fc.property(
        fc.integer({ min: 1e12, max: 2e12 }),
        fc.integer({ min: 1, max: 3e8 }),
        steps,
        (from, length, step) => {
          const slots = slotsOf(from, from + length, step);
          const [first = 0, last = 0] = [slots[0], slots.at(-1)];
          assert.ok(first <= from && from < first + step);
          assert.ok(last < from + length && from + length <= last + step);
          assert.ok(slots.every((at, index) => at === first + index * step));
        },
      ),
    );
  });

  test("without usage are gaps, never zeros", () => {
    const chart = usageChart(series([point(1, { calls: 0 }), point(3, { calls: 5 })]), "calls");
    assert.deepEqual(chart.lines[0]?.values, [null, 0, null, 5]);
  });

  test("outside the range are left out, and an amount is a number", () => {
    const chart = usageChart(series([point(9, { credits: "5" }), point(2, { credits: "0.25" })]), "credits");
    assert.deepEqual(chart.lines[0]?.values, [null, null, 0.25, null]);
  });
});

describe("the lines of a chart", () => {
  test("are one for the whole, or one for each group in the server's order", () => {
    const data = [
      point(0, { key: "b", calls: 2 }),
      point(0, { key: "other", calls: 9 }),
      point(1, { key: "a", calls: 1 }),
    ];
    const groups = ["b", "a", "other"].map((key) => ({ key }));
    const chart = usageChart(
      series(data, { by: "subject", groups } as unknown as Partial<UsageSeries>),
      "calls",
      (key) => `<${key}>`,
    );
    assert.deepEqual(
      chart.lines.map(({ key, label, colour, values }) => [key, label, colour, values[0]]),
      [
        ["b", "<b>", "series-1", 2],
        ["a", "<a>", "series-2", null],
        ["other", "<other>", "series-other", 9],
      ],
    );
    assert.equal(usageChart(series(data), "calls").lines.length, 1);
  });

  test("can be several metrics of the same usage", () => {
    const wanted = [
      { metric: "calls", label: "Calls", colour: "ok" },
      { metric: "failures", label: "Failures", colour: "bad" },
    ] as const;
    const chart = usageChart(series([point(2, { calls: 7, failures: 3 })]), wanted);
    assert.deepEqual(
      chart.lines.map(({ label, values }) => [label, values[2]]),
      [
        ["Calls", 7],
        ["Failures", 3],
      ],
    );
  });

  test("have their own colours up to eight, and those of failures are never green", () => {
    assert.equal(new Set(Array.from({ length: 8 }, (_, at) => colourAt(at))).size, 8);
    assert.equal(colourAt(8), colourAt(0));
    assert.equal(failureColourAt(0), "bad");
    assert.equal(Array.from({ length: 20 }, (_, at) => failureColourAt(at)).includes("ok"), false);
  });

  test("have the unit of their metric", () => {
    assert.deepEqual((["calls", "credits", "p95_ms"] as const).map(unitOf), ["count", "credits", "span"]);
    assert.deepEqual((["failures", "p50_ms"] as const).map(isTime), [false, true]);
  });
});

describe("a drawn chart", () => {
  test("stacks bars so that the tallest is the sum, and each is as high as its own value", () => {
    const value = fc.option(fc.integer({ min: 0, max: 1_000 }), { nil: null });
    const rows = fc
      .integer({ min: 1, max: 4 })
      .chain((count) =>
        fc.array(fc.array(value, { minLength: 3, maxLength: 3 }), { minLength: count, maxLength: count }),
      );
    fc.assert(
      fc.property(rows, (lines) => {
        const data = {
          times: [0, 1, 2].map((at) => begin + at * stepMs.hour),
          stepMs: stepMs.hour,
          from: begin,
          to: begin + 3 * stepMs.hour,
          lines: lines.map((values, at) => ({ key: String(at), label: "", colour: colourAt(at), values })),
        };
        const { columns, top } = plotted(data, "bars");
        for (const at of [0, 1, 2]) {
          const own = lines.map((values) => values[at] ?? 0);
          assert.equal(
            columns[0]?.[at] ?? 0,
            own.reduce((sum, one) => sum + one, 0),
          );
          const heights = columns.map((values) => values[at] ?? 0);
          assert.deepEqual(
            heights,
            heights.toSorted((one, other) => other - one),
          );
          assert.ok(heights.every((height) => height < top));
        }
      }),
    );
  });

  test("is one sentence that names its lines and its highest point", () => {
    const chart = usageChart(series([point(1, { calls: 3 }), point(2, { calls: 8 })]), "calls");
    const words = sentenceOf("Calls", chart, String, true);
    assert.match(words, /11/);
    assert.match(words, /8/);
    assert.notEqual(words, sentenceOf("Calls", usageChart(series([]), "calls"), String, true));
  });

  test("that is not stacked shows its highest value, not a sum", () => {
    const data = [point(0, { key: "a", p95_ms: 40 }), point(0, { key: "b", p95_ms: 70 })];
    const groups = [{ key: "a" }, { key: "b" }];
    const chart = usageChart(series(data, { by: "subject", groups } as unknown as Partial<UsageSeries>), "p95_ms");
    const words = sentenceOf("Time", chart, (value) => `<${value}>`, false);
    assert.match(words, /<70>/);
    assert.doesNotMatch(words, /<110>/);
  });
});
