import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { clientCommands } from "../client-commands.ts";
import { readTemplate } from "../files/output-template.ts";
import { readCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { graphOfRun, planRuns, readBatchFlags } from "./batch-plan.ts";
import { type ApiGraph, parseInput } from "./graph-inputs.ts";
import { readLabel, readMetadata } from "./run-names.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-plan-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const [one, two] = ["a.png", "b.png"].map((name) => join(folder, name));
for (const path of [one, two]) writeFileSync(path ?? "", "");

const graph: ApiGraph = {
  "1": { class_type: "LoadImage", inputs: { image: "old.png" } },
  "3": { class_type: "KSampler", inputs: { seed: 5, steps: 20 }, _meta: { title: "Sampler" } },
  "4": { class_type: "SamplerCustom", inputs: { noise_seed: ["7", 0] } },
  "5": { class_type: "Other", inputs: { seed: ["3", 0], noise_seed: "no number" } },
  "7": { class_type: "PrimitiveInt", inputs: { value: 18446744073709551615n } },
};
const listed = clientCommands.find(({ name }) => name === "run") ?? assert.fail();
const callOf = (...words: string[]) => readCall(listed, ["fox.json", ...words]);
function plan(...words: string[]) {
  const call = callOf(...words);
  const template = readTemplate(call.text("output") ?? ".");
  return planRuns(readBatchFlags(call), graph, call.texts("input").map(parseInput), template);
}
const seedsOf = (...words: string[]) => plan(...words).runs.map(({ seed }) => seed);
const isRefused = (pattern: RegExp) => (error: unknown) =>
  error instanceof ClientProblem && pattern.test(error.message);

test("one job runs with the graph's own seed; repetitions draw one each, unless chosen otherwise", () => {
  assert.deepEqual(seedsOf(), [null]);
  assert.deepEqual(seedsOf("--repeat", "2", "--seed", "keep"), [null, null]);
  for (const words of [
    ["--repeat", "500"],
    ["--repeat", "500", "--seed", "random"],
  ]) {
    const seeds = seedsOf(...words);
    assert.equal(new Set(seeds).size, 500);
    for (const seed of seeds) assert.ok(typeof seed === "number" && seed >= 0 && seed < 2 ** 31);
  }
  assert.ok(typeof seedsOf("--seed", "random")[0] === "number");
});

test("a number is the first seed, counted up with every digit of 64 bits; beyond them it is refused", () => {
  assert.deepEqual(seedsOf("--repeat", "3", "--seed", "7"), [7, 8, 9]);
  const [max, below] = [2n ** 64n - 1n, 2n ** 64n - 2n];
  assert.deepEqual(seedsOf("--repeat", "2", "--seed", String(below)), [below, max]);
  assert.deepEqual(seedsOf("--repeat", "2", "--seed", "9007199254740991"), [9007199254740991, 9007199254740992n]);
  for (const wrong of ["-1", "1.5", "", "rand", "18446744073709551616"])
    assert.throws(() => plan("--seed", wrong), ClientProblem, wrong);
  assert.throws(() => plan("--repeat", "2", "--seed", String(max)), ClientProblem);
  for (const wrong of ["0", "1001", "x"]) assert.throws(() => plan("--repeat", wrong), ClientProblem, wrong);
});

test("seeds are integers of that name, also in a primitive node; a value set with -i stays", () => {
  assert.deepEqual(plan("--seed", "7").seeds, [
    { nodeId: "3", input: "seed" },
    { nodeId: "7", input: "value" },
  ]);
  assert.deepEqual(plan("--seed", "7", "-i", "Sampler.seed=1").seeds, [{ nodeId: "7", input: "value" }]);
  const set = plan("--seed", "7");
  const made = graphOfRun(set, graph, set.runs[0] ?? assert.fail(), null);
  assert.equal(made.seed, 7);
  assert.deepEqual([made.graph["3"]?.inputs?.["seed"], made.graph["7"]?.inputs?.["value"]], [7, 7]);
  assert.equal(graph["3"]?.inputs?.["seed"], 5, "the graph it came from is untouched");
  const kept = plan();
  const own = { "3": graph["3"] ?? {} };
  assert.equal(graphOfRun(kept, own, kept.runs[0] ?? assert.fail(), null).seed, 5, "what it runs with is told");
});

test("every file makes a job, times the repetitions; numbering restarts with each file", () => {
  const made = plan("--each", one ?? "", "--repeat", "2", "--seed", "7", two ?? "");
  assert.deepEqual(
    made.runs.map(({ number, file, seed }) => [number, file, seed]),
    [
      [1, one, 7],
      [2, one, 8],
      [3, two, 7],
      [4, two, 8],
    ],
  );
  assert.deepEqual(made.fileInputs, [{ nodeId: "1", input: "image" }]);
  assert.deepEqual(plan("--each", `Sampler.x=${folder}/*.png`).fileInputs, [{ nodeId: "3", input: "x" }]);
  const marked = plan("--each", folder, "-i", "3.x=@{}", "-i", "3.steps=1");
  assert.deepEqual(marked.fileInputs, [{ nodeId: "3", input: "x" }]);
  assert.deepEqual(
    marked.inputs.map(({ input }) => input),
    ["steps"],
  );
  assert.deepEqual(
    marked.runs.map(({ file }) => file),
    [one, two],
  );
});

test("combinations that make no sense are refused before anything is sent", () => {
  assert.throws(() => callOf("--each"), ClientProblem);
  assert.throws(() => plan("more.json"), isRefused(/Unexpected arguments/));
  assert.throws(
    () => readBatchFlags(readCall(listed, [two ?? "", "fox.json", "--each", one ?? ""])),
    isRefused(/first/),
  );
  assert.throws(() => plan("--each", `1.image=${one}`, "--each", `3.x=${one}`), isRefused(/the same input/));
  assert.throws(() => plan("-o", "{each}"), isRefused(/--each/));
  const bare = (...words: string[]) => {
    const call = callOf(...words);
    return planRuns(readBatchFlags(call), { "1": { class_type: "A" } }, [], readTemplate(call.text("output") ?? "."));
  };
  assert.throws(() => bare("--seed", "random"), isRefused(/no seed/));
  assert.throws(() => bare("-o", "{seed}"), isRefused(/needs a graph with a seed/));
  assert.throws(() => bare("--each", one ?? ""), isRefused(/no node that loads/));
  assert.match(bare("--repeat", "2").warnings.join(), /all these jobs are identical/);
});

test("a job is labelled with its workflow's file; a map is sent only on request", () => {
  const metadata = (...words: string[]) => readMetadata(callOf(...words), readLabel(callOf(...words)));
  assert.equal(metadata(), "fox");
  assert.equal(metadata("--label", "mine"), "mine");
  assert.equal(metadata("--label", ""), undefined);
  assert.deepEqual(metadata("--metadata", "a=1", "--metadata", "b=x=y"), { label: "fox", a: "1", b: "x=y" });
  assert.deepEqual(metadata("--label", "mine", "--metadata", "a="), { label: "mine", a: "" });
  assert.equal(readLabel(readCall(listed, ["-"])), "");
  for (const wrong of [["a"], ["=b"], ["a=1", "a=2"]])
    assert.throws(() => metadata(...wrong.flatMap((each) => ["--metadata", each])), ClientProblem);
});
