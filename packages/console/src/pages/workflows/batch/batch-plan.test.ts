// What a batch makes of one graph.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { DescribedClass } from "@atelier/sdk";
import type { Graph } from "../../../api/graphs.ts";
import {
  type BatchPlan,
  type BatchSettings,
  newBatch,
  planBatch,
  runsOf,
  seedInputs,
  sweepChoices,
} from "./batch-plan.ts";

const graph: Graph = {
  "1": { class_type: "Paint", inputs: { prompt: "a cat", seed: 5, steps: 4, style: "oil", image: { hash: "x" } } },
  "2": { class_type: "Save", inputs: { images: ["1", 0], noise_seed: 9_007_199_254_740_993n } },
};
const paint = {
  name: "Paint",
  outputs: [],
  inputs: [
    { name: "seed", type: "INT", min: 0, max: 7 },
    { name: "steps", type: "INT", min: 1, max: 50 },
    { name: "style", type: "COMBO", choices: ["oil", "ink"] },
  ],
} as unknown as DescribedClass;
const of = { graph, classes: new Map([["Paint", paint]]) };
const planned = (settings: Partial<BatchSettings>): BatchPlan => {
  const made = planBatch(of, new Map(), { ...newBatch, rounds: "1", ...settings });
  return "plan" in made ? made.plan : assert.fail(JSON.stringify(made.problems));
};
const problems = (settings: Partial<BatchSettings>) => {
  const made = planBatch(of, new Map(), { ...newBatch, rounds: "1", ...settings });
  return "problems" in made ? made.problems : assert.fail("it was planned");
};
const sweep = (key: string, text: string) => ({ sweeps: [{ key: key.replace(".", "\n"), text }] });
const textsOf = (key: string, text: string) => planned(sweep(key, text)).axes[0]?.texts;

describe("the grid of a batch", () => {
  test("has every combination of two inputs once, each round after the other", () => {
    const plan = planned({
      rounds: "2",
      sweeps: [
        { key: "1\nsteps", text: "4, 8" },
        { key: "1\nprompt", text: "a cat\na dog, asleep\n\n" },
      ],
    });
    assert.equal(plan.jobs, 8);
    const runs = runsOf(plan, [], "fixed").map(({ draft }) =>
      [draft.get("1\nsteps"), draft.get("1\nprompt")].join(" "),
    );
    assert.deepEqual(runs.slice(0, 4), ["4 a cat", "4 a dog, asleep", "8 a cat", "8 a dog, asleep"]);
    assert.deepEqual(runs.slice(4), runs.slice(0, 4));
  });

  test("reads ranges with and without a step, down as well, and leaves out repetitions", () => {
    assert.deepEqual(textsOf("1.steps", "1..4 4"), ["1", "2", "3", "4"]);
    assert.deepEqual(textsOf("1.steps", "10..2..4"), ["10", "6", "2"]);
    assert.deepEqual(textsOf("1.style", "ink\noil"), ['"ink"', '"oil"']);
  });

  test("is refused with the reason: no input, no value, a value beyond its limits, too many jobs", () => {
    assert.ok(problems(sweep("", "1")).sweeps[0]);
    assert.ok(problems(sweep("1.steps", " ")).sweeps[0]);
    assert.match(problems(sweep("1.steps", "4, 51")).sweeps[0] ?? "", /51.*at most 50/i);
    assert.match(problems(sweep("1.steps", "1..1000000000")).sweeps[0] ?? "", /100/);
    assert.match(problems({ rounds: "40", ...sweep("1.steps", "1..3") }).all ?? "", /120/);
    for (const rounds of ["0", "101", "x", ""]) assert.ok(problems({ rounds }).rounds);
  });

  test("offers every value but files and JSON", () => {
    assert.deepEqual(
      sweepChoices(of).map(({ key }) => key.replace("\n", ".")),
      ["1.prompt", "1.seed", "1.steps", "1.style", "2.noise_seed"],
    );
  });
});

describe("the seeds of a batch", () => {
  const seeds = seedInputs(of, new Map([["1\nseed", "6"]]));
  const seedsOf = (policy: BatchSettings["seeds"], settings: Partial<BatchSettings> = {}) => {
    let drawn = 100;
    const runs = runsOf(planned({ rounds: "3", ...settings }), seeds, policy, () => String(drawn++));
    return runs.map(({ draft }) => [draft.get("1\nseed"), draft.get("2\nnoise_seed")]);
  };

  test("are drawn for each round, go up by one and start again after the largest, or stay", () => {
    assert.deepEqual(seedsOf("random"), [
      ["100", "101"],
      ["102", "103"],
      ["104", "105"],
    ]);
    assert.deepEqual(seedsOf("next"), [
      [undefined, undefined],
      ["7", "9007199254740994"],
      ["0", "9007199254740995"],
    ]);
    assert.deepEqual(seedsOf("fixed").flat().filter(Boolean), []);
  });

  test("are the same for all values of a round, and a swept seed is not drawn", () => {
    const [first, second] = seedsOf("random", { rounds: "1", ...sweep("1.steps", "4, 8") });
    assert.deepEqual(first, second);
    assert.deepEqual(
      seedsOf("random", { rounds: "1", ...sweep("1.seed", "1, 2") }).map(([seed]) => seed),
      ["1", "2"],
    );
  });
});
