// Sets what -i says in a graph; files that it names are uploaded first, or stand for themselves where nothing is to run.
import { referenceTo } from "@atelier/sdk";
import { uploadFile } from "../files/upload-file.ts";
import type { Asked } from "../server/over-http.ts";
import { type ApiGraph, findNode, type GraphInput, inputValue, newInput } from "./graph-inputs.ts";

// What is odd about them is told before anything is uploaded; with --json it is in the result.
export async function setInputs(
  asked: Asked,
  graph: ApiGraph,
  inputs: readonly GraphInput[],
  signal: AbortSignal,
  fileInput: (path: string, label: string) => Promise<unknown> = async (path, label) =>
    referenceTo(await uploadFile({ ...asked, say: asked.input.say }, path, label, signal)),
): Promise<string[]> {
  const targets = inputs.map((each) => ({ ...each, node: findNode(graph, each.nodeId) }));
  const warnings = targets.flatMap(({ nodeId, input, node }) => newInput(nodeId, node, input) ?? []);
  if (!asked.input.json) for (const warning of warnings) asked.input.say(`! ${warning}`);
  for (const { nodeId, input: name, value, node } of targets)
    node[name] =
      value.kind === "text" ? inputValue(value.text, node[name]) : await fileInput(value.path, `${nodeId}.${name}`);
  return warnings;
}
