// What is wrong with a graph, in the application's vocabulary, which clients already know.
export type GraphProblemType =
  // of the whole graph
  | "no_prompt"
  | "invalid_prompt"
  | "missing_node_type"
  | "prompt_no_outputs"
  | "prompt_outputs_failed_validation"
  | "graph_too_large"
  // of a node
  | "required_input_missing"
  | "bad_linked_input"
  | "return_type_mismatch"
  | "invalid_input_type"
  | "value_smaller_than_min"
  | "value_bigger_than_max"
  | "value_not_in_list"
  | "custom_validation_failed"
  | "exception_during_validation"
  | "dependency_cycle";

export interface GraphProblem {
  readonly type: GraphProblemType;
  readonly message: string;
  readonly details: string;
  readonly extra_info: Readonly<Record<string, unknown>>;
}

export interface NodeProblems {
  readonly errors: readonly GraphProblem[];
  // Output nodes that cannot run because of this one.
  readonly dependent_outputs: readonly string[];
  readonly class_type: string;
}

export interface GraphVerdict {
  // Whether the graph can run as it is, without any problem.
  readonly ok: boolean;
  // Why nothing, or not everything, can run. `null` exactly if `ok`.
  readonly problem: GraphProblem | null;
  // By node id. Spec, v2: a submission is refused if this is not empty, even if some outputs could run.
  readonly nodeErrors: Readonly<Record<string, NodeProblems>>;
  // Output nodes without a problem, in graph order.
  readonly outputs: readonly string[];
  // The nodes those outputs need, themselves included: what progress counts. In no particular order.
  readonly nodes: readonly string[];
}
