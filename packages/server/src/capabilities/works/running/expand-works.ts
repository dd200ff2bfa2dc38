// Works inside a graph: a node whose class is the id of a work is replaced by the work's own nodes, before the graph is checked,
// priced and run. So each inner node is priced and paid like any other, and no job waits for another. A published graph is stored
// expanded, so one step is enough here however deep works are nested.
import { Fault } from "../../../foundation/fault.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { pointerSegment } from "../../../foundation/json-pointer.ts";
import { isWorkId } from "../../providers/index.ts";
import { exactValue } from "../form/exact-values.ts";
import { fillGraph } from "../form/fill-graph.ts";
import { valueProblem } from "../form/form-values.ts";
import { randomBelow } from "../form/random-below.ts";
import { type FormTarget, fileKinds, targetsOf, type WorkForm } from "../form/work-form.ts";
import type { PreparedWork } from "./prepared-work.ts";

export const nestedWorksMax = 3;

export interface ExpandedGraph extends JsonDocument {
  readonly value: JsonRecord;
  // The versions it contains, at any depth.
  readonly works: readonly string[];
  // How deep works are nested in it: 0 if it contains none.
  readonly depth: number;
  // The works that were nodes of it, by node.
  readonly replaced: ReadonlyMap<string, PreparedWork>;
}

// Null if the workspace cannot call it.
export type FindWork = (id: string) => Promise<PreparedWork | null>;

export function containsWorks(graph: JsonRecord): boolean {
  return Object.values(graph).some((node) => isRecord(node) && isWorkNode(node));
}

const isWorkNode = (node: JsonRecord) => typeof node["class_type"] === "string" && isWorkId(node["class_type"]);

// The form of a graph with works in it, moved to the nodes that they became.
export function expandForm(form: WorkForm, replaced: ExpandedGraph["replaced"]): WorkForm {
  return {
    inputs: form.inputs.map((input) => {
      const [first = input, ...also] = targetsOf(input).flatMap((target) => expandTarget(target, replaced));
      return { ...input, node: first.node, input: first.input, ...(also.length === 0 ? {} : { also }) };
    }),
    outputs: form.outputs.map((output) => {
      const [inner] = replaced.get(output.node)?.form.outputs ?? [];
      return inner === undefined ? output : { ...output, node: `${output.node}:${inner.node}` };
    }),
  };
}

function expandTarget(target: FormTarget, replaced: ExpandedGraph["replaced"]): readonly FormTarget[] {
  const inner = replaced.get(target.node)?.form.inputs.find(({ name }) => name === target.input);
  if (inner === undefined) return [target];
  return targetsOf(inner).map(({ node, input }) => ({ node: `${target.node}:${node}`, input }));
}

// Throws validation_failed with the problems by node.
export async function expandWorks(document: JsonDocument, find: FindWork): Promise<ExpandedGraph> {
  const graph = isRecord(document.value) ? document.value : {};
  const digits = new Map(document.exactIntegers);
  const exact = exactValue(document);
  const nodes = new Map<string, unknown>(Object.entries(graph));
  const used = usedNodes(graph);
  const works = new Set<string>();
  const outlets = new Map<string, readonly Link[]>();
  const replaced = new Map<string, PreparedWork>();
  let depth = 0;
  for (const [id, node] of Object.entries(graph)) {
    if (!isRecord(node) || !isWorkNode(node)) continue;
    const work = await find(String(node["class_type"]));
    if (work === null) throw refuse(id, node, "There is no such work, or it is not shared with this workspace");
    const given = isRecord(exact) && isRecord(exact[id]) ? exact[id]["inputs"] : undefined;
    const inner = insert(id, node, isRecord(given) ? given : {}, work, used.has(id));
    nodes.delete(id);
    for (const pointer of [...digits.keys()]) if (pointer.startsWith(`/${pointerSegment(id)}/`)) digits.delete(pointer);
    for (const [inside, one] of inner.nodes) nodes.set(inside, one);
    for (const [pointer, text] of inner.digits) digits.set(pointer, text);
    outlets.set(id, inner.outlets);
    replaced.set(id, work);
    for (const name of [work.id, ...work.work.needs.works]) works.add(name);
    depth = Math.max(depth, 1 + inner.depth);
  }
  const value = outlets.size === 0 ? graph : relink(nodes, outlets);
  return { value, exactIntegers: digits, works: [...works], depth, replaced };
}

type Link = readonly [node: string, slot: number];

function isLink(value: unknown): value is Link {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string" && typeof value[1] === "number";
}

function usedNodes(graph: JsonRecord): ReadonlySet<string> {
  const used = new Set<string>();
  for (const node of Object.values(graph))
    for (const value of Object.values(isRecord(node) && isRecord(node["inputs"]) ? node["inputs"] : {}))
      if (isLink(value)) used.add(value[0]);
  return used;
}

interface Inserted {
  readonly nodes: ReadonlyMap<string, JsonRecord>;
  readonly digits: ReadonlyMap<string, string>;
  // What a link to each output of the work leads to.
  readonly outlets: readonly Link[];
  readonly depth: number;
}

function insert(id: string, node: JsonRecord, given: JsonRecord, work: PreparedWork, isUsed: boolean): Inserted {
  const { form } = work;
  const links = new Map(Object.entries(given).flatMap(([name, value]) => (isLink(value) ? [[name, value]] : [])));
  const values = Object.fromEntries(Object.entries(given).filter(([name]) => !links.has(name)));
  requireInputs(id, node, given, work);
  const filled = fillGraph({ graph: work.graph, form, inputs: values, random: randomBelow, files: new Map() });
  const inner = new Map(Object.entries(filled.graph));
  const replaced = new Map<string, Link>();
  for (const input of form.inputs) {
    const link = links.get(input.name);
    for (const target of link === undefined ? [] : targetsOf(input)) {
      const before = inner.get(target.node);
      if (link !== undefined && fileKinds.has(input.kind)) {
        replaced.set(target.node, link);
        inner.delete(target.node);
      } else if (isRecord(before) && isRecord(before["inputs"]))
        inner.set(target.node, { ...before, inputs: { ...before["inputs"], [target.input]: { [outer]: link } } });
    }
  }
  const outlets = form.outputs.map(({ node: output }) =>
    sourceOf(inner.get(output), (link) => inside(id, link, replaced)),
  );
  if (isUsed) for (const { node: output } of form.outputs) inner.delete(output);
  const nodes = [...inner].map(([name, one]): [string, JsonRecord] => [
    `${id}:${name}`,
    moved(id, one, work, replaced),
  ]);
  const digits = [...filled.exactIntegers].map(([pointer, text]): [string, string] => [
    `/${pointerSegment(`${id}:`)}${pointer.slice(1)}`,
    text,
  ]);
  return {
    nodes: new Map(nodes),
    digits: new Map(digits),
    outlets,
    depth: Math.max(0, ...[...inner.values()].map(depthOf)),
  };
}

// Marks a link that is already one of the outer graph.
const outer = "__outer";

function inside(id: string, [node, slot]: Link, replaced: ReadonlyMap<string, Link>): Link {
  return (slot === 0 ? replaced.get(node) : undefined) ?? [`${id}:${node}`, slot];
}

function moved(id: string, node: unknown, work: PreparedWork, replaced: ReadonlyMap<string, Link>): JsonRecord {
  const whole: JsonRecord = isRecord(node) ? node : {};
  const inputs = Object.entries(isRecord(whole["inputs"]) ? whole["inputs"] : {}).map(
    ([name, value]): [string, unknown] => {
      if (isLink(value)) return [name, inside(id, value, replaced)];
      return [name, isRecord(value) && isLink(value[outer]) ? value[outer] : value];
    },
  );
  const meta = isRecord(whole["_meta"]) ? whole["_meta"] : {};
  return {
    ...whole,
    inputs: Object.fromEntries(inputs),
    _meta: { ...meta, work: meta["work"] ?? work.id, work_depth: 1 + depthOf(node) },
  };
}

function depthOf(node: unknown): number {
  const depth = isRecord(node) && isRecord(node["_meta"]) ? node["_meta"]["work_depth"] : undefined;
  return typeof depth === "number" ? depth : 0;
}

// An output node shows what comes into it; as a node, the work gives that.
function sourceOf(node: unknown, map: (link: Link) => Link): Link {
  const inputs = isRecord(node) && isRecord(node["inputs"]) ? Object.values(node["inputs"]) : [];
  for (const value of inputs) {
    if (isLink(value)) return map(value);
    if (isRecord(value) && isLink(value[outer])) return value[outer];
  }
  return ["", 0];
}

function relink(nodes: ReadonlyMap<string, unknown>, outlets: ReadonlyMap<string, readonly Link[]>): JsonRecord {
  // An output of one work may feed another.
  const lead = ([node, slot]: Link, steps = 0): Link => {
    const next = outlets.get(node)?.[slot];
    return next === undefined || steps > outlets.size ? [node, slot] : lead(next, steps + 1);
  };
  return Object.fromEntries(
    [...nodes].map(([id, node]) => {
      if (!isRecord(node) || !isRecord(node["inputs"])) return [id, node];
      const inputs = Object.entries(node["inputs"]).map(([name, value]) => [name, isLink(value) ? lead(value) : value]);
      return [id, { ...node, inputs: Object.fromEntries(inputs) }];
    }),
  );
}

function requireInputs(id: string, node: JsonRecord, given: JsonRecord, work: PreparedWork): void {
  const inputs = new Map(work.form.inputs.map((input) => [input.name, input]));
  for (const [name, value] of Object.entries(given)) {
    const input = inputs.get(name);
    if (input === undefined) throw refuse(id, node, `${work.id} has no input ${name}`, name);
    const problem = isLink(value) ? null : valueProblem(input, value);
    if (problem !== null) throw refuse(id, node, `${name} ${problem}`, name);
  }
  for (const { name, required } of inputs.values())
    if (required === true && !Object.hasOwn(given, name)) throw refuse(id, node, `${name} is required`, name);
}

function refuse(id: string, node: JsonRecord, message: string, input: string | null = null): Fault {
  const classType = String(node["class_type"]);
  const error = {
    type: "value_not_valid",
    message,
    details: classType,
    extra_info: input === null ? {} : { input_name: input },
  };
  const nodeErrors = { [id]: { errors: [error], dependent_outputs: [], class_type: classType } };
  return new Fault("validation_failed", `Node ${id}: ${message}.`, { details: { node_errors: nodeErrors } });
}
