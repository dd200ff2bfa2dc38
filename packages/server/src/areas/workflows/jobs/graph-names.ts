// The names in a graph: ids of nodes, classes, inputs. They appear in rows, events, links and messages, so they must be text
// that a database can store and a person can read. Graph validation reports everything else that is wrong.
import { limits } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";

export function requireGraphNames(workflow: JsonRecord): void {
  for (const [id, node] of Object.entries(workflow)) {
    requireName("a node whose id", id);
    if (!isRecord(node)) continue;
    if (typeof node["class_type"] === "string") requireName("a node whose class", node["class_type"]);
    if (isRecord(node["inputs"]))
      for (const name of Object.keys(node["inputs"])) requireName("an input whose name", name);
  }
}

function requireName(what: string, name: string): void {
  const problem = problemOf(name);
  if (problem === null) return;
  throw new Fault("validation_failed", `workflow has ${what} ${problem}.`, { details: { field: "workflow" } });
}

function problemOf(name: string): string | null {
  if (name.includes("\0")) return "contains the character U+0000";
  const most = limits.graphNameLengthMax;
  return name.length > most ? `is longer than ${most} characters: ${name.slice(0, 24)}…` : null;
}
