// What a node shows as a card, and how large that makes it. Computed and not measured, so that the layout is right before
// anything is drawn.
import type { DescribedClass } from "@atelier/sdk";
import { writeJson } from "@atelier/sdk";
import { type Graph, type GraphNode, linkIn, linksOf, titleOf, valuesOf } from "../../api/graphs.ts";
import { kindOf, textOf } from "../workflow-form/field-kinds.ts";
import { rankOf } from "../workflow-form/value-ranks.ts";

export const cardWidth = 252;
const headHeight = 38;
const portHeight = 20;
const valueHeight = 20;
const textHeight = 54;
const pictureHeight = 132;
const footHeight = 26;
const bodyPadding = 14;

const valuesMax = 5;
const valueLength = 80;
const textLength = 240;

export interface CardPort {
  readonly name: string;
  // Null if the class is not known here.
  readonly type: string | null;
  // The middle of its row.
  readonly y: number;
}

export interface CardValue {
  readonly name: string;
  readonly text: string;
  // Set in a box of its own, over several lines.
  readonly isLong: boolean;
  // The text is a colour, #rrggbb.
  readonly isColor: boolean;
}

export interface Card {
  readonly title: string;
  readonly classType: string;
  readonly inputs: readonly CardPort[];
  readonly outputs: readonly CardPort[];
  readonly values: readonly CardValue[];
  // How many values do not fit.
  readonly more: number;
  readonly hasPicture: boolean;
  readonly hasFoot: boolean;
  readonly height: number;
}

type Classes = ReadonlyMap<string, DescribedClass>;

export interface CardOptions {
  readonly classes: Classes;
  // Nodes with a picture of what they made.
  readonly hasPicture: (id: string) => boolean;
  // A line at the end: what a node does now, or what it lacks.
  readonly hasFoot: (id: string) => boolean;
}

export function cardsOf(graph: Graph, options: CardOptions): ReadonlyMap<string, Card> {
  const used = usedOutputs(graph);
  return new Map(
    Object.entries(graph).map(([id, node]) => [id, cardOf(graph, id, node, used.get(id) ?? 0, options)] as const),
  );
}

function cardOf(graph: Graph, id: string, node: GraphNode, used: number, options: CardOptions): Card {
  const { classes } = options;
  const described = classes.get(node.class_type);
  const at = (row: number) => headHeight + 4 + row * portHeight + portHeight / 2;
  const inputs = Object.entries(node.inputs)
    .filter(([, value]) => linkIn(value) !== null)
    .map(([name, value], row): CardPort => ({ name, type: linkType(graph, classes, value), y: at(row) }));
  const outputs = outputsOf(described, used).map((port, row): CardPort => ({ ...port, y: at(row) }));
  const all = valuesOn(id, node, described);
  const values = all.slice(0, valuesMax);
  const more = all.length - values.length;
  const [hasPicture, hasFoot] = [options.hasPicture(id), options.hasFoot(id)];
  const rows = Math.max(inputs.length, outputs.length);
  const height =
    headHeight +
    rows * portHeight +
    values.reduce((sum, { isLong }) => sum + (isLong ? textHeight : valueHeight), 0) +
    (more > 0 ? valueHeight : 0) +
    (rows + values.length > 0 ? bodyPadding : 0) +
    (hasPicture ? pictureHeight : 0) +
    (hasFoot ? footHeight : 0);
  return {
    ...{ title: titleOf(node), classType: node.class_type },
    ...{ inputs, outputs, values, more, hasPicture, hasFoot, height },
  };
}

// Of an unknown class, only what others link to.
function outputsOf(described: DescribedClass | undefined, used: number): readonly Omit<CardPort, "y">[] {
  if (described) return described.outputs.map(({ name, type }) => ({ name: name || type, type }));
  return Array.from({ length: used }, (_, at) => ({ name: String(at), type: null }));
}

function usedOutputs(graph: Graph): ReadonlyMap<string, number> {
  const used = new Map<string, number>();
  for (const { from, slot } of linksOf(graph)) used.set(from, Math.min(12, Math.max(used.get(from) ?? 0, slot + 1)));
  return used;
}

// The type that a link carries; null if the class it comes from is not known.
export function linkType(graph: Graph, classes: Classes, value: unknown): string | null {
  const link = linkIn(value);
  const from = link === null ? undefined : graph[link[0]];
  return from === undefined || link === null ? null : (classes.get(from.class_type)?.outputs[link[1]]?.type ?? null);
}

// What people change comes first. A prompt gets several lines; the other long texts get one.
function valuesOn(id: string, node: GraphNode, described: DescribedClass | undefined): readonly CardValue[] {
  return valuesOf(id, node)
    .map(({ input, value }) => {
      const kind = kindOf(
        described?.inputs.find(({ name }) => name === input),
        value,
      );
      return { input, value, kind, rank: rankOf(input, kind) };
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ input, value, kind, rank }) => {
      const isColor = kind === "color";
      const whole = typeof value === "string" ? value : isColor ? textOf(kind, value) : (writeJson(value) ?? "");
      const text = whole.slice(0, textLength);
      const isLong = rank === 0 && text.length > 18;
      return { name: input, text: isLong ? text : text.slice(0, valueLength), isLong, isColor };
    });
}

// Types of the same name have the same colour on every page.
const known: Readonly<Record<string, number>> = {
  IMAGE: 3,
  MASK: 1,
  LATENT: 4,
  MODEL: 6,
  CLIP: 2,
  VAE: 8,
  CONDITIONING: 5,
  AUDIO: 7,
  VIDEO: 2,
  STRING: 5,
  INT: 1,
  FLOAT: 7,
};
const colours = 8;

export function colourOf(type: string | null): string {
  if (type === null || type === "*") return "var(--line-strong)";
  let sum = 0;
  for (const letter of type) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973;
  return `var(--series-${known[type] ?? 1 + (sum % colours)})`;
}
