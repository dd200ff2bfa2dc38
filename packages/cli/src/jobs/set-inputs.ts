// Applies -i to a graph. Files it names are uploaded first, or only opened if nothing is going to run.
import { referenceTo } from "@atelier/sdk";
import { uploadFile } from "../files/upload-file.ts";
import type { Asked } from "../server/over-http.ts";
import { type ApiGraph, findNode, type GraphInput, inputValue, newInput } from "./graph-inputs.ts";

// Warns about odd inputs before anything is uploaded; with --json the warnings are in the result.
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
