// How two versions of a workflow differ, node by node, also in words. Positions, colours and groups do not count: they change
// nothing that runs.
import { isDeepStrictEqual } from "node:util";
import type { InputValue, NodeOutline, WorkflowOutline } from "./workflow-outline.ts";

export type ChangeKind =
  | "node_added"
  | "node_removed"
  | "class_changed"
  | "title_changed"
  | "input_added"
  | "input_removed"
  | "input_changed"
  | "link_changed";

export interface OutlineChange {
  readonly kind: ChangeKind;
  readonly node: NodeOutline;
  readonly input: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly words: string;
}

export function diffOutlines(before: WorkflowOutline, after: WorkflowOutline): OutlineChange[] {
  const removed = [...before.values()].filter(({ id }) => !after.has(id));
  const changes = [...after.values()].flatMap((node) => {
    const old = before.get(node.id);
    return old === undefined ? [whole("node_added", node)] : nodeChanges(old, node, before, after);
  });
  return [...removed.map((node) => whole("node_removed", node)), ...changes];
}

function whole(kind: "node_added" | "node_removed", node: NodeOutline): OutlineChange {
  const words = `${kind === "node_added" ? "Added" : "Removed"} ${called(node)}.`;
  return { kind, node, input: null, before: null, after: null, words };
}

function nodeChanges(
  old: NodeOutline,
  node: NodeOutline,
  before: WorkflowOutline,
  after: WorkflowOutline,
): OutlineChange[] {
  const changes: OutlineChange[] = [];
  const add = (change: Omit<OutlineChange, "node">) => changes.push({ node, ...change });
  if (old.classType !== node.classType)
    add({
      kind: "class_changed",
      input: null,
      before: old.classType,
      after: node.classType,
      words: `Replaced ${called(old)} with ${node.classType}.`,
    });
  if (old.title !== node.title)
    add({
      kind: "title_changed",
      input: null,
      before: old.title,
      after: node.title,
      words:
        node.title === null
          ? `Removed the title “${old.title}” of ${called({ ...node, title: null })}.`
          : `Renamed ${called(old)} to “${node.title}”.`,
    });
  for (const name of new Set([...old.inputs.keys(), ...node.inputs.keys()])) {
    const change = inputChange(name, node, [old.inputs.get(name), before], [node.inputs.get(name), after]);
    if (change !== null) add(change);
  }
  return changes;
}

type Side = readonly [value: InputValue | undefined, outline: WorkflowOutline];

function inputChange(
  name: string,
  node: NodeOutline,
  [before, oldOutline]: Side,
  [after, newOutline]: Side,
): Omit<OutlineChange, "node"> | null {
  if (isDeepStrictEqual(before, after)) return null;
  const shown = { input: name, before: shownValue(before, oldOutline), after: shownValue(after, newOutline) };
  const at = `${called(node)}: ${name}`;
  if (before === undefined)
    return { kind: "input_added", ...shown, words: `${at} is now ${source(after, newOutline)}.` };
  if (after === undefined)
    return { kind: "input_removed", ...shown, words: `${at} was removed; it was ${source(before, oldOutline)}.` };
  const kind = before.kind === "link" || after.kind === "link" ? "link_changed" : "input_changed";
  const words = `${at} changed from ${source(before, oldOutline)} to ${source(after, newOutline)}.`;
  return { kind, ...shown, words };
}

const wordsMax = 200;

function source(value: InputValue | undefined, outline: WorkflowOutline): string {
  const text = shownValue(value, outline) ?? "nothing";
  if (value?.kind === "link") return `the output of ${text}`;
  return text.length <= wordsMax ? text : `${text.slice(0, wordsMax)}…`;
}

function shownValue(value: InputValue | undefined, outline: WorkflowOutline): string | null {
  if (value === undefined) return null;
  if (value.kind === "value") return value.text;
  const node = outline.get(value.from);
  const slot = value.slot === 0 ? "" : `, output ${value.slot + 1}`;
  return node === undefined ? `node ${value.from}${slot}` : `${called(node)}${slot}`;
}

function called({ id, classType, title }: NodeOutline): string {
  return title === null || title === classType ? `${classType} (${id})` : `${classType} “${title}” (${id})`;
}
