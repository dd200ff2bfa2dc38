// The least and the most a graph can cost: its nodes that call a model, each with the input it will send, and its run. A
// linked input is known if the link leads to a plain value; otherwise it counts with the whole range the node accepts. The
// formula is the one that holds and charges the call.
import {
  builtInSet,
  type ClassSet,
  type ForeseenInputs,
  foreseeInputs,
  type Graph,
  type InputDescription,
  listItemsMax,
  type NodeDeclaration,
} from "@atelier/engine";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { nextTurn } from "../../foundation/json/large-json.ts";
import { holdBound, lowestCharge, type Price, Unsure } from "../prices/index.ts";
import type { PricedRun, PriceGraph, PricePart } from "./graphs.ts";
import { assembledCalls, openValue, valuesKnown } from "./price-declared.ts";

export interface GraphModels {
  // The price of a model that is served now. Null if it is not served.
  priceOf(modelId: string): Price | null;
  // What a call by this workspace costs: nothing under its own credential.
  priceFor(modelId: string, workspaceId: WorkspaceId): Price | null | Promise<Price | null>;
  // All models served now.
  served(): readonly { readonly id: string; readonly price: Price }[];
  // The engine's classes if absent.
  readonly classes?: ClassSet;
}

// A large graph yields to other work in between.
const nodesPerTurn = 256;

// `runMost` is the most its running time can cost.
export function priceGraph(models: GraphModels, runMost: bigint): PriceGraph {
  return async (given, run) => {
    const parts: PricePart[] = [];
    const { classes = builtInSet } = models;
    const graph = modelNodesIn(given, run.nodes, classes);
    if (graph !== null) {
      const foreseen = foreseeInputs(graph.whole, run.nodes, classes);
      for (const [at, nodeId] of graph.callers.entries()) {
        if (at % nodesPerTurn === nodesPerTurn - 1) await nextTurn();
        parts.push(await priceNode(models, classes, { graph: graph.whole, foreseen, nodeId, run }));
      }
    }
    return runMost > 0n ? [...parts, { part: "run", amount: runMost, lowest: 0n, highest: runMost }] : parts;
  };
}

// Null if no node that will run calls a model.
function modelNodesIn(given: object, nodes: readonly string[], classes: ClassSet) {
  const isRun = new Set(nodes);
  const whole: Graph = Object.fromEntries(Object.entries(given));
  const callers = Object.entries(whole)
    .filter(([id, node]) => isRun.has(id) && classes.get(node.class_type)?.callsModel === true)
    .map(([id]) => id);
  return callers.length === 0 ? null : { whole, callers };
}

interface ModelNode {
  readonly graph: Graph;
  readonly foreseen: ForeseenInputs;
  readonly nodeId: string;
  readonly run: PricedRun;
}

type Cost = Pick<PricePart, "amount" | "lowest" | "highest">;
const nothing: Cost = { amount: 0n, lowest: 0n, highest: 0n };

async function priceNode(models: GraphModels, classes: ClassSet, node: ModelNode): Promise<PricePart> {
  const { nodeId, graph, foreseen } = node;
  const classType = graph[nodeId]?.class_type ?? "";
  const open = node.run.open?.get(nodeId);
  const inputs = (classes.get(classType)?.inputs ?? []).map((input) => narrowed(input, open?.get(input.name)));
  const reading = { foreseen, nodeId, inputs };
  const declaration = classes.declaration(classType);
  const { name, once } = declaration
    ? await ofDeclared(models, declaration, reading, node.run)
    : await ofNamed(models, reading, node.run);
  const title = graph[nodeId]?._meta?.title;
  return {
    part: nodeId,
    ...once,
    ...(foreseen.mayRunOften(nodeId) ? { highest: once.highest * BigInt(listItemsMax) } : {}),
    node: { classType, title: typeof title === "string" ? title : null, model: name },
  };
}

interface PricedOnce {
  readonly name: string | null;
  readonly once: Cost;
}

async function ofNamed(models: GraphModels, reading: Reading, run: PricedRun): Promise<PricedOnce> {
  const model = readText(reading, "model");
  const name = model === unknown ? null : model.trim();
  const input = readInput(reading);
  return { name, once: name === null ? ofAnyModel(models, input) : await ofModel(models, { name, input, run }) };
}

// If only the run decides between several calls, nothing is held before it does.
async function ofDeclared(
  models: GraphModels,
  declaration: NodeDeclaration,
  reading: Reading,
  run: PricedRun,
): Promise<PricedOnce> {
  const bounds = new Map(reading.inputs.map((input) => [input.name, input]));
  const values = valuesKnown(declaration, (input) => {
    const found = givenBy(reading, input);
    const bounded = bounds.get(input.name);
    return found === unknown ? openValue(bounded?.type === input.type ? bounded : input) : found;
  });
  const calls = assembledCalls(declaration, values);
  const costs: Cost[] = [];
  for (const { model, input } of calls) costs.push(await ofModel(models, { name: model, input, run }));
  const [first, ...others] = costs;
  if (first === undefined) return { name: null, once: nothing };
  if (others.length === 0) return { name: calls[0]?.model ?? null, once: first };
  const lowest = costs.reduce((least, { lowest: one }) => (one < least ? one : least), first.lowest);
  const highest = costs.reduce((most, { highest: one }) => (one > most ? one : most), 0n);
  const names = new Set(calls.map(({ model }) => model));
  return { name: names.size === 1 ? (calls[0]?.model ?? null) : null, once: { amount: 0n, lowest, highest } };
}

// The bounds of an open input lie within those of the node.
function narrowed(
  input: InputDescription,
  bounds: { readonly min?: number | bigint; readonly max?: number | bigint } = {},
): InputDescription {
  if (input.type !== "INT" && input.type !== "FLOAT") return input;
  const { min = input.min, max = input.max } = bounds;
  return { ...input, min: Number(min), max: Number(max) };
}

async function ofModel(
  models: GraphModels,
  { name, input, run }: { readonly name: string; readonly input: unknown; readonly run: PricedRun },
): Promise<Cost> {
  const price = await models.priceFor(name, run.workspaceId);
  if (price === null) return nothing;
  const amount = holdBound(price, input);
  if (!run.isPaidByKey) return { amount, lowest: lowestCharge(price, input), highest: amount };
  // The workspace of that key may or may not have its own credential.
  const listed = models.priceOf(name);
  return { amount, lowest: 0n, highest: listed === null ? amount : holdBound(listed, input) };
}

function ofAnyModel(models: GraphModels, input: unknown): Cost {
  let highest = 0n;
  for (const { price } of models.served()) {
    const bound = holdBound(price, input);
    if (bound > highest) highest = bound;
  }
  return { ...nothing, highest };
}

const unknown = Symbol("unknown");

interface Reading {
  readonly foreseen: ForeseenInputs;
  readonly nodeId: string;
  readonly inputs: readonly InputDescription[];
}

// The input as the node will send it: its own inputs, overridden by the members of `parameters`.
function readInput(reading: Reading): unknown {
  const parameters = readText(reading, "parameters");
  // Its members may be anything.
  if (parameters === unknown) return new Unsure();
  const own = reading.inputs.filter(({ name }) => name !== "model" && name !== "parameters");
  const values = own.map((input): [string, unknown] => [input.name, valueFor(reading, input)]);
  return { ...Object.fromEntries(values), ...parseMembers(parameters) };
}

function valueFor(reading: Reading, input: InputDescription): unknown {
  const found = givenBy(reading, input);
  const isNumber = input.type === "INT" || input.type === "FLOAT";
  // The node accepts no number outside its bounds, wherever it comes from.
  if (found === unknown) return isNumber ? new Unsure(Number(input.min), Number(input.max)) : new Unsure();
  const value = isNumber && typeof found === "string" ? Number(found) : found;
  // Truncated to an integer, as the node does.
  return input.type === "INT" && typeof value === "number" ? Math.trunc(value) : value;
}

function readText(reading: Reading, name: string): string | typeof unknown {
  const input = reading.inputs.find((one) => one.name === name);
  const found = input === undefined ? "" : givenBy(reading, input);
  if (found === unknown) return unknown;
  return typeof found === "object" ? "" : String(found ?? "");
}

function givenBy({ foreseen, nodeId }: Reading, input: InputDescription): unknown {
  const found = foreseen.input(nodeId, input.name);
  if (found.kind === "absent") return "default" in input ? input.default : undefined;
  return found.kind === "value" ? found.value : unknown;
}

function parseMembers(parameters: string): object {
  const value = jsonOrUndefined(parameters);
  return isRecord(value) ? value : {};
}
