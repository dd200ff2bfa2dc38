// Which outputs of a graph a prompt leaves out. An application that finds something wrong with one output takes the
// others and says so once, in the answer to the submission; a process that did not hear that answer (it broke off, or
// the process died) sees it in what the prompt is run for.
import type { ClassDescriptions } from "@atelier/engine";
import { isRecord, type JsonRecord, stringAt } from "../line/json-record.ts";

export interface LeftOut {
  readonly nodeId: string;
  readonly classType: string;
}

// `ranFor` null: the application does not say, and then it is believed.
export function leftOutOutputs(
  graph: JsonRecord,
  classes: ClassDescriptions,
  ranFor: readonly string[] | null,
): readonly LeftOut[] {
  if (ranFor === null) return [];
  const ran = new Set(ranFor);
  return Object.entries(graph).flatMap(([nodeId, node]) => {
    const classType = isRecord(node) ? stringAt(node, "class_type") : null;
    const isLeftOut = classType !== null && classes.get(classType)?.isOutputNode === true && !ran.has(nodeId);
    return isLeftOut ? [{ nodeId, classType }] : [];
  });
}
