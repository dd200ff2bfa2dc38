// A submission that names a work: {work, inputs} instead of a workflow. From here on it is a submission of the work's graph with
// these inputs. The key still compares the body as it was sent, so a repeated submission is the same job although a seed was
// drawn.
import type { WorkGraphs } from "../../../capabilities/works/index.ts";
import { wrongField } from "../../../foundation/fault.ts";
import { isRecord } from "../../../foundation/json/json-record.ts";
import { findSpan } from "../../../foundation/json/json-spans.ts";
import type { ReadJson } from "../../../foundation/json/read-json.ts";
import type { WorkflowCaller } from "../surface.ts";

export interface NamedWorkDeps {
  // Absent if no works can run here.
  readonly works?: WorkGraphs;
}

export async function withNamedWork(
  { works }: NamedWorkDeps,
  { workspaceId }: Pick<WorkflowCaller, "workspaceId">,
  { read, bytes, isQuote }: { readonly read: ReadJson; readonly bytes: Buffer; readonly isQuote: boolean },
): Promise<ReadJson> {
  const { value } = read;
  // Some writers use null to leave a member out.
  if (!isRecord(value) || value["work"] === undefined || value["work"] === null) return read;
  const { work, workflow, inputs, ...rest } = value;
  if (typeof work !== "string") throw wrongField("work", "must be the id of a work");
  if (workflow !== undefined && workflow !== null) throw wrongField("workflow", "cannot be sent together with a work");
  if (inputs !== undefined && inputs !== null && !isRecord(inputs)) throw wrongField("inputs", "must be a JSON object");
  if (works === undefined) throw wrongField("work", "cannot be run here");
  const span = isRecord(inputs) ? findSpan(bytes, "/inputs") : null;
  const body = span === null ? Buffer.from("{}") : bytes.subarray(span.start, span.end);
  const filled = await works.fill({ workspaceId, id: work, body, isQuote });
  const exact = [...filled.exactIntegers].map(([at, digits]): [string, string] => [`/workflow${at}`, digits]);
  return { ...read, value: { ...rest, workflow: filled.value }, exactIntegers: new Map(exact) };
}
