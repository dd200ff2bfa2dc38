// Reads versions back: a document in the format asked for, and what changed between two of them.
import { type WorkflowDiff, workflowChangesMax } from "@atelier/contract";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault, orNotFound } from "../../foundation/fault.ts";
import type { JsonDocument } from "../../foundation/json/json-bytes.ts";
import { type JsonReader, nextTurn } from "../../foundation/json/large-json.ts";
import { convertExactly, type Graphs, graphText } from "../graphs/index.ts";
import { diffOutlines, type OutlineChange } from "./diff-outlines.ts";
import { parseDocument } from "./read-document.ts";
import type { DocumentFormat, WorkflowDocument, WorkflowLocator } from "./saved-workflow.ts";
import { outlineWorkflow, type WorkflowOutline } from "./workflow-outline.ts";
import { findDocument, findWorkflow } from "./workflow-read-store.ts";

export interface ReadVersionDeps {
  readonly database: Database;
  readonly json: Pick<JsonReader, "read">;
  readonly graphs: Pick<Graphs, "convert" | "ready">;
}

// `version` null is the latest, `format` null as it was saved.
export async function readVersion(
  deps: ReadVersionDeps,
  locator: WorkflowLocator,
  version: number | null,
  format: DocumentFormat | null,
): Promise<WorkflowDocument> {
  const wanted = version ?? requireFound(await findWorkflow(deps.database, locator)).version;
  const stored = await requireDocument(deps.database, locator, wanted);
  if (format === null || format === stored.format) return stored;
  if (format === "editor")
    throw new Fault("validation_failed", "This version was saved in API format, which has no layout for an editor.");
  const { value, exactIntegers } = await parseDocument(deps, stored.document, locator.workspaceId);
  const converted = await convertExactly(
    deps.graphs,
    { value: { workflow: value }, exactIntegers: within(exactIntegers) },
    nextTurn,
  );
  if (!converted.ok)
    throw new Fault(
      "validation_failed",
      "This server cannot convert the workflow: it does not know all its node classes.",
      {
        details: { unknown_classes: converted.unknownClasses, problems: converted.problems },
      },
    );
  return { ...stored, format: "api", document: graphText(converted.graph, converted.exactIntegers) };
}

export async function diffVersions(
  deps: ReadVersionDeps,
  locator: WorkflowLocator,
  versions: { readonly from: number | null; readonly to: number | null },
): Promise<WorkflowDiff> {
  const to = versions.to ?? requireFound(await findWorkflow(deps.database, locator)).version;
  const from = versions.from ?? Math.max(1, to - 1);
  const [before, after] = [
    await requireDocument(deps.database, locator, from),
    await requireDocument(deps.database, locator, to),
  ];
  const changes = diffOutlines(await outlineFor(deps, locator, before), await outlineFor(deps, locator, after));
  return {
    from,
    to,
    changes: changes.slice(0, workflowChangesMax).map(presentChange),
    is_complete: changes.length <= workflowChangesMax,
    is_same: changes.length === 0,
  };
}

// Inputs have their real names if the document can be converted, and positions otherwise.
async function outlineFor(
  deps: ReadVersionDeps,
  { workspaceId }: WorkflowLocator,
  { document, format }: WorkflowDocument,
): Promise<WorkflowOutline> {
  const read = await parseDocument(deps, document, workspaceId);
  const outline = outlineWorkflow(read, format === "editor");
  if (format === "api") return outline;
  const { value, exactIntegers } = read;
  const converted = await convertExactly(
    deps.graphs,
    { value: { workflow: value }, exactIntegers: within(exactIntegers) },
    nextTurn,
  );
  if (!converted.ok) return outline;
  const named = outlineWorkflow({ value: converted.graph, exactIntegers: converted.exactIntegers }, false);
  const titled = [...named.values()].map(({ id, classType, title, inputs }) => ({
    id,
    classType,
    title: outline.get(id)?.title ?? title,
    inputs,
  }));
  return new Map(titled.map((node) => [node.id, node]));
}

const within = (exact: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...exact].map(([pointer, digits]) => [`/workflow${pointer}`, digits]));

// How two graphs in API format differ.
export function diffGraphs(before: JsonDocument, after: JsonDocument): WorkflowDiff["changes"] {
  return diffOutlines(outlineWorkflow(before, false), outlineWorkflow(after, false)).map(presentChange);
}

function presentChange({ kind, node, input, before, after, words }: OutlineChange): WorkflowDiff["changes"][number] {
  return { kind, node_id: node.id, class_type: node.classType, title: node.title, input, before, after, words };
}

export async function requireDocument(
  db: Queryable,
  locator: WorkflowLocator,
  version: number,
): Promise<WorkflowDocument> {
  return requireFound(await findDocument(db, locator, version));
}

export const requireFound = <Found>(found: Found | null): Found =>
  orNotFound(found, "There is no such workflow or version in this workspace.");
