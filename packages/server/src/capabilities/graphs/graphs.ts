// What can be asked about graphs: whether one can run, what it needs and what it costs. The node classes belong to the engine
// that is asked, so two surfaces with different engines judge the same graph differently.
import type { WorkspaceId } from "../../foundation/ids.ts";

// One thing that is wrong, in the application's vocabulary: clients already know its words.
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
  // The nodes that will run: what progress counts.
  readonly nodes: readonly string[];
}

export type Converted =
  | { readonly ok: true; readonly graph: object }
  | { readonly ok: false; readonly unknownClasses: readonly string[]; readonly problems: readonly string[] };

// Where a node class runs.
export interface ClassLocation {
  // In our own engine.
  readonly engine: boolean;
  // Pools with a worker beside an application that has it, by id.
  readonly pools: readonly string[];
  // In the one application that the surface stands beside.
  readonly application: boolean;
}

export interface DescribedClasses {
  // As an application's object_info has them, by class; integers beyond 2^53 are bigints.
  readonly descriptions: ReadonlyMap<string, unknown>;
  locationOf(name: string): ClassLocation;
}

export interface Graphs {
  // Waited for before it is asked anything: what it knows may come from elsewhere.
  ready?(): Promise<void>;
  // An editor's export instead of a graph.
  isEditorFormat(workflow: unknown): boolean;
  // In steps: between two of them others may have their turn.
  convert(workflow: unknown): Generator<undefined, Converted, undefined>;
  // Never throws, whatever it is given. Asset references in it are taken to be there.
  check(graph: unknown): GraphVerdict;
  // What graphs can be made of here; the same object while nothing has changed. Throws when that is not known now.
  classes(): DescribedClasses;
  // The inputs of a class that name a file of the caller's.
  fileInputs(classType: string): readonly string[];
  // Where classes that are not known here would run: a sentence for the author of a graph.
  wayOn?(unknownClasses: readonly string[]): string;
}

// Classes that may not run here, by the policy that rules over them.
export interface NodePolicy {
  refused(asked: { readonly classes: readonly string[] }): readonly string[] | Promise<readonly string[]>;
}

// What a part of a graph costs, in micro-credits.
export interface PricePart {
  // "run", or the id of a node that calls a model.
  readonly part: string;
  // What a submission sets aside for it. It is `highest`, unless only the run decides which model is called or how often,
  // or another key pays.
  readonly amount: bigint;
  // Of a fresh run that succeeds.
  readonly lowest: bigint;
  readonly highest: bigint;
  // Absent for the run.
  readonly node?: PricedNode;
}

export interface PricedNode {
  readonly classType: string;
  readonly title: string | null;
  // The model that it calls; null where only the run decides.
  readonly model: string | null;
}

export interface PricedRun {
  // What it brings its own credential for costs nothing here.
  readonly workspaceId: WorkspaceId;
  // The nodes that will run.
  readonly nodes: readonly string[];
  // Nodes pay with a key that came with the submission; whose it is, is not known.
  readonly isPaidByKey: boolean;
}

// In the order of the graph, the run last. Parts that cost nothing may be among them.
export type PriceGraph = (graph: object, run: PricedRun) => readonly PricePart[] | Promise<readonly PricePart[]>;

export const allowAll: NodePolicy = { refused: () => [] };
export const freeOfCharge: PriceGraph = () => [];
