// The document to save for an open workflow. Unchanged, it is the text as it was opened. Changed values go into a graph in API
// format, where everything else in the nodes stays. An editor's file keeps values only by position, so a changed one becomes the
// graph that runs.
import { parseJson, writeJson } from "@atelier/sdk";
import { type Graph, isEditorGraph, readApiGraph } from "../../api/graphs.ts";
import { isRecord } from "../../api/json-record.ts";
import type { Opened } from "./open-workflow.ts";

export interface ToSave {
  readonly text: string;
  // The editor's layout is not in it.
  readonly losesLayout: boolean;
}

export function documentToSave({ source, sketch }: Opened, graph: Graph, isChanged: boolean): ToSave {
  if (sketch) return { text: source ?? writeJson(sketch.editor), losesLayout: false };
  if (source === undefined) return { text: writeJson(graph), losesLayout: false };
  if (!isChanged) return { text: source, losesLayout: false };
  const value = parseJson(source);
  if (isEditorGraph(value)) return { text: writeJson(graph), losesLayout: true };
  if (readApiGraph(value) === null || !isRecord(value)) return { text: writeJson(graph), losesLayout: false };
  const merged = Object.entries(value).map(([id, node]) => [
    id,
    isRecord(node) && graph[id] !== undefined ? { ...node, inputs: graph[id].inputs } : node,
  ]);
  return { text: writeJson(Object.fromEntries(merged)), losesLayout: false };
}
