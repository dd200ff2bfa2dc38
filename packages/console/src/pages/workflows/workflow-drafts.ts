// An open workflow with its changes, stored as a draft. The address names it, so that a reload, a second tab and the back button
// find it. If the browser refuses to store it, it lasts as long as the tab.
import { type Owner, openDrafts } from "../../api/drafts.ts";
import { type Graph, isEditorGraph, linkIn, readApiGraph } from "../../api/graphs.ts";
import { isRecord } from "../../api/json-record.ts";
import type { Draft } from "../../ui/workflow-form/draft.ts";
import { type BatchSettings, seedPolicies } from "./batch/batch-plan.ts";
import type { Opened, Sketch } from "./open-workflow.ts";

export interface Changes {
  readonly edits: Draft;
  readonly labels: string;
  // The last job that ran from here: its outputs are shown on the nodes.
  readonly ran?: string | undefined;
  // Its batch, as it was last set up.
  readonly batch?: BatchSettings | undefined;
}

export interface WorkflowDraft extends Changes {
  readonly opened: Opened;
}

export interface ListedDraft {
  readonly id: string;
  readonly at: number;
  readonly name: string;
  readonly changed: number;
}

const prefix = "workflow.";
const changesPrefix = "changes.";

// For this tab only: what storage does not accept.
let inTab: { readonly key: string; readonly draft: WorkflowDraft } | null = null;

// Whether a reload finds it.
export function keepWorkflow(owner: Owner, id: string, draft: WorkflowDraft): boolean {
  inTab = { key: `${owner} ${id}`, draft };
  const isKept = openDrafts(owner).write(prefix + id, written(draft));
  if (!isKept) openDrafts(owner).remove(prefix + id);
  return isKept;
}

export function keptWorkflow(owner: Owner, id: string): WorkflowDraft | null {
  if (inTab?.key === `${owner} ${id}`) return inTab.draft;
  return readWritten(openDrafts(owner).read(prefix + id)?.value);
}

export function discardWorkflow(owner: Owner, id: string): void {
  if (inTab?.key === `${owner} ${id}`) inTab = null;
  openDrafts(owner).remove(prefix + id);
}

export function listWorkflows(owner: Owner): readonly ListedDraft[] {
  return openDrafts(owner)
    .list(prefix)
    .flatMap(({ name, at, value }) => {
      const draft = readWritten(value);
      if (draft === null) return [];
      return [{ id: name.slice(prefix.length), at, name: draft.opened.name, changed: draft.edits.size }];
    });
}

// Changes to a graph that is stored elsewhere: a job's or an example's.
export function keepChanges(owner: Owner, source: string, { edits, labels, ...rest }: Changes): boolean {
  return openDrafts(owner).write(changesPrefix + source, { edits: publicEdits(edits), labels, ...restOf(rest) });
}

export function keptChanges(owner: Owner, source: string): Changes | null {
  return changesIn(openDrafts(owner).read(changesPrefix + source)?.value);
}

// As plain values: maps as lists, without anything that looks secret.
export function written({ opened, edits, labels, ran, batch }: WorkflowDraft): unknown {
  const { positions, graph, source, ...rest } = opened;
  // The document is stored only if nothing had to be left out of it.
  const whole = source !== undefined && !hasSecrets(graph) ? { source } : {};
  return {
    opened: { ...rest, ...whole, graph: withoutSecrets(graph), positions: positions === null ? null : [...positions] },
    edits: publicEdits(edits),
    labels,
    ...restOf({ ran, batch }),
  };
}

const restOf = ({ ran, batch }: Pick<Changes, "ran" | "batch">) => ({
  ...(ran === undefined ? {} : { ran }),
  ...(batch === undefined ? {} : { batch }),
});

export function readWritten(value: unknown): WorkflowDraft | null {
  const changes = changesIn(value);
  const opened = isRecord(value) && isRecord(value["opened"]) ? value["opened"] : {};
  const graph = readApiGraph(opened["graph"]);
  const { name, said, positions, sketch, source } = opened;
  if (changes === null || graph === null || typeof name !== "string" || typeof said !== "string") return null;
  const read = Array.isArray(positions) ? new Map(positions as [string, { x: number; y: number }][]) : null;
  const drawn = isRecord(sketch) && isEditorGraph(sketch["editor"]) ? { sketch: sketch as unknown as Sketch } : {};
  const whole = typeof source === "string" ? { source } : {};
  return { ...changes, opened: { name, said, graph, positions: read, ...whole, ...drawn } };
}

function changesIn(value: unknown): Changes | null {
  if (!isRecord(value) || !Array.isArray(value["edits"])) return null;
  const edits = (value["edits"] as unknown[]).flatMap((pair): readonly [string, string][] => {
    const [key, text]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    return typeof key === "string" && typeof text === "string" ? [[key, text]] : [];
  });
  const { labels, ran, batch } = value;
  return {
    edits: new Map(edits),
    labels: typeof labels === "string" ? labels : "",
    ...restOf({ ran: typeof ran === "string" ? ran : undefined, batch: batchIn(batch) }),
  };
}

function batchIn(value: unknown): BatchSettings | undefined {
  if (!isRecord(value) || typeof value["rounds"] !== "string" || !Array.isArray(value["sweeps"])) return undefined;
  const seeds = seedPolicies.find((policy) => policy === value["seeds"]);
  const sweeps = (value["sweeps"] as unknown[]).flatMap((sweep) => {
    const { key, text } = isRecord(sweep) ? sweep : {};
    return typeof key === "string" && typeof text === "string" ? [{ key, text }] : [];
  });
  return seeds === undefined ? undefined : { rounds: value["rounds"], seeds, sweeps };
}

const secretInput = /(^|_)(secret|password|passwd|api_?key|auth_?token|access_?token|credentials?|authorization)$/i;

const publicEdits = (edits: Draft): readonly (readonly [string, string])[] =>
  [...edits].filter(([key]) => !secretInput.test(key.split("\n")[1] ?? ""));

const hasSecrets = (graph: Graph): boolean =>
  Object.values(graph).some(({ inputs }) =>
    Object.entries(inputs).some(([name, value]) => secretInput.test(name) && linkIn(value) === null && value !== ""),
  );

// The inputs stay, empty, so that the form asks for them again.
function withoutSecrets(graph: Graph): Graph {
  return Object.fromEntries(
    Object.entries(graph).map(([id, node]) => [
      id,
      {
        ...node,
        inputs: Object.fromEntries(
          Object.entries(node.inputs).map(([name, value]) => [
            name,
            secretInput.test(name) && linkIn(value) === null ? "" : value,
          ]),
        ),
      },
    ]),
  );
}

// The job's default label: the file name without its extension.
export function labelOf(fileName: string): string {
  return fileName
    .replace(/\.[A-Za-z\d]{1,5}$/, "")
    .slice(0, 100)
    .trim();
}
