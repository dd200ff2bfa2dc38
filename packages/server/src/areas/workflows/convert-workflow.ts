// An editor's workflow in API format, where every node class is known. Large integers pass as they were written: they
// travel through the conversion as BigInt, which nothing in it calculates with.
import { Fault } from "../../foundation/fault.ts";
import { canonicalJson, type JsonDocument } from "../../foundation/json-bytes.ts";
import { pointerSegment } from "../../foundation/json-scan.ts";
import type { Graphs } from "./graphs.ts";
import { isRecord } from "./json-record.ts";

export function convertWorkflow(
  graphs: Pick<Graphs, "isEditorFormat" | "convert">,
  { value, exactIntegers }: JsonDocument,
): string {
  if (!isRecord(value)) throw new Fault("invalid_request", "The body is no JSON object.");
  const { workflow } = value;
  if (!graphs.isEditorFormat(workflow)) {
    const message = isRecord(workflow) ? "workflow is no export of an editor: it may be in API format already." : "";
    throw new Fault("validation_failed", message || "workflow is missing or no JSON object.", {
      details: { field: "workflow" },
    });
  }
  const converted = graphs.convert(exactIntegers.size === 0 ? workflow : withBigIntegers(workflow, exactIntegers));
  if (converted.ok) return `{"workflow":${writeExactly(converted.graph)},"format":"api"}`;
  const { unknownClasses, problems } = converted;
  const count = unknownClasses.length === 1 ? "1 class of it is" : `${unknownClasses.length} classes of it are`;
  const why = unknownClasses.length > 0 ? `${count} not known here.` : "The details say why.";
  throw new Fault("validation_failed", `This workflow cannot be converted. ${why}`, {
    details: { unknown_classes: unknownClasses.slice(0, 1000), problems: problems.slice(0, 1000) },
  });
}

function withBigIntegers(workflow: unknown, exact: ReadonlyMap<string, string>): unknown {
  return changed(workflow, "/workflow", (value, pointer) => {
    const digits = typeof value === "number" ? exact.get(pointer) : undefined;
    return digits === undefined ? value : BigInt(digits);
  });
}

function writeExactly(graph: unknown): string {
  const digits = new Map<string, string>();
  const plain = changed(graph, "", (value, pointer) => {
    if (typeof value !== "bigint") return value;
    digits.set(pointer, String(value));
    return Number(value);
  });
  return canonicalJson(plain, digits);
}

// The same with every value that is no list and no object changed, each known by its pointer.
function changed(value: unknown, pointer: string, change: (value: unknown, pointer: string) => unknown): unknown {
  const inner = (name: string | number, member: unknown) =>
    changed(member, `${pointer}/${pointerSegment(String(name))}`, change);
  if (Array.isArray(value)) return value.map((item, index) => inner(index, item));
  if (!isRecord(value)) return change(value, pointer);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inner(name, member)]));
}
