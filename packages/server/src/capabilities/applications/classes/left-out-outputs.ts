// Which outputs of a graph a prompt leaves out. If something is wrong with one output, an application accepts the others
// and says so only once, in the answer to the submission. A process that missed that answer, because it broke off or the
// process died, sees it in the list of outputs the prompt runs for.
import type { ClassDescriptions } from "@atelier/engine";
import { isRecord, type JsonRecord, stringAt } from "../line/json-record.ts";

export interface LeftOut {
  readonly nodeId: string;
  readonly classType: string;
}

// If `ranFor` is null, the application does not say, and we trust it.
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
