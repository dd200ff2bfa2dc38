// What you can ask about a graph: whether it can run, what it needs and what it costs. The node classes are those of the
// engine you ask, so two surfaces with different engines judge the same graph differently.
import type { WorkspaceId } from "../../foundation/ids.ts";

// A single problem, in the application's vocabulary, which clients already know.
export interface GraphProblem {
  readonly type: string;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

export interface NodeProblems {
  readonly errors: readonly GraphProblem[];
  readonly dependent_outputs: readonly string[];
  readonly class_type: string;
}

export interface GraphVerdict {
  // The graph can run as it is.
  readonly ok: boolean;
  readonly problem: GraphProblem | null;
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
  // The nodes that will run. Progress counts these.
  readonly nodes: readonly string[];
}

export type Converted =
  | { readonly ok: true; readonly graph: object }
  | { readonly ok: false; readonly unknownClasses: readonly string[]; readonly problems: readonly string[] };

// Where a node class runs.
export interface ClassLocation {
  // In our own engine.
  readonly engine: boolean;
  // Ids of pools with a worker next to an application that has it.
  readonly pools: readonly string[];
  // In the one application behind this surface.
  readonly application: boolean;
}

export interface DescribedClasses {
  // By class, in the format of an application's object_info. Integers beyond 2^53 are bigints.
  readonly descriptions: ReadonlyMap<string, unknown>;
  locationOf(name: string): ClassLocation;
}

export interface Graphs {
  // Await this before any other call: the knowledge may come from elsewhere.
  ready?(): Promise<void>;
  // Whether it is an editor's export rather than a graph.
  isEditorFormat(workflow: unknown): boolean;
  // In steps, so that other work can run in between.
  convert(workflow: unknown): Generator<undefined, Converted, undefined>;
  // Never throws, whatever the input. Assumes that referenced assets exist.
  check(graph: unknown): GraphVerdict;
  // The classes available here; the same object while nothing has changed. Throws if they are unknown right now.
  classes(): DescribedClasses;
  // Inputs of a class that name one of the caller's files.
  fileInputs(classType: string): readonly string[];
  // A sentence for the author of a graph that says where classes unknown here would run.
  wayOn?(unknownClasses: readonly string[]): string;
}

// Which classes the policy forbids here.
export interface NodePolicy {
  refused(asked: { readonly classes: readonly string[] }): readonly string[] | Promise<readonly string[]>;
}

// What a part of a graph costs, in micro-credits.
export interface PricePart {
  // "run", or the id of a node that calls a model.
  readonly part: string;
  // What a submission holds for it. Equal to `highest`, unless the model or the number of calls is only decided during the
  // run, or another key pays.
  readonly amount: bigint;
  // For a fresh run that succeeds.
  readonly lowest: bigint;
  readonly highest: bigint;
  // Absent for the run.
  readonly node?: PricedNode;
}

export interface PricedNode {
  readonly classType: string;
  readonly title: string | null;
  // The model it calls. Null if that is only decided during the run.
  readonly model: string | null;
}

export interface PricedRun {
  // Calls under this workspace's own credentials are free.
  readonly workspaceId: WorkspaceId;
  // The nodes that will run.
  readonly nodes: readonly string[];
  // Nodes pay with a key that came with the submission. We do not know whose key it is.
  readonly isPaidByKey: boolean;
  // Closer bounds than the node's own for numbers that are not known yet, by node and input.
  readonly open?: OpenInputs;
}

export type OpenInputs = ReadonlyMap<
  string,
  ReadonlyMap<string, { readonly min?: number | bigint; readonly max?: number | bigint }>
>;

// In graph order, the run last. May include parts that cost nothing.
export type PriceGraph = (graph: object, run: PricedRun) => readonly PricePart[] | Promise<readonly PricePart[]>;

export const allowAll: NodePolicy = { refused: () => [] };
export const freeOfCharge: PriceGraph = () => [];
