// Opens what people bring: a graph in either format, a submission, or a picture, video or sound that contains the graph that
// made it. We recognise it and say what we took it for.
import { graphInFile, parseJson, writeJson } from "@atelier/sdk";
import { workflows as words } from "#strings/workflows";
import { call } from "../../api/client.ts";
import { asFault } from "../../api/fault.ts";
import {
  type EditorFile,
  type Graph,
  isEditorGraph,
  type Positions,
  positionsIn,
  readApiGraph,
} from "../../api/graphs.ts";
import { isRecord } from "../../api/json-record.ts";
import { operations } from "../../api/operations.ts";
import { sketchOf } from "./sketch.ts";

export interface Opened {
  readonly name: string;
  // A sentence: what it was recognised as.
  readonly said: string;
  readonly graph: Graph;
  readonly positions: Positions | null;
  // The document as it was opened, to save it without a change.
  readonly source?: string;
  // Set if the editor's graph could not be converted; then `graph` only shows its wiring.
  readonly sketch?: Sketch;
}

export interface Sketch {
  readonly editor: EditorFile;
  readonly missing: readonly string[];
  // Other problems with it.
  readonly problems: readonly string[];
}

export class NoWorkflow extends Error {}

const fileBytesMax = 200_000_000;

export async function openFile(file: File): Promise<Opened> {
  if (file.size > fileBytesMax) throw new NoWorkflow(words.notOpened.tooLarge(file.name));
  if (await looksLikeText(file)) return openText(file.name, await file.text());
  const found = await graphInFile(file);
  if (found === null) throw new NoWorkflow(words.notOpened.noGraph(file.name));
  const graph = readApiGraph(found.prompt);
  if (graph !== null) {
    const source = writeJson(found.prompt);
    return { name: file.name, said: words.opened.inFile, graph, positions: positions(found.workflow), source };
  }
  return openValue(file.name, found.workflow, words.opened.editorInFile);
}

const positions = (editor: unknown): Positions | null => (isEditorGraph(editor) ? positionsIn(editor) : null);

async function looksLikeText(file: File): Promise<boolean> {
  if (/\.json$/i.test(file.name) || file.type === "application/json") return true;
  return /^\s*\{\s*"/.test(await file.slice(0, 64).text());
}

export async function openText(name: string, text: string): Promise<Opened> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    throw new NoWorkflow(words.notOpened.notJson(name, whyNot(text)));
  }
  const opened = await openValue(name, value);
  // What was wrapped in something else is saved without it.
  return readApiGraph(value) !== null || isEditorGraph(value) ? { ...opened, source: text } : opened;
}

function whyNot(text: string): string {
  try {
    JSON.parse(text);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : words.notOpened.unreadable;
  }
  return words.notOpened.unreadable;
}

async function openValue(name: string, value: unknown, said?: string): Promise<Opened> {
  const graph = readApiGraph(value);
  if (graph !== null) return { name, said: said ?? words.opened.api, graph, positions: null, source: writeJson(value) };
  if (isEditorGraph(value)) return openEditorGraph(name, value, said ?? words.opened.editor);
  // The body of a submission, or an answer that contains a graph.
  for (const inner of isRecord(value) ? [value["prompt"], value["workflow"]] : [])
    if (readApiGraph(inner) !== null || isEditorGraph(inner)) return openValue(name, inner, said);
  throw new NoWorkflow(words.notOpened.notGraph(name));
}

// We draw a graph even if this server cannot convert it, so that people see what is missing and where.
export async function openEditorGraph(name: string, editor: EditorFile, said: string): Promise<Opened> {
  const positions = positionsIn(editor);
  try {
    const { workflow } = await call(operations.convertWorkflow, {
      json: { workflow: editor },
    });
    return { name, said: words.opened.converted(said), graph: workflow, positions, source: writeJson(editor) };
  } catch (thrown) {
    const fault = asFault(thrown);
    const sketch = sketchOf(editor);
    const details = detailsIn(fault.body);
    if (fault.status !== 422 || details === null || Object.keys(sketch).length === 0) throw thrown;
    return { name, said, graph: sketch, positions, sketch: { editor, ...details } };
  }
}

function detailsIn(body: unknown): Pick<Sketch, "missing" | "problems"> | null {
  const error = isRecord(body) && isRecord(body["error"]) ? body["error"] : {};
  const details = isRecord(error["details"]) ? error["details"] : {};
  const textsIn = (list: unknown) =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
  const [missing, problems] = [textsIn(details["unknown_classes"]), textsIn(details["problems"])];
  return missing.length + problems.length === 0 ? null : { missing, problems };
}
