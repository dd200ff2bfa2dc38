// The form that a person saved with a workflow, inside its document: in `extra.atelier.form` of an editor's document, and in
// `_meta.atelier.form` of one node of a graph in API format, which has no `extra`. Applications and editors ignore both and keep
// them. An editor's document also gets the form as its app mode (`extra.linearData`), which has places and descriptions only.
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { withMember } from "../../../foundation/json/json-spans.ts";
import { pointerTo } from "./exact-values.ts";
import { tryReadForm, writeForm } from "./read-form.ts";
import type { WorkForm } from "./work-form.ts";
import { appModeOf, writeAppMode } from "./write-app-mode.ts";

export interface DocumentForm {
  readonly document: Buffer;
  // What the editor's app mode cannot show of it, in words.
  readonly problems: readonly string[];
}

// Null if the document has none, or one that cannot be read.
export function readDocumentForm(document: JsonDocument, isEditorFormat: boolean): WorkForm | null {
  const path = isEditorFormat ? editorPath : graphPath(document.value);
  const value = path === null ? undefined : path.reduce<unknown>(below, document.value);
  if (path === null || value === undefined) return null;
  const pointer = pointerTo(path);
  const exact = [...document.exactIntegers].filter(([at]) => at.startsWith(`${pointer}/`));
  const read = tryReadForm({
    value,
    exactIntegers: new Map(exact.map(([at, digits]) => [at.slice(pointer.length), digits])),
  });
  return read.ok ? read.form : null;
}

// `bytes` are those of the document. All of them stay as they are, except for the form.
export function writeDocumentForm(
  bytes: Buffer,
  document: JsonDocument,
  isEditorFormat: boolean,
  form: WorkForm,
): DocumentForm {
  const text = writeForm(form);
  if (!isEditorFormat) {
    const path = graphPath(document.value) ?? inNode(form.outputs[0]?.node ?? "");
    return { document: withMember(bytes, path, text), problems: [] };
  }
  const mode = appModeOf(document.value, form);
  return { document: withMember(writeAppMode(bytes, mode), editorPath, text), problems: mode.problems };
}

// The graph in API format without the form in it. What jobs run need not carry it.
export function withoutDocumentForm(graph: JsonDocument): JsonDocument {
  const path = graphPath(graph.value);
  if (path === null || !isRecord(graph.value)) return graph;
  const pointer = pointerTo(path);
  return {
    value: without(graph.value, path),
    exactIntegers: new Map([...graph.exactIntegers].filter(([at]) => !at.startsWith(`${pointer}/`))),
  };
}

type Path = readonly [string, ...string[]];

const editorPath: Path = ["extra", "atelier", "form"];
const inNode = (id: string): Path => [id, "_meta", "atelier", "form"];

// Where the form is; null if no node has one.
function graphPath(graph: unknown): Path | null {
  if (!isRecord(graph)) return null;
  const id = Object.keys(graph).find((each) => inNode(each).reduce<unknown>(below, graph) !== undefined);
  return id === undefined ? null : inNode(id);
}

const below = (value: unknown, name: string): unknown => (isRecord(value) ? memberOf(value, name) : undefined);

// Objects that become empty go as well.
function without(record: JsonRecord, [name, ...rest]: readonly string[]): JsonRecord {
  const inner = name === undefined ? undefined : memberOf(record, name);
  const others = Object.entries(record).filter(([each]) => each !== name);
  const left = isRecord(inner) && rest.length > 0 ? without(inner, rest) : {};
  if (Object.keys(left).length === 0) return Object.fromEntries(others);
  return Object.fromEntries(Object.entries(record).map(([each, value]) => [each, each === name ? left : value]));
}
