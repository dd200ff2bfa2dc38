// Says how to provide a weight that no worker has. The refusal itself is the usual one: the value is not in the list.
import type { GraphProblem, GraphVerdict } from "./graphs.ts";

const weightFile = /\.(?:safetensors|sft|ckpt|pt|pth|bin|gguf|onnx)$/i;

export function withWayToBring(verdict: GraphVerdict): GraphVerdict {
  if (verdict.ok) return verdict;
  const nodeErrors = Object.fromEntries(
    Object.entries(verdict.nodeErrors).map(([id, node]) => [id, { ...node, errors: node.errors.map(explained) }]),
  );
  return { ...verdict, nodeErrors };
}

function explained(problem: GraphProblem): GraphProblem {
  const value = problem.extra_info["received_value"];
  if (problem.type !== "value_not_in_list" || typeof value !== "string" || !weightFile.test(value)) return problem;
  const way = `No worker has this file. An operator can bring it: atelier weights push ${value}, then fill a worker with a lock that names it.`;
  return { ...problem, details: `${problem.details}. ${way}` };
}
