// A node as its class shows it in an editor: its slots in the editor's order, and which value of the file's list belongs to
// which widget. An editor writes values in widget order, with positions of its own in between: what to do with a seed after a
// run, buttons. A widget added to the class after the file was saved shows its default.
import type { EditorClass, EditorInput, EditorWidget } from "./editor-class.ts";
import type { UiNode, UiSlot } from "./ui-graph.ts";

export interface ShownSlot extends UiSlot {
  // Whether its value is known without a link.
  readonly hasWidget: boolean;
  readonly isOptional: boolean;
}

export interface ShownWidget {
  readonly name: string;
  readonly value: unknown;
  readonly widget: EditorWidget;
}

export interface ShownNode {
  readonly slots: readonly ShownSlot[];
  readonly widgets: ReadonlyMap<string, ShownWidget>;
}

export function shownNode(node: UiNode, described: EditorClass): ShownNode {
  const laidOut = positionValues(node, described);
  const given = new Map(node.inputs.map((slot) => [slot.name, slot]));
  const sockets = laidOut.inputs.filter(({ input }) => input.widget === null);
  const widgets = laidOut.inputs.filter(({ input }) => input.widget !== null);
  const known = [...sockets, ...widgets].map(({ name, input }): ShownSlot => {
    const link = given.get(name)?.link ?? null;
    return { name, type: input.type, link, hasWidget: input.widget !== null, isOptional: input.isOptional };
  });
  const names = new Set(known.map(({ name }) => name));
  // Inputs that the class lacks, or has only with this number of links.
  const further = node.inputs
    .filter(({ name }) => !names.has(name))
    .map((slot) => ({ ...slot, hasWidget: false, isOptional: true }));
  return { slots: [...known, ...further], widgets: laidOut.values };
}

interface NamedInput {
  readonly name: string;
  readonly input: EditorInput;
}

interface LaidOut {
  // Without the placeholders: grown inputs are listed by their full names.
  readonly inputs: readonly NamedInput[];
  readonly values: ReadonlyMap<string, ShownWidget>;
}

function positionValues(node: UiNode, described: EditorClass): LaidOut {
  const isList = Array.isArray(node.widgets);
  const list = isList ? withoutForced(node.widgets, described.inputs) : [];
  const exact = walk(described.inputs, node, list, false);
  // A file from before a seed had its control has one position less; then we recognise controls by their words.
  const isExact = !isList || exact.positions === list.length || exact.hasControls;
  return isExact ? exact : walk(described.inputs, node, list, true);
}

interface Walk extends LaidOut {
  readonly positions: number;
  // Whether every control position contains a control word.
  readonly hasControls: boolean;
}

const controlWords = new Set<unknown>(["fixed", "increment", "decrement", "randomize", "increment-wrap", true, false]);

function walk(top: readonly EditorInput[], node: UiNode, list: readonly unknown[], byWords: boolean): Walk {
  const named = Array.isArray(node.widgets) ? null : node.widgets;
  const inputs: NamedInput[] = [];
  const values = new Map<string, ShownWidget>();
  let at = 0;
  let hasControls = true;
  const take = (name: string, widget: EditorWidget): unknown => {
    const isNamed = named !== null && Object.hasOwn(named, name);
    let value = isNamed ? readNamed(named, name) : widget.standard;
    if (widget.isSaved && named === null && at < list.length) value = list[at];
    if (widget.isSaved) at += 1;
    for (let after = 0; after < widget.positionsAfter; after += 1) {
      const isWord = after > 0 || controlWords.has(list[at]);
      if (!isWord && at < list.length) hasControls = false;
      if (isWord || !byWords) at += 1;
    }
    return (value === null || value === undefined) && widget.firstChoice !== undefined ? widget.firstChoice : value;
  };
  const visit = (input: EditorInput, prefix: string): void => {
    const name = `${prefix}${input.name}`;
    if (input.grown !== null) {
      for (const each of input.grown) visit(each, prefix);
      return;
    }
    inputs.push({ name, input });
    if (input.widget === null) return;
    const value = take(name, input.widget);
    values.set(name, { name, value, widget: input.widget });
    const further = typeof value === "string" ? input.inputsOf?.get(value) : undefined;
    for (const each of further ?? []) visit(each, `${name}.`);
  };
  // An editor creates growing inputs before the widgets.
  for (const input of top) if (input.grown !== null) visit(input, "");
  for (const input of top) if (input.grown === null) visit(input, "");
  return { inputs, values, positions: at, hasControls };
}

function readNamed(named: UiNode["widgets"], name: string): unknown {
  return Array.isArray(named) ? undefined : Reflect.get(named, name);
}

// Files from before an input was link-only have a position for it; we recognise them by their length.
function withoutForced(list: UiNode["widgets"], inputs: readonly EditorInput[]): readonly unknown[] {
  if (!Array.isArray(list)) return [];
  if (!inputs.some(({ isForced }) => isForced)) return list;
  const isForcedAt = inputs
    .filter(({ widget, isForced }) => widget !== null || isForced)
    .flatMap(({ isForced, hasControl }) => (hasControl ? [isForced, false] : [isForced]));
  return isForcedAt.length === list.length ? list.filter((_, at) => isForcedAt[at] === false) : list;
}
