// What a batch makes of one graph: how often it runs, what happens to its seeds, and the grid of one or two inputs that take
// several values. Planned as a whole before anything is submitted.
import type { DescribedInput } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { workflows } from "#strings/workflows";
import type { KnownClasses } from "../../../api/classes.ts";
import { type Graph, nodesOf, titleOf, valuesOf } from "../../../api/graphs.ts";
import { type Draft, draftKey, inputOf, kindAt } from "../../../ui/workflow-form/draft.ts";
import { type FieldKind, isSeed, randomSeed, readText, textOf } from "../../../ui/workflow-form/field-kinds.ts";

const words = workflows.batch;

// Random: another seed for each round. Next: one more than in the round before. A round runs the whole grid with one seed, so
// that its results can be compared.
export const seedPolicies = ["random", "next", "fixed"] as const;
export type SeedPolicy = (typeof seedPolicies)[number];

export interface Sweep {
  // A `draftKey`; empty if no input is chosen.
  readonly key: string;
  readonly text: string;
}

export interface BatchSettings {
  readonly rounds: string;
  readonly seeds: SeedPolicy;
  readonly sweeps: readonly Sweep[];
}

export const newBatch: BatchSettings = { rounds: "4", seeds: "random", sweeps: [] };

export const jobsMax = 100;
export const sweepsMax = 2;

export interface Axis {
  readonly key: string;
  // The texts of its values, as the form would have them.
  readonly texts: readonly string[];
}

export interface BatchPlan {
  readonly rounds: number;
  readonly axes: readonly Axis[];
  // One per combination of the axes, the first axis varying slowest.
  readonly cells: readonly Draft[];
  readonly jobs: number;
}

export interface BatchProblems {
  readonly rounds?: string;
  readonly sweeps: readonly (string | null)[];
  // About the batch as a whole.
  readonly all?: string;
}

export type Planned = { readonly plan: BatchPlan } | { readonly problems: BatchProblems };

interface Described {
  readonly graph: Graph;
  readonly classes: KnownClasses;
}

export function planBatch(of: Described, draft: Draft, settings: BatchSettings): Planned {
  const rounds = /^\d{1,4}$/.test(settings.rounds.trim()) ? Number(settings.rounds) : 0;
  const wrongRounds = rounds < 1 || rounds > jobsMax ? { rounds: words.roundsWrong(jobsMax) } : {};
  const read = settings.sweeps.map((sweep) => readSweep(of, sweep));
  const sweeps = read.map((each) => ("wrong" in each ? each.wrong : null));
  const axes = read.flatMap((each) => ("texts" in each ? [each] : []));
  const cells = axes.reduce<readonly Draft[]>(
    (known, { key, texts }) => known.flatMap((cell) => texts.map((text) => new Map(cell).set(key, text))),
    [draft],
  );
  const jobs = rounds * cells.length;
  const all = jobs > jobsMax ? { all: words.tooMany(jobs, jobsMax) } : {};
  if ("rounds" in wrongRounds || "all" in all || sweeps.some((wrong) => wrong !== null))
    return { problems: { ...wrongRounds, ...all, sweeps } };
  return { plan: { rounds, axes, cells, jobs } };
}

function readSweep(of: Described, { key, text }: Sweep): Axis | { readonly wrong: string } {
  const [nodeId = "", input = ""] = key.split("\n");
  const node = of.graph[nodeId];
  if (node === undefined || !Object.hasOwn(node.inputs, input)) return { wrong: words.chooseInput };
  const kind = kindAt(of.graph, of.classes, nodeId, input);
  const described = inputOf(of.classes, node.class_type, input);
  const texts = textsIn(kind, text, described);
  if (typeof texts === "string") return { wrong: texts };
  for (const each of texts) {
    const read = readText(kind, each, described);
    if ("wrong" in read) return { wrong: words.valueWrong(each, read.wrong) };
  }
  return texts.length === 0 ? { wrong: words.noValues } : { key, texts };
}

// Numbers may share a line and be ranges; texts and choices have a line each.
function textsIn(kind: FieldKind, text: string, described: DescribedInput | undefined): readonly string[] | string {
  if (kind === "integer" || kind === "number") {
    const parts = text.split(/[\s,;]+/).filter((part) => part !== "");
    const found: string[] = [];
    for (const part of parts) {
      const range = rangeIn(part);
      if (range === null) found.push(part);
      else if (range.length > jobsMax) return words.tooManyValues(jobsMax);
      else found.push(...range);
    }
    return [...new Set(found)];
  }
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return [...new Set(kind === "choice" ? lines.map((line) => choiceFor(line, described)) : lines)];
}

// `1..5`, or `0.2..0.8..0.2` with a step.
function rangeIn(part: string): readonly string[] | null {
  const [from = "", to = "", step = "1", ...others] = part.split("..");
  if (!part.includes("..") || others.length > 0) return null;
  const [first, last, by] = [Number(from), Number(to), Math.abs(Number(step))];
  if (from === "" || to === "" || ![first, last, by].every(Number.isFinite) || by === 0) return null;
  const count = Math.floor(Math.abs(last - first) / by + 1e-9) + 1;
  const digits = Math.max(...[from, to, step].map((each) => each.split(".")[1]?.length ?? 0));
  const sign = last < first ? -1 : 1;
  // One more than allowed is enough to refuse it.
  return Array.from({ length: Math.min(count, jobsMax + 1) }, (_, at) => (first + sign * at * by).toFixed(digits));
}

function choiceFor(line: string, described: DescribedInput | undefined): string {
  const found = described?.choices?.find((choice) => textOf("text", choice) === line);
  return writeJson(found ?? line);
}

export interface SweepChoice {
  readonly key: string;
  readonly label: string;
  readonly kind: FieldKind;
}

// Inputs that can take several values.
export function sweepChoices({ graph, classes }: Described): readonly SweepChoice[] {
  return nodesOf(graph).flatMap(([id, node]) =>
    valuesOf(id, node).flatMap(({ input }) => {
      const kind = kindAt(graph, classes, id, input);
      if (kind === "file" || kind === "json") return [];
      return [{ key: draftKey(id, input), label: words.inputOf(titleOf(node), input), kind }];
    }),
  );
}

export interface SeedInput {
  readonly key: string;
  readonly text: string;
  readonly described: DescribedInput | undefined;
}

export function seedInputs({ graph, classes }: Described, draft: Draft): readonly SeedInput[] {
  return nodesOf(graph).flatMap(([id, node]) =>
    valuesOf(id, node).flatMap(({ input, value }) => {
      const kind = kindAt(graph, classes, id, input);
      if (kind !== "integer" || !isSeed(input)) return [];
      const key = draftKey(id, input);
      return [
        { key, text: draft.get(key) ?? textOf(kind, value), described: inputOf(classes, node.class_type, input) },
      ];
    }),
  );
}

export interface PlannedRun {
  // From 1.
  readonly number: number;
  readonly draft: Draft;
}

// In the order in which they run: round after round.
export function runsOf(
  { rounds, cells, axes }: BatchPlan,
  seeds: readonly SeedInput[],
  policy: SeedPolicy,
  draw: (input: DescribedInput | undefined) => string = randomSeed,
): readonly PlannedRun[] {
  const swept = new Set(axes.map(({ key }) => key));
  const free = seeds.filter(({ key }) => !swept.has(key));
  return Array.from({ length: rounds }, (_, round) =>
    free.flatMap(({ key, text, described }): readonly [string, string][] => {
      if (policy === "random") return [[key, draw(described)]];
      return policy === "next" && round > 0 ? [[key, seedAfter(text, round, described)]] : [];
    }),
  )
    .flatMap((drawn) => cells.map((cell) => new Map([...cell, ...drawn])))
    .map((draft, at) => ({ number: at + 1, draft }));
}

// Beyond the largest seed it goes on at the smallest.
function seedAfter(text: string, rounds: number, described: DescribedInput | undefined): string {
  if (!/^[+-]?\d{1,40}$/.test(text.trim())) return text;
  const [least, most] = [BigInt(described?.min ?? 0), BigInt(described?.max ?? 2n ** 64n - 1n)];
  const next = BigInt(text.trim()) + BigInt(rounds);
  return String(next > most ? least + ((next - most - 1n) % (most - least + 1n)) : next);
}
