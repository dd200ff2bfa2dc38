// Converts the workflow in a request's body to API format, if it is an editor's and every node class is known.
import { type Converted, convertExactly, type Graphs, graphText } from "../../../capabilities/graphs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { wayOnFor } from "./invalid-graph.ts";

type ConvertDeps = Pick<Graphs, "isEditorFormat" | "convert" | "ready" | "wayOn">;
// Lets other work run if the body is large.
type Rest = () => void | Promise<void>;

// For callers who ask for the conversion alone.
export async function convertWorkflow(graphs: ConvertDeps, document: JsonDocument, rest: Rest): Promise<string> {
  const { value } = document;
  if (!isRecord(value)) throw new Fault("invalid_request", "The body must be a JSON object.");
  const { workflow } = value;
  if (!graphs.isEditorFormat(workflow)) {
    const message = isRecord(workflow) ? "workflow is not an editor export; it may already be in API format." : "";
    throw new Fault("validation_failed", message || "workflow must be a JSON object.", {
      details: { field: "workflow" },
    });
  }
  const converted = await convertExactly(graphs, document, rest);
  if (!converted.ok) throw notConverted("validation_failed", converted, graphs);
  return `{"workflow":${graphText(converted.graph, converted.exactIntegers)},"format":"api"}`;
}

// The body of a submission with its workflow in API format, whichever format it came in. The fingerprint stays that of the body
// as sent. Decision 0017.
export async function inApiFormat<Read extends JsonDocument>(
  graphs: ConvertDeps,
  read: Read,
  rest: Rest,
): Promise<Read> {
  const { value } = read;
  if (!isRecord(value) || !graphs.isEditorFormat(value["workflow"])) return read;
  const converted = await convertExactly(graphs, read, rest);
  if (!converted.ok) throw notConverted("workflow_format_ui", converted, graphs);
  const exact = [...converted.exactIntegers].map(([at, digits]): [string, string] => [`/workflow${at}`, digits]);
  return { ...read, value: { ...value, workflow: converted.graph }, exactIntegers: new Map(exact) };
}

const shownMax = 1000;

function notConverted(
  code: "validation_failed" | "workflow_format_ui",
  { unknownClasses, problems }: Extract<Converted, { readonly ok: false }>,
  graphs: ConvertDeps,
): Fault {
  const why = unknownClasses.length > 0 ? wayOnFor(unknownClasses, graphs) : " See details.";
  return new Fault(code, `This workflow is in the editor's format and could not be converted.${why}`, {
    details: { unknown_classes: unknownClasses.slice(0, shownMax), problems: problems.slice(0, shownMax) },
  });
}
