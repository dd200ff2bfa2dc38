// A graph in API format with files as inputs. The files are uploaded when the graph is submitted, and only if the server does
// not have them yet.
import type { AssetSource } from "./assets.ts";
import type { PutOptions } from "./put-options.ts";

/** A graph in API format: nodes by id. */
export type Graph = Readonly<Record<string, GraphNode>>;

/** One node of a graph. */
export interface GraphNode {
  readonly class_type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** A graph as the editor saves it. The server converts it if it knows every node class. */
export interface EditorGraph {
  readonly nodes: readonly unknown[];
  readonly [name: string]: unknown;
}

/** A file in a graph, uploaded when the graph is submitted. */
export class GraphFile {
  readonly source: AssetSource;
  readonly options: PutOptions;
  constructor(source: AssetSource, options: PutOptions = {}) {
    this.source = source;
    this.options = options;
  }
}

/**
 * A graph to fill in. The graph it was made from never changes.
 * @example
 * const workflow = new Workflow(graph).set("6", "text", "a red fox").set("10", "image", new GraphFile(photo));
 */
export class Workflow {
  readonly graph: Record<string, GraphNode>;

  constructor(graph: Graph) {
    this.graph = structuredClone(graph);
  }

  /** Sets one input of one node. The node must exist. */
  set(nodeId: string, input: string, value: unknown): this {
    const node = this.graph[nodeId];
    if (node === undefined) throw new RangeError(`The graph has no node ${nodeId}.`);
    this.graph[nodeId] = { ...node, inputs: { ...node.inputs, [input]: value } };
    return this;
  }
}

/** Replaces every file of a graph with what `upload` returns for it. */
export async function placeFiles(value: unknown, upload: (file: GraphFile) => Promise<unknown>): Promise<unknown> {
  if (value instanceof GraphFile) return upload(value);
  if (Array.isArray(value)) return Promise.all(value.map((each) => placeFiles(each, upload)));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(async ([name, each]) => [name, await placeFiles(each, upload)] as const);
  return Object.fromEntries(await Promise.all(entries));
}
