// Converts an editor's workflow to API format, if every node class is known. Large integers are kept exactly: they pass through
// the conversion as BigInt, and nothing in it calculates with them. A large graph is converted in steps, with other work in
// between.

import type { Converted, Graphs } from "../../../capabilities/graphs/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import { namesInPointer, pointerSegment } from "../../../foundation/json-pointer.ts";
import { graphText } from "./graph-text.ts";
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
  const converted = await converting(graphs, document, rest);
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
  const converted = await converting(graphs, read, rest);
  if (!converted.ok) throw notConverted("workflow_format_ui", converted, graphs);
  const exact = [...converted.exactIntegers].map(([at, digits]): [string, string] => [`/workflow${at}`, digits]);
  return { ...read, value: { ...value, workflow: converted.graph }, exactIntegers: new Map(exact) };
}

type Conversion =
  | { readonly ok: true; readonly graph: JsonRecord; readonly exactIntegers: ReadonlyMap<string, string> }
  | Extract<Converted, { readonly ok: false }>;

async function converting(
  graphs: ConvertDeps,
  { value, exactIntegers }: JsonDocument,
  rest: Rest,
): Promise<Conversion> {
  await graphs.ready?.();
  for (const [pointer, digits] of exactIntegers) putBigInteger(value, pointer, digits);
  await rest();
  const steps = graphs.convert(isRecord(value) ? value["workflow"] : undefined);
  let next = steps.next();
  while (next.done !== true) {
    await rest();
    next = steps.next();
  }
  const converted = next.value;
  if (!converted.ok) return converted;
  if (exactIntegers.size === 0) return { ok: true, graph: { ...converted.graph }, exactIntegers };
  return withDigits(converted.graph, rest);
}

// Replaces the number in place: the document was parsed for this request alone.
function putBigInteger(value: unknown, pointer: string, digits: string): void {
  const names = namesInPointer(pointer);
  const last = names.pop();
  let holder: unknown = value;
  for (const name of names) holder = isObject(holder) ? Reflect.get(holder, name) : undefined;
  if (last === undefined || !isObject(holder) || !Object.hasOwn(holder, last)) return;
  Object.defineProperty(holder, last, { value: BigInt(digits), enumerable: true, configurable: true });
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

const nodesPerStep = 500;

// The graph with plain numbers, and the digits of those that do not fit.
async function withDigits(graph: object, rest: Rest): Promise<Conversion> {
  const digits = new Map<string, string>();
  const nodes: [string, unknown][] = [];
  for (const [id, node] of Object.entries(graph)) {
    if (nodes.length % nodesPerStep === 0) await rest();
    nodes.push([id, plainly(node, `/${pointerSegment(id)}`, digits)]);
  }
  return { ok: true, graph: Object.fromEntries(nodes), exactIntegers: digits };
}

function plainly(value: unknown, pointer: string, digits: Map<string, string>): unknown {
  if (typeof value === "bigint") {
    digits.set(pointer, String(value));
    return Number(value);
  }
  const inner = (name: string | number, member: unknown) =>
    plainly(member, `${pointer}/${pointerSegment(String(name))}`, digits);
  if (Array.isArray(value)) return value.map((item, index) => inner(index, item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(name, member)]));
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
