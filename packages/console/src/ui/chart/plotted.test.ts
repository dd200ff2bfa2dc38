// How a chart draws a range whose newest bucket has just begun.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { bucketWords, type ChartData, slotsOf, stepMs } from "./chart-data.ts";
import { plotted, spanSteps, wholeSteps } from "./plotted.ts";

const hour = stepMs.hour;
const begun = Date.UTC(2026, 10, 17);

// Four calls and two failures in each finished bucket; in the newest, `seconds` old, 340 and 4.
function dataAt(seconds: number, step: number = hour): ChartData {
  const [from, to] = [begun - 24 * step, begun + seconds * 1_000];
  const times = slotsOf(from, to, step);
  const valuesOf = (old: number, newest: number) => times.map((at) => (at === times.at(-1) ? newest : old));
  return {
    times,
    stepMs: step,
    from,
    to,
    lines: [
      { key: "succeeded", label: "Succeeded", colour: "ok", values: valuesOf(4, 340) },
      { key: "failed", label: "Failed", colour: "bad", values: valuesOf(2, 4) },
    ],
  };
}

describe("a chart whose newest bucket has just begun", () => {
  for (const [name, step] of Object.entries(stepMs)) {
    test(`draws that bucket whole, and as tall as it is: by ${name}`, () => {
      const drawn = plotted(dataAt(1, step), "bars");
      const newest = drawn.middles.at(-1) ?? assert.fail("nothing is drawn");
      assert.equal(newest, begun / 1_000 + step / 2_000);
      assert.equal(drawn.end, (begun + step) / 1_000, "the axis ends where the bucket ends");
      assert.equal(drawn.middles.length, 25);
      assert.equal(drawn.columns[0]?.at(-1), 344, "stacked: the tallest is drawn first");
      assert.ok(drawn.top > 344, "the scale holds the newest bucket");
    });
  }

  test("hatches from now to the end of the bucket, and nothing once it is over", () => {
    assert.deepEqual(plotted(dataAt(90), "bars").uncounted, [[begun / 1_000 + 90, begun / 1_000 + 3_600]]);
    assert.deepEqual(plotted({ ...dataAt(90), to: begun + hour }, "bars").uncounted, []);
  });

  test("a range that begins within a bucket shows that bucket whole, and hatches the part before the range", () => {
    const data = { ...dataAt(3_600), from: begun - 24 * hour + 900_000, to: begun + hour };
    const drawn = plotted(data, "bars");
    assert.equal(drawn.from, (begun - 24 * hour) / 1_000);
    assert.deepEqual(drawn.uncounted, [[drawn.from, drawn.from + 900]]);
  });

  test("lines are not stacked, and the scale fits the highest of them", () => {
    const drawn = plotted(dataAt(1), "lines");
    assert.deepEqual([drawn.columns[0]?.at(-1), drawn.columns[1]?.at(-1)], [340, 4]);
    assert.ok(drawn.top > 340 && drawn.top < 400);
  });

  test("says until when the newest bucket was counted, and says nothing about the others", () => {
    const data = dataAt(90);
    assert.match(bucketWords(begun, data), /, until \d/);
    assert.doesNotMatch(bucketWords(begun - hour, data), /until/);
  });

  test("counts have whole numbers on their axis, durations round ones", () => {
    assert.ok(wholeSteps.every(Number.isInteger));
    assert.equal(wholeSteps[0], 1);
    assert.deepEqual(
      wholeSteps.toSorted((one, other) => one - other),
      wholeSteps,
    );
    assert.deepEqual(
      spanSteps.toSorted((one, other) => one - other),
      spanSteps,
    );
  });
});
