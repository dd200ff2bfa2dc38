// From a call's bytes to the graph that runs: files become assets, and values go where the form says.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { forwarded, type JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import type { JsonReader } from "../../../foundation/json/large-json.ts";
import { exactValue } from "../form/exact-values.ts";
import { fillGraph } from "../form/fill-graph.ts";
import { randomBelow } from "../form/random-below.ts";
import { type BorrowFilesDeps, borrowFiles } from "./borrow-files.ts";
import type { PreparedWork } from "./prepared-work.ts";
import { foreignFiles, type TakeFilesDeps, takeFiles } from "./take-files.ts";

export interface FillWorkDeps extends TakeFilesDeps {
  readonly assets: TakeFilesDeps["assets"] & BorrowFilesDeps["assets"];
  readonly json: Pick<JsonReader, "read">;
}

export interface FilledWork extends JsonDocument {
  readonly value: JsonRecord;
  // What was really used, by name.
  readonly inputs: JsonRecord;
  readonly outputsAs: "url" | "data_uri";
}

export interface FillRequest {
  readonly workspaceId: WorkspaceId;
  // A JSON object that has passed the work's schema.
  readonly body: Buffer;
  // If nothing runs, files are not fetched; the graph names files that would come later.
  readonly isQuote?: boolean;
}

export async function fillWork(deps: FillWorkDeps, work: PreparedWork, request: FillRequest): Promise<FilledWork> {
  const { workspaceId, isQuote = false } = request;
  const read = await deps.json.read(request.body, { limits: forwarded, unhashed: null }, workspaceId);
  const exact = exactValue(read);
  const inputs = isRecord(exact) ? exact : {};
  const files = isQuote ? new Map<string, string>() : await takeFiles(deps, workspaceId, work.form, inputs);
  const { form } = work;
  const filled = fillGraph({ graph: work.graph, form, inputs, random: randomBelow, files });
  const { ownerId } = work.work;
  const lent = await borrowFiles(deps, { ownerId, workspaceId }, work.graph.value, filled.graph);
  const value = isQuote ? withComingFiles(work, inputs, lent) : lent;
  const outputsAs = inputs["outputs_as"] === "data_uri" ? "data_uri" : "url";
  return { value, exactIntegers: filled.exactIntegers, inputs: filled.inputs, outputsAs };
}

function withComingFiles(work: PreparedWork, inputs: JsonRecord, graph: JsonRecord): JsonRecord {
  const nodes = new Map(Object.entries(graph));
  for (const { node, input, name } of foreignFiles(work.form, inputs)) {
    const before = nodes.get(node);
    if (!isRecord(before) || !isRecord(before["inputs"])) continue;
    const coming = { __type: "core/ASSET", info: { file_path: name } };
    nodes.set(node, { ...before, inputs: { ...before["inputs"], [input]: coming } });
  }
  return Object.fromEntries(nodes);
}
