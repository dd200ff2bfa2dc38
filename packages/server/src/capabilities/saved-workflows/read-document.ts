// A document on its way in: its exact bytes, what is in it, and the words it is found by.
import { createHash } from "node:crypto";
import { Fault } from "../../foundation/fault.ts";
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { JsonReader } from "../../foundation/json/large-json.ts";
import type { Graphs } from "../graphs/index.ts";
import type { DocumentFormat } from "./saved-workflow.ts";
import { documentWords } from "./search-words.ts";
import { outlineWorkflow, type WorkflowOutline } from "./workflow-outline.ts";

export interface ReadDocument {
  readonly bytes: Buffer;
  readonly sha256: Buffer;
  readonly format: DocumentFormat;
  readonly nodes: number;
  readonly words: readonly string[];
}

export interface ReadDocumentDeps {
  readonly json: Pick<JsonReader, "read">;
  readonly graphs: Pick<Graphs, "isEditorFormat">;
}

// As for a submission: room for 10,000 nodes with 25 inputs each.
const reading = { limits: { keysMax: 250_000, valuesMax: 1_000_000, exactMax: 10_000 }, unhashed: null };

export async function parseDocument({ json }: Pick<ReadDocumentDeps, "json">, bytes: Buffer, flow: string) {
  return json.read(bytes, reading, flow);
}

export async function readDocument(
  deps: ReadDocumentDeps,
  { bytes, read }: { readonly bytes: Buffer; readonly read?: JsonDocument },
  flow: string,
): Promise<ReadDocument> {
  const { outline, format } = readOutline(deps, read ?? (await parseDocument(deps, bytes, flow)));
  if (outline.size === 0) throw noWorkflow();
  return {
    bytes,
    sha256: createHash("sha256").update(bytes).digest(),
    format,
    nodes: outline.size,
    words: documentWords(outline),
  };
}

function readOutline({ graphs }: ReadDocumentDeps, document: JsonDocument) {
  if (!isRecord(document.value)) throw noWorkflow();
  const isEditor = graphs.isEditorFormat(document.value);
  const outline: WorkflowOutline = outlineWorkflow(document, isEditor);
  return { outline, format: isEditor ? ("editor" as const) : ("api" as const) };
}

function noWorkflow(): Fault {
  const message = "must be a workflow with at least one node, as the editor saves it or in API format";
  return new Fault("validation_failed", `document ${message}.`, { details: { field: "document" } });
}
