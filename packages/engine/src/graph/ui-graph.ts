// An editor's export, read without belief: nodes with slots and widget values, and links in either of the two shapes that
// editors write (a list of six, or an object).
import { isRecord } from "./graph.ts";

interface UiInput {
  readonly name: string;
  readonly type: string;
  readonly link: string | null;
}

export interface UiNode {
  readonly id: string;
  readonly type: string;
  readonly title: string | null;
  readonly isMuted: boolean;
  readonly isBypassed: boolean;
  readonly inputs: readonly UiInput[];
  readonly outputTypes: readonly string[];
  readonly widgets: readonly unknown[] | Readonly<Record<string, unknown>>;
}

interface UiLink {
  readonly source: string;
  readonly slot: number;
}

export interface UiGraph {
  readonly nodes: ReadonlyMap<string, UiNode>;
  readonly links: ReadonlyMap<string, UiLink>;
}

const muted = 2;
const bypassed = 4;

// An editor's export: `nodes` is a list and there are `links`.
export function isUiGraph(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["nodes"]) && "links" in value;
}

export function readUiGraph(value: unknown): UiGraph {
  const nodes = new Map<string, UiNode>();
  const links = new Map<string, UiLink>();
  if (!isRecord(value)) return { nodes, links };
  for (const raw of listOf(value["nodes"])) {
    const node = readNode(raw);
    if (node) nodes.set(node.id, node);
  }
  for (const raw of listOf(value["links"])) readLink(raw, links);
  return { nodes, links };
}

function readNode(raw: unknown): UiNode | null {
  if (!isRecord(raw)) return null;
  const id = idOf(raw["id"]);
  const type = raw["type"];
  if (id === null || typeof type !== "string") return null;
  const widgets = raw["widgets_values"];
  return {
    id,
    type,
    title: typeof raw["title"] === "string" ? raw["title"] : null,
    isMuted: raw["mode"] === muted,
    isBypassed: raw["mode"] === bypassed,
    inputs: listOf(raw["inputs"]).map(readInput),
    outputTypes: listOf(raw["outputs"]).map((output) => typeOf(output)),
    widgets: Array.isArray(widgets) || isRecord(widgets) ? widgets : [],
  };
}

function readInput(raw: unknown): UiInput {
  if (!isRecord(raw)) return { name: "", type: "*", link: null };
  const name = raw["name"];
  return { name: typeof name === "string" ? name : "", type: typeOf(raw), link: idOf(raw["link"]) };
}

function readLink(raw: unknown, links: Map<string, UiLink>): void {
  const [id, source, slot] = Array.isArray(raw)
    ? raw
    : isRecord(raw)
      ? [raw["id"], raw["origin_id"], raw["origin_slot"]]
      : [];
  const [linkId, sourceId] = [idOf(id), idOf(source)];
  if (linkId !== null && sourceId !== null && typeof slot === "number") links.set(linkId, { source: sourceId, slot });
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function idOf(value: unknown): string | null {
  return typeof value === "number" || (typeof value === "string" && value !== "") ? String(value) : null;
}

function typeOf(slot: unknown): string {
  const type = isRecord(slot) ? slot["type"] : undefined;
  return typeof type === "string" ? type : "*";
}
