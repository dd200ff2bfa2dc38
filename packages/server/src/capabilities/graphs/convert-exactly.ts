// Converts an editor's workflow to API format, if every node class is known. Large integers are kept exactly: they pass through
// the conversion as BigInt, and nothing in it calculates with them. A large graph is converted in steps, with other work in
// between.
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../foundation/json/json-record.ts";
import { namesInPointer, pointerSegment } from "../../foundation/json-pointer.ts";
import type { Converted, Graphs } from "./graphs.ts";

// Lets other work run if the document is large.
type Rest = () => void | Promise<void>;

export type Conversion =
  | { readonly ok: true; readonly graph: JsonRecord; readonly exactIntegers: ReadonlyMap<string, string> }
  | Extract<Converted, { readonly ok: false }>;

// The document's member `workflow` is what is converted. The document is changed.
export async function convertExactly(
  graphs: Pick<Graphs, "convert" | "ready">,
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
