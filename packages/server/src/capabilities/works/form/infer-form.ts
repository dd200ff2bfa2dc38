// What people most likely want to set in a graph that has no form yet: prompts, files, sizes, lengths, steps and seeds,
// and what the author gave a title. And what it most likely makes.
import { workAlsoMax } from "@atelier/contract";
import { isRecord, memberOf } from "../../../foundation/json/json-record.ts";
import type { FormNode } from "./complete-form.ts";
import type { PossibleInput } from "./possible-inputs.ts";
import { type FormInput, type FormNumber, targetsOf } from "./work-form.ts";

export interface InferredInput {
  readonly possible: PossibleInput;
  // If there is a better label than the widget's.
  readonly label: string | null;
  // Sizes that must stay equal are set together, within the bounds of all.
  readonly joined: Pick<FormInput, "also" | "minimum" | "maximum">;
}

interface RankedInput {
  readonly one: PossibleInput;
  readonly rank: number;
}

const inferredMax = 30;

export function inferInputs(possible: readonly PossibleInput[], graph: unknown): InferredInput[] {
  const signs = negativeTexts(graph);
  const makers = makersIn(possible);
  const ranked = possible.flatMap((one): RankedInput[] => {
    const rank = rankOf(one, makers);
    return rank === null ? [] : [{ one, rank: signs.has(one.node) && rank === ranks.prompt ? ranks.negative : rank }];
  });
  // What authors left inside a subgraph is not for people, unless nothing of the sort is outside.
  const shown = new Set(ranked.filter(({ one }) => !one.isHidden).map(({ rank }) => rank));
  const chosen = ranked.filter(({ one, rank }) => !one.isHidden || !shown.has(rank)).sort((a, b) => a.rank - b.rank);
  const prompts = Map.groupBy(chosen, ({ rank }) => rank);
  return withoutEqualSizes(chosen)
    .slice(0, inferredMax)
    .map(({ one, rank }) => ({
      possible: one,
      label: promptLabel(one, rank, prompts.get(rank)?.length === 1),
      joined: rank === ranks.size ? joinSizes(one, possible) : {},
    }));
}

const ranks = { prompt: 0, negative: 1, file: 2, titled: 3, size: 4, steps: 5, seed: 6 } as const;

function rankOf(one: PossibleInput, makers: ReadonlySet<string>): number | null {
  const { kind, widget, described } = one;
  if (described?.isAdvanced === true && described.isSeed === false) return null;
  if (isPrompt(one)) return ranks.prompt;
  if (kind === "picture" || kind === "mask" || kind === "sound" || kind === "film") return ranks.file;
  if (isSeed(one)) return ranks.seed;
  if (isTitledPrimitive(one)) return ranks.titled;
  if (makers.has(one.node) && sizeWords.has(lastWord(widget))) return ranks.size;
  return kind === "integer" && lastWord(one.input) === "steps" ? ranks.steps : null;
}

const lastWord = (name: string) => name.split(".").at(-1) ?? name;
const promptWords =
  /^(text|text_[gl]|prompt|positive|negative|(positive|negative|user|system|edit|text)_prompt|caption|lyrics|tags|description|instruction|clip_l|t5xxl)$/;
const sizeWords = new Set([
  "width",
  "height",
  "length",
  "duration",
  "aspect_ratio",
  "resolution",
  "size",
  "seconds",
  "num_frames",
]);

// A text of one or more lines that a model reads. JSON and file names are texts too.
function isPrompt({ kind, input, described, of }: PossibleInput): boolean {
  if (kind !== "text" || described?.type === "COMBO" || /^Save|^Preview|Note$/.test(of.classType)) return false;
  const word = lastWord(input);
  if (promptWords.test(word)) return described === null || described.isMultiline || word.includes("prompt");
  return described?.isMultiline === true && /^(value|string)$/.test(word);
}

export function isSeed({ kind, input, described }: PossibleInput): boolean {
  return kind === "integer" && (described?.isSeed ?? /^(noise_)?seed$/.test(lastWord(input)));
}

const isPrimitive = ({ of }: PossibleInput) => /^Primitive/.test(of.classType);

// The author named it for people, or shows it on a subgraph.
function isTitledPrimitive(one: PossibleInput): boolean {
  return isPrimitive(one) && one.input === "value" && (one.isOfInstance || ownTitle(one) !== null);
}

type Titled = Pick<PossibleInput, "title" | "of" | "isOfInstance">;

// What the author called the node; null if they left the class's name.
export function ownTitle({ title, of, isOfInstance }: Titled): string | null {
  if (title === null || isOfInstance || title === of.classType || title === of.described?.title) return null;
  // "Int (Steps)" and "String: Style" say more after the type.
  const [, meant] = /^(?:int|integer|float|boolean|string|text|input)\s*[(:-]\s*(.+?)\s*\)?$/i.exec(title) ?? [];
  return (meant ?? title).trim() || null;
}

// Nodes whose size is that of what is made, not of what is cut or scaled: those that call a model or make a latent. Empty
// pictures count if there is nothing else.
function makersIn(possible: readonly PossibleInput[]): ReadonlySet<string> {
  const sized = possible.filter(({ input, kind }) => sizeWords.has(lastWord(input)) && kind !== "text");
  const makers = sized.filter(
    ({ of }) =>
      /ModelImage|ToVideo|ImageToImage|TextToImage|Latent/.test(of.classType) ||
      memberOf(of.inputs, "prompt") !== undefined,
  );
  const empty = sized.filter(({ of }) => of.classType.startsWith("Empty"));
  return new Set((makers.length > 0 ? makers : empty).map(({ node }) => node));
}

const sizeOf = ({ of, input }: PossibleInput) => JSON.stringify([lastWord(input), memberOf(of.inputs, input)]);

// Of sizes that are equal in the graph, the first.
function withoutEqualSizes(ranked: readonly RankedInput[]): RankedInput[] {
  const seen = new Set<string>();
  return ranked.filter(({ one, rank }) => {
    if (rank !== ranks.size) return true;
    const size = sizeOf(one);
    const isFirst = !seen.has(size);
    seen.add(size);
    return isFirst;
  });
}

// Equal widths belong together: a mask follows the picture that it covers.
function joinSizes(one: PossibleInput, possible: readonly PossibleInput[]): InferredInput["joined"] {
  const size = sizeOf(one);
  const equal = possible.filter((other) => other !== one && other.kind === one.kind && sizeOf(other) === size);
  const others = equal.slice(0, workAlsoMax - one.also.length);
  if (others.length === 0) return {};
  const all = [one, ...others];
  const also = [...one.also, ...others.flatMap((other) => targetsOf(other))].slice(0, workAlsoMax);
  return { also, ...extreme("minimum", all, (a, b) => a > b), ...extreme("maximum", all, (a, b) => a < b) };
}

function extreme(
  name: "minimum" | "maximum",
  all: readonly PossibleInput[],
  isTighter: (one: FormNumber, other: FormNumber) => boolean,
): Partial<Record<"minimum" | "maximum", FormNumber>> {
  const given = all.flatMap(({ limits }) => limits[name] ?? []);
  const [first, ...others] = given;
  return first === undefined ? {} : { [name]: others.reduce((a, b) => (isTighter(b, a) ? b : a), first) };
}

function promptLabel(one: PossibleInput, rank: number, isOnly: boolean): string | null {
  if (one.label !== null) return null;
  const title = ownTitle(one);
  // Editors suggest titles such as "CLIP Text Encode (Positive Prompt)". Titles tell several prompts apart.
  const isSuggested = title === null || isOnly || /encode.*(positive|negative)/i.test(title);
  if (!isSuggested) return null;
  if (rank === ranks.negative) return "Negative prompt";
  return rank === ranks.prompt && /^(text|value|string|positive|prompt)$/.test(lastWord(one.input)) ? "Prompt" : null;
}

const hopsMax = 20_000;

// Nodes whose outputs only ever reach an input called negative before they reach one called positive.
function negativeTexts(graph: unknown): ReadonlySet<string> {
  const nodes = isRecord(graph) ? graph : {};
  const [from, positive, negative] = [new Map<string, string[]>(), new Set<string>(), new Set<string>()];
  for (const [id, node] of Object.entries(nodes)) {
    const inputs = isRecord(node) ? memberOf(node, "inputs") : undefined;
    for (const [name, value] of Object.entries(isRecord(inputs) ? inputs : {})) {
      const source: unknown = Array.isArray(value) ? value[0] : undefined;
      if (typeof source !== "string") continue;
      if (/negative/i.test(name)) negative.add(source);
      else if (/positive/i.test(name)) positive.add(source);
      else from.set(id, [...(from.get(id) ?? []), source]);
    }
  }
  const [wanted, unwanted] = [reaching(positive, from), reaching(negative, from)];
  return new Set([...unwanted].filter((id) => !wanted.has(id)));
}

function reaching(ends: ReadonlySet<string>, from: ReadonlyMap<string, readonly string[]>): Set<string> {
  const seen = new Set(ends);
  const waiting = [...ends];
  for (let id = waiting.pop(); id !== undefined && seen.size < hopsMax; id = waiting.pop())
    for (const source of from.get(id) ?? [])
      if (!seen.has(source)) {
        seen.add(source);
        waiting.push(source);
      }
  return seen;
}

// What it makes, by the kind of its linked inputs.
export function outputWord({ classType, inputs }: FormNode): string {
  const names = Object.entries(inputs).flatMap(([name, value]) => (Array.isArray(value) ? [name] : []));
  const words = [classType, ...names].join(" ").toLowerCase();
  if (/video|film|webm|animated/.test(words)) return "Video";
  if (/audio|sound/.test(words)) return "Sound";
  if (/mask/.test(words)) return "Mask";
  if (/3d|glb|mesh/.test(words)) return "Model 3D";
  if (/image|picture/.test(words)) return "Picture";
  return /text|string|previewany/.test(words) ? "Text" : "Result";
}

// Nodes that only show something while there are others that keep it.
export function isPreview({ classType }: FormNode): boolean {
  return /^Preview|Compare$/.test(classType);
}
