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

function withBigIntegers(workflow: unknown, exact: ReadonlyMap<string, string>, pointer = "/workflow"): unknown {
  if (typeof workflow === "number") {
    const digits = exact.get(pointer);
    return digits === undefined ? workflow : BigInt(digits);
  }
  const at = (segment: string | number) => `${pointer}/${pointerSegment(String(segment))}`;
  if (Array.isArray(workflow)) return workflow.map((item, index) => withBigIntegers(item, exact, at(index)));
  if (!isRecord(workflow)) return workflow;
  return Object.fromEntries(
    Object.entries(workflow).map(([name, member]) => [name, withBigIntegers(member, exact, at(name))]),
  );
}

function writeExactly(graph: unknown): string {
  const digits = new Map<string, string>();
  return canonicalJson(withoutBigIntegers(graph, digits, ""), digits);
}

function withoutBigIntegers(value: unknown, digits: Map<string, string>, pointer: string): unknown {
  if (typeof value === "bigint") {
    digits.set(pointer, String(value));
    return Number(value);
  }
  const at = (segment: string | number) => `${pointer}/${pointerSegment(String(segment))}`;
  if (Array.isArray(value)) return value.map((item, index) => withoutBigIntegers(item, digits, at(index)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutBigIntegers(member, digits, at(name))]),
  );
}
