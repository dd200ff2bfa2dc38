// Asks the server what a run would cost before anything runs.
import { referenceToLater } from "./assets.ts";
import type { GraphEstimate } from "./generated/wire.ts";
import type { SubmitOptions } from "./jobs.ts";
import { readJson } from "./pages.ts";
import { type CallOptions, pickCallOptions, type Transport } from "./transport.ts";
import { type EditorGraph, type Graph, placeFiles, Workflow } from "./workflow.ts";

/** How to ask what a graph would cost. */
export interface EstimateOptions extends CallOptions, Pick<SubmitOptions, "modelKey"> {
  /** The deployment that would run it; without it, the managed cloud. */
  readonly deploymentId?: string;
}

/** Estimates: `atelier.estimates`. A model's is `atelier.models.estimate`. */
export class Estimates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * What a run of the graph would cost, node by node, and how long such graphs took. Nothing is submitted, and its files
   * are not uploaded.
   * @example
   * const { credits, nodes } = await atelier.estimates.workflow(graph);
   */
  async workflow(workflow: Graph | EditorGraph | Workflow, options: EstimateOptions = {}): Promise<GraphEstimate> {
    const graph = workflow instanceof Workflow ? workflow.graph : workflow;
    const named = await placeFiles(graph, async ({ source, options: { filePath } }) =>
      referenceToLater(filePath ?? (source instanceof File ? source.name : "file")),
    );
    const { modelKey, deploymentId } = options;
    const json = { workflow: named, ...(modelKey === undefined ? {} : { extra_data: { api_key_service: modelKey } }) };
    const query = { deployment_id: deploymentId };
    const ask = { ...pickCallOptions(options), method: "POST", json, query, isRepeatable: true } as const;
    return readJson(this.#transport, "/account/estimates", ask);
  }
}
