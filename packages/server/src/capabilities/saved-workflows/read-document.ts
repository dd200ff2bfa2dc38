// A document on its way in: its exact bytes, what is in it, and the words it is found by.
import { Fault } from "../../foundation/fault.ts";
import type { JsonReader } from "../../foundation/json/large-json.ts";
import type { Graphs } from "../graphs/index.ts";
import { type DescribedDocument, describeDocument } from "./describe-document.ts";

export interface ReadDocument extends DescribedDocument {
  readonly bytes: Buffer;
  readonly sha256: Buffer;
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
  given: { readonly bytes: Buffer; readonly described?: DescribedDocument; readonly mayBeEmpty?: boolean },
  flow: string,
): Promise<ReadDocument> {
  const { bytes, described, mayBeEmpty = false } = given;
  const read = described ?? describeDocument(bytes, await parseDocument(deps, bytes, flow), deps.graphs.isEditorFormat);
  if (read.nodes === 0 && !(mayBeEmpty && read.format === "editor")) throw noWorkflow();
  return { ...read, bytes, sha256: Buffer.from(read.sha256) };
}

function noWorkflow(): Fault {
  const message = "must be a workflow with at least one node, as the editor saves it or in API format";
  return new Fault("validation_failed", `document ${message}.`, { details: { field: "document" } });
}
