// Files that a graph names and the workspace does not have, at inputs that callers must give: each call replaces the name, so a
// missing file is no reason to refuse the work. Only a run with the defaults is impossible.
import { Fault } from "../../../foundation/fault.ts";
import type { JsonDocument } from "../../../foundation/json/json-bytes.ts";
import { isRecord, type JsonRecord, memberOf } from "../../../foundation/json/json-record.ts";
import { isFileInput } from "../form/form-values.ts";
import { type FormTarget, targetsOf, type WorkForm } from "../form/work-form.ts";
import type { PublishingPorts } from "./publishing-ports.ts";

type Resolved = Awaited<ReturnType<PublishingPorts["resolveFiles"]>>;

// As `resolveFiles`, except that references to files that are gone become their names where callers must give a file.
export async function resolveFiles(
  { resolveFiles: resolve }: Pick<PublishingPorts, "resolveFiles">,
  workspaceId: Parameters<PublishingPorts["resolveFiles"]>[0],
  graph: JsonDocument,
  form: WorkForm,
): Promise<Resolved> {
  try {
    return await resolve(workspaceId, graph);
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "missing_asset") throw thrown;
    const missing = isRecord(thrown.details) ? thrown.details["missing_ids"] : undefined;
    const gone = new Set<unknown>(Array.isArray(missing) ? missing : []);
    const named = withValues(graph, form, (value) => {
      const info = isRecord(value) && value["__type"] === "core/ASSET" ? value["info"] : undefined;
      const path = isRecord(info) ? memberOf(info, "file_path") : undefined;
      if (!isRecord(info) || !gone.has(memberOf(info, "id"))) return value;
      return typeof path === "string" && path !== "" ? path : "missing";
    });
    if (named === null) throw thrown;
    return resolve(workspaceId, { ...graph, value: named });
  }
}

// The graph with references to files that will come, in place of names without an upload. Null if there are none.
export function withComingFiles(graph: JsonDocument, form: WorkForm): JsonRecord | null {
  return withValues(graph, form, (value) =>
    typeof value === "string" ? { __type: "core/ASSET", info: { file_path: value } } : value,
  );
}

// Null if nothing changes.
function withValues(
  { value: graph }: JsonDocument,
  form: WorkForm,
  change: (value: unknown) => unknown,
): JsonRecord | null {
  const required = form.inputs.filter((input) => input.required === true && isFileInput(input));
  const nodes = new Map(Object.entries(isRecord(graph) ? graph : {}));
  let isChanged = false;
  for (const { node, input } of required.flatMap((each): readonly FormTarget[] => targetsOf(each))) {
    const before = nodes.get(node);
    const inputs = isRecord(before) ? memberOf(before, "inputs") : undefined;
    if (!isRecord(before) || !isRecord(inputs)) continue;
    const value = memberOf(inputs, input);
    const changed = change(value);
    if (changed === value) continue;
    isChanged = true;
    nodes.set(node, { ...before, inputs: { ...inputs, [input]: changed } });
  }
  return isChanged ? Object.fromEntries(nodes) : null;
}
