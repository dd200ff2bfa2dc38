// A regular expression, parsed but not compiled.
export type CharacterTest = (code: number) => boolean;

// Code points, because Python counts those.
export type Codes = Uint32Array;

export type PatternNode =
  | { readonly kind: "character"; readonly test: CharacterTest }
  | { readonly kind: "place"; readonly test: (text: Codes, at: number) => boolean }
  | { readonly kind: "sequence"; readonly items: readonly PatternNode[] }
  | { readonly kind: "choice"; readonly options: readonly PatternNode[] }
  | { readonly kind: "group"; readonly index: number; readonly body: PatternNode }
  | Repeat
  | { readonly kind: "atomic"; readonly body: PatternNode }
  // `back`: how many characters before the position the body begins; null to look ahead.
  | { readonly kind: "look"; readonly back: number | null; readonly isNegative: boolean; readonly body: PatternNode }
  | { readonly kind: "reference"; readonly group: number; readonly fold: (code: number) => number }
  | { readonly kind: "condition"; readonly group: number; readonly yes: PatternNode; readonly no: PatternNode };

export interface Repeat {
  readonly kind: "repeat";
  readonly min: number;
  readonly max: number;
  readonly mode: "greedy" | "lazy" | "possessive";
  readonly body: PatternNode;
}

export interface ReadPattern {
  readonly root: PatternNode;
  readonly groups: number;
  readonly names: ReadonlyMap<string, number>;
  readonly widths: GroupWidths;
}

// The fewest and the most characters that something can match.
export type Width = readonly [min: number, max: number];
export type GroupWidths = ReadonlyMap<number, Width>;

export const empty: PatternNode = { kind: "sequence", items: [] };

export function widthOf(node: PatternNode, groups: GroupWidths): Width {
  switch (node.kind) {
    case "character":
      return [1, 1];
    case "place":
    case "look":
      return [0, 0];
    case "sequence":
      return node.items.reduce<Width>((sum, item) => add(sum, widthOf(item, groups)), [0, 0]);
    case "choice":
      return either(node.options.map((option) => widthOf(option, groups)));
    case "group":
    case "atomic":
      return widthOf(node.body, groups);
    case "repeat": {
      const [min, max] = widthOf(node.body, groups);
      return [min * node.min, max === 0 ? 0 : max * node.max];
    }
    case "reference":
      return groups.get(node.group) ?? [0, 0];
    case "condition":
      return either([widthOf(node.yes, groups), widthOf(node.no, groups)]);
  }
}

const add = (a: Width, b: Width): Width => [a[0] + b[0], a[1] + b[1]];
const either = (widths: readonly Width[]): Width => [
  Math.min(...widths.map(([min]) => min)),
  Math.max(...widths.map(([, max]) => max)),
];

// For what Python refuses too. What only we cannot handle is a NodeError.
export class PatternError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "PatternError";
  }
}
