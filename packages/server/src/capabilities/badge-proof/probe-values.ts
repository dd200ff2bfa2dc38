// Which values a badge is tried with. States that the operator names, and the options and bounds of the node's widgets,
// can occur, so the badge must be right on all of them. If nothing is known, we try the literals that the expression
// compares a widget with, and a miss is only a warning, because not every combination need exist.
import type { Dependencies } from "./badge-shape.ts";
import { asClientsSee, bucketOf, type WidgetValue } from "./widget-value.ts";

export interface WidgetDescription {
  readonly type?: string;
  readonly options?: readonly (string | number | boolean)[];
  readonly min?: number;
  readonly max?: number;
  readonly default?: string | number | boolean;
}

// What is known about the node: its widgets' options and bounds, and how many members its groups may have.
export interface NodeDescription {
  readonly widgets?: Readonly<Record<string, WidgetDescription>>;
  readonly inputGroups?: Readonly<Record<string, { readonly max?: number }>>;
}

// A state of the node whose price is wanted. Anything it leaves out is empty or not connected.
export interface NodeState {
  readonly widgets?: Readonly<Record<string, unknown>>;
  readonly inputs?: Readonly<Record<string, { readonly connected: boolean }>>;
  readonly inputGroups?: Readonly<Record<string, number>>;
}

export interface ExpressionContext {
  readonly widgets: Readonly<Record<string, WidgetValue>>;
  readonly inputs: Readonly<Record<string, { readonly connected: boolean }>>;
  readonly inputGroups: Readonly<Record<string, number>>;
}

export interface Probe {
  // `known`: these values can occur. `guessed`: made from the expression. `nothing`: no widget has a value yet.
  readonly kind: "known" | "guessed" | "nothing";
  readonly context: ExpressionContext;
}

interface Dimension {
  readonly root: "widgets" | "inputs" | "inputGroups";
  readonly name: string;
  readonly values: readonly WidgetValue[];
  readonly known: boolean;
}

const probesMax = 300;
const usualNumbers = [1, 5, 1024];
const usualGroupMax = 4;

export function probesFor(
  dependsOn: Dependencies,
  hints: ReadonlyMap<string, ReadonlySet<string | number | boolean>>,
  description: NodeDescription = {},
  states: readonly NodeState[] = [],
): readonly Probe[] {
  const dimensions = [
    ...dependsOn.widgets.map((widget) =>
      widgetDimension(widget, hints.get(widget.name), own(description.widgets, widget.name)),
    ),
    ...dependsOn.inputs.map((name): Dimension => ({ root: "inputs", name, values: [false, true], known: true })),
    ...dependsOn.input_groups.map((name) => groupDimension(name, own(description.inputGroups, name)?.max)),
  ];
  const kind = dimensions.every(({ known }) => known) ? "known" : "guessed";
  const nothing: Probe = { kind: "nothing", context: contextIn({}, dependsOn) };
  return [
    ...states.map((state): Probe => ({ kind: "known", context: contextIn(state, dependsOn) })),
    ...combinations(dimensions).map((values): Probe => ({ kind, context: contextOf(dimensions, values) })),
    ...(dependsOn.widgets.length === 0 ? [] : [nothing]),
  ];
}

function widgetDimension(
  { name, type }: { readonly name: string; readonly type: string },
  hinted: ReadonlySet<string | number | boolean> = new Set(),
  given?: WidgetDescription,
): Dimension {
  const described = given ? [given.default, given.min, ...(given.options ?? []), given.max] : [];
  const seen = described.filter((one) => one !== undefined).map((one) => asClientsSee(type, one));
  if (seen.length > 0) return { root: "widgets", name, values: distinct(seen), known: true };
  switch (bucketOf(type)) {
    case "boolean":
      return { root: "widgets", name, values: [false, true], known: true };
    case "number":
      return { root: "widgets", name, values: distinct([...hinted, ...usualNumbers]), known: false };
    case "text":
      return { root: "widgets", name, values: hinted.size > 0 ? [...hinted] : ["sample"], known: false };
  }
}

function groupDimension(name: string, max = usualGroupMax): Dimension {
  return { root: "inputGroups", name, values: distinct([0, Math.min(1, max), max]), known: true };
}

// All combinations or, if there are too many, each value of each dimension at least once among a spread of others.
function combinations(dimensions: readonly Dimension[]): readonly (readonly WidgetValue[])[] {
  const total = dimensions.reduce((product, { values }) => product * values.length, 1);
  if (total <= probesMax) {
    return dimensions.reduce<readonly (readonly WidgetValue[])[]>(
      (rows, { values }) => rows.flatMap((row) => values.map((one) => [...row, one])),
      [[]],
    );
  }
  const first = dimensions.map(({ values }) => values[0] ?? null);
  const alone = dimensions.flatMap(({ values }, at) => values.map((one) => first.with(at, one)));
  const spread = Array.from({ length: probesMax }, (_, row) =>
    dimensions.map(({ values }, at) => values[Math.floor(row * (1 + at * Math.SQRT2)) % values.length] ?? null),
  );
  return [...alone, ...spread];
}

function contextOf(dimensions: readonly Dimension[], values: readonly WidgetValue[]): ExpressionContext {
  const at = (root: Dimension["root"]) =>
    dimensions.flatMap((one, index) => (one.root === root ? [[one.name, values[index] ?? null] as const] : []));
  return {
    widgets: Object.fromEntries(at("widgets")),
    inputs: Object.fromEntries(at("inputs").map(([name, connected]) => [name, { connected: connected === true }])),
    inputGroups: Object.fromEntries(at("inputGroups").map(([name, count]) => [name, Number(count)])),
  };
}

function contextIn(state: NodeState, dependsOn: Dependencies): ExpressionContext {
  return {
    widgets: Object.fromEntries(
      dependsOn.widgets.map(({ name, type }) => [name, asClientsSee(type, own(state.widgets, name))]),
    ),
    inputs: Object.fromEntries(
      dependsOn.inputs.map((name) => [name, { connected: own(state.inputs, name)?.connected === true }]),
    ),
    inputGroups: Object.fromEntries(dependsOn.input_groups.map((name) => [name, own(state.inputGroups, name) ?? 0])),
  };
}

function distinct(values: readonly WidgetValue[]): readonly WidgetValue[] {
  return [...new Set(values)];
}

function own<Value>(values: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}
