// How likely people are to change a value of a graph: prompts first, then seeds, files, sizes and the usual knobs. The rest is
// plumbing, which forms fold away.
import type { Graph } from "../../api/graphs.ts";
import { type FieldKind, isSeed } from "./field-kinds.ts";

export const plumbing = 9;

const prompts = /(^|_)(prompt|text|caption|lyrics|positive|negative)(_|\d|$)/i;
const settings = /param|json|config|option|setting|expression|script/i;
const sizes =
  /^((max|target)_)?(width|height)$|^(seconds|duration|length|frames|num_frames|fps|batch_size|aspect_ratio|resolution|size|megapixels)$/i;
const knobs = /^(model|steps|cfg|guidance(_scale)?|denoise|strength(_\w+)?|sampler_name|scheduler)$/i;

export function rankOf(name: string, kind: FieldKind): number {
  if ((kind === "long" && !settings.test(name)) || (kind === "text" && prompts.test(name))) return 0;
  if (kind === "integer" && isSeed(name)) return 1;
  if (kind === "file") return 2;
  if (sizes.test(name)) return 3;
  return knobs.test(name) ? 4 : plumbing;
}

export interface RankedValue {
  readonly input: string;
  readonly rank: number;
}

export interface RankedNode {
  readonly id: string;
  // What people change, best first.
  readonly main: readonly RankedValue[];
  readonly rest: readonly RankedValue[];
}

// Nodes in the order in which people change them. The size of a mask is plumbing beside a prompt, so sizes count only on nodes
// that make something, or if no node has a prompt.
export function rankNodes(
  graph: Graph,
  nodes: readonly { readonly id: string; readonly inputs: readonly string[] }[],
  kindOf: (id: string, input: string) => FieldKind,
): readonly RankedNode[] {
  const ranked = nodes.map(({ id, inputs }) => ({
    id,
    values: inputs.map((input) => ({ input, rank: rankOf(input, kindOf(id, input)) })),
  }));
  const hasPrompt = ranked.some(({ values }) => values.some(({ rank }) => rank === 0));
  return ranked
    .map(({ id, values }): RankedNode => {
      const makes = values.some(({ rank }) => rank < 2) || /latent/i.test(graph[id]?.class_type ?? "");
      const isMain = ({ rank }: RankedValue) => rank < plumbing && (rank !== 3 || makes || !hasPrompt);
      const byRank = values.toSorted((one, other) => one.rank - other.rank);
      return { id, main: byRank.filter(isMain), rest: values.filter((value) => !isMain(value)) };
    })
    .toSorted((one, other) => bestOf(one) - bestOf(other));
}

const bestOf = ({ main }: RankedNode): number => main[0]?.rank ?? plumbing;
