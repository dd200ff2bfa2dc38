// Plans what --repeat, --seed and --each make of one command: which jobs there will be, each with its seed and its file. The
// plan is made, and refused if invalid, before anything is sent.
import { expandFiles } from "../files/expand-files.ts";
import type { OutputTemplate } from "../files/output-template.ts";
import { type ClientCall, wrongCall } from "../read-call.ts";
import { ClientProblem } from "../server/client-problem.ts";
import { fileInputs } from "./graph-files.ts";
import { type ApiGraph, findNodeId, type GraphInput, type NodeInput, withValue } from "./graph-inputs.ts";
import { findSeeds, type Seed, seedOf } from "./graph-seeds.ts";

type SeedChoice = { readonly kind: "keep" | "random" } | { readonly kind: "from"; readonly first: bigint };

export interface BatchFlags {
  readonly repeat: number;
  // Null if --seed was not given.
  readonly seed: SeedChoice | null;
  readonly each: { readonly files: readonly string[]; readonly target: NodeInput | null } | null;
  // Whether several jobs were asked for, even if it turns out to be one.
  readonly isBatch: boolean;
}

export interface PlannedRun {
  // From 1.
  readonly number: number;
  readonly file: string | null;
  // Null keeps the graph's own seed.
  readonly seed: Seed | null;
}

export interface BatchPlan {
  readonly runs: readonly PlannedRun[];
  // The graph inputs that each run sets.
  readonly seeds: readonly NodeInput[];
  readonly fileInputs: readonly NodeInput[];
  // What -i sets in every run.
  readonly inputs: readonly GraphInput[];
  readonly warnings: readonly string[];
}

const repeatMax = 1000;
const runsMax = 10_000;
const seedMax = 2n ** 64n - 1n;

export function readBatchFlags(call: ClientCall): BatchFlags {
  const repeat = call.whole("repeat", 1, repeatMax);
  const each = readEach(call);
  const count = (repeat ?? 1) * (each?.files.length ?? 1);
  if (count > runsMax) throw wrongCall("run", [`That would be ${count} jobs; one command submits at most ${runsMax}.`]);
  return {
    repeat: repeat ?? 1,
    seed: readSeed(call, repeat ?? 1),
    each,
    isBatch: repeat !== undefined || each !== null,
  };
}

function readSeed(call: ClientCall, repeat: number): SeedChoice | null {
  const text = call.text("seed");
  if (text === undefined) return null;
  if (text === "random" || text === "keep") return { kind: text };
  if (/^\d{1,20}$/.test(text) && BigInt(text) + BigInt(repeat - 1) <= seedMax)
    return { kind: "from", first: BigInt(text) };
  throw wrongCall("run", [
    `--seed must be random, keep, or a whole number; no seed may exceed ${seedMax}. Got "${text}".`,
  ]);
}

// A shell that expands the pattern puts all but the first file after the workflow.
function readEach(call: ClientCall): BatchFlags["each"] {
  const [workflow = "", ...more] = call.words;
  const texts = call.texts("each");
  if (texts.length === 0) {
    if (more.length > 0) throw wrongCall("run", [`Unexpected arguments: ${more.join(" ")}.`]);
    return null;
  }
  if (!/\.json$/i.test(workflow) && more.some((word) => /\.json$/i.test(word)))
    throw wrongCall("run", [`Name the workflow first, then the files: atelier run workflow.json --each …`]);
  const read = texts.map(targeted);
  const targets = read.flatMap(({ target }) => target ?? []);
  const [target = null] = targets;
  if (targets.some((one) => one.nodeId !== target?.nodeId || one.input !== target.input))
    throw wrongCall("run", ["Every --each must name the same input."]);
  return { files: [...read.map(({ pattern }) => pattern), ...more].flatMap(expandFiles), target };
}

function targeted(text: string): { readonly target: NodeInput | null; readonly pattern: string } {
  const [, nodeId, input, pattern] = /^([^.=/\\]+)\.([^.=/\\]+)=(.+)$/s.exec(text) ?? [];
  if (nodeId === undefined || input === undefined || pattern === undefined) return { target: null, pattern: text };
  return { target: { nodeId, input }, pattern: pattern.replace(/^@/, "") };
}

export function planRuns(
  flags: BatchFlags,
  graph: ApiGraph,
  inputs: readonly GraphInput[],
  template: Pick<OutputTemplate, "has"> | null,
): BatchPlan {
  const problems = [
    ...(template?.has("each") && flags.each === null ? ["{each} in -o needs --each."] : []),
    ...(template?.has("seed") && findSeeds(graph, []).length === 0 ? ["{seed} in -o needs a graph with a seed."] : []),
  ];
  if (problems.length > 0) throw wrongCall("run", problems);
  const isSlot = ({ value }: GraphInput) => flags.each !== null && value.kind === "file" && value.path === "{}";
  const common = inputs.filter((each) => !isSlot(each));
  const named = (each: NodeInput): NodeInput => ({ nodeId: findNodeId(graph, each.nodeId), input: each.input });
  const given = common.map(named);
  const slots = inputs.filter(isSlot).map(named);
  const seeds = findSeeds(graph, given);
  const choice = flags.seed ?? { kind: flags.repeat > 1 && seeds.length > 0 ? "random" : "keep" };
  if (choice.kind !== "keep" && seeds.length === 0) throw noSeed(given.length > 0);
  const seedFor = seedsBy(choice);
  const files = flags.each?.files ?? [null];
  const turns = Array.from({ length: flags.repeat }, (_, turn) => turn);
  const runs = files.flatMap((file) => turns.map((turn) => ({ file, seed: seedFor(turn) })));
  return {
    runs: runs.map((run, at) => ({ ...run, number: at + 1 })),
    seeds: choice.kind === "keep" ? [] : seeds,
    fileInputs: flags.each === null ? [] : slots.length > 0 ? slots : [targetOf(flags.each.target, graph, named)],
    inputs: common,
    warnings: flags.repeat > 1 && seeds.length === 0 ? ["The graph has no seed, so all these jobs are identical."] : [],
  };
}

// The graph of one run, and the seed it runs with if that is a single number.
export function graphOfRun(
  plan: Pick<BatchPlan, "seeds" | "fileInputs">,
  graph: ApiGraph,
  { seed }: PlannedRun,
  file: unknown,
): { readonly graph: ApiGraph; readonly seed: Seed | null } {
  const filled = file === null ? graph : withValue(graph, plan.fileInputs, file);
  if (seed === null) return { graph: filled, seed: seedOf(filled, findSeeds(filled, [])) };
  return { graph: withValue(filled, plan.seeds, seed), seed };
}

function targetOf(target: NodeInput | null, graph: ApiGraph, named: (each: NodeInput) => NodeInput): NodeInput {
  if (target !== null) return named(target);
  const found = fileInputs(graph);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const what = found.length === 0 ? "The graph has no node that loads a file." : "The graph loads several files.";
  throw new ClientProblem("usage", "usage", `${what} Name the input for --each.`, {
    hint: "for example --each 10.image='photos/*.png', or -i 10.image=@{} --each photos/*.png",
    lines: found.map(({ nodeId, input }) => `${nodeId}.${input}  ${String(graph[nodeId]?.class_type)}`),
  });
}

// A given number seeds the first repetition, and the count starts over for every file, so all files are treated alike. Random
// seeds are drawn per job, from a range that every model accepts.
function seedsBy(choice: SeedChoice): (turn: number) => Seed | null {
  if (choice.kind === "keep") return () => null;
  if (choice.kind === "from") return (turn) => exact(choice.first + BigInt(turn));
  const drawn = new Set<number>();
  return () => {
    for (;;) {
      const seed = Math.floor(Math.random() * 2 ** 31);
      if (drawn.has(seed)) continue;
      drawn.add(seed);
      return seed;
    }
  };
}

const exact = (seed: bigint): Seed => (seed <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(seed) : seed);

const noSeed = (hasGiven: boolean): ClientProblem =>
  new ClientProblem("usage", "usage", `The graph has no seed${hasGiven ? " besides those set with -i" : ""}.`, {
    hint: "seeds are integers named seed or noise_seed; leave --seed out to run the graph unchanged",
  });
