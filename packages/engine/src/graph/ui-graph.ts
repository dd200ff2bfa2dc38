// Parses an editor's export without trusting it: nodes with slots and widget values, links in either of the two shapes that
// editors write (a list of six, or an object), and the subgraphs that the file defines.
import { isRecord } from "./graph.ts";

export interface UiSlot {
  readonly name: string;
  readonly type: string;
  readonly link: string | null;
}

// What an instance of a subgraph shows of an inner node: [inner node, its widget, the node further inside that it means].
export type PromotedWidget = readonly [nodeId: string, widget: string, within?: string];

export interface UiNode {
  readonly id: string;
  readonly type: string;
  readonly title: string | null;
  readonly isMuted: boolean;
  readonly isBypassed: boolean;
  readonly inputs: readonly UiSlot[];
  readonly outputTypes: readonly string[];
  readonly widgets: readonly unknown[] | Readonly<Record<string, unknown>>;
  readonly promoted: readonly PromotedWidget[];
  // Values for an instance's inputs that an editor could not put in order, by name.
  readonly setAside: ReadonlyMap<string, unknown>;
}

export interface UiLink {
  readonly id: string;
  readonly source: string;
  readonly slot: number;
  readonly target: string;
  readonly targetSlot: number;
}

// The graph itself, or the inside of a subgraph.
export interface UiLevel {
  readonly nodes: ReadonlyMap<string, UiNode>;
  readonly links: ReadonlyMap<string, UiLink>;
}

export interface UiPort {
  readonly name: string;
  readonly type: string;
  readonly linkIds: readonly string[];
}

export interface UiDefinition extends UiLevel {
  readonly id: string;
  readonly name: string;
  readonly inputs: readonly UiPort[];
  readonly outputs: readonly UiPort[];
}

export interface UiGraph extends UiLevel {
  readonly definitions: ReadonlyMap<string, UiDefinition>;
  // Sentences, each with its node id.
  readonly problems: readonly string[];
}

// The caller may pause after each step; steps do not measure how long they take.
export type Steps<Result> = Generator<undefined, Result, undefined>;
export const stepItems = 500;

// The input end of a subgraph, as inner links name it.
export const inputEnd = "-10";

const muted = 2;
const bypassed = 4;
const problemsMax = 1_000;
const definitionDepthMax = 16;

// An editor's export: `nodes` is a list, which no API graph has.
export function isUiGraph(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value["nodes"]);
}

// Yields now and then, for a caller that must not block for long.
export function* readUiGraph(value: unknown): Steps<UiGraph> {
  const problems: string[] = [];
  if (!isRecord(value)) return { nodes: new Map(), links: new Map(), definitions: new Map(), problems };
  const raw = listDefinitions(value, 0);
  yield;
  const renamed = renamedIds(value, raw);
  yield;
  const definitions = new Map<string, UiDefinition>();
  for (const each of raw) {
    const id = each["id"];
    if (typeof id === "string") definitions.set(id, yield* readDefinition(each, id, renamed, problems));
  }
  return { ...(yield* readLevel(value, new Map(), renamed, problems)), definitions, problems };
}

type JsonRecord = Readonly<Record<string, unknown>>;
// Subgraph → id in the file → unique id.
type Renamed = ReadonlyMap<string, ReadonlyMap<string, string>>;

function listDefinitions(value: JsonRecord, depth: number): JsonRecord[] {
  const definitions = value["definitions"];
  if (!isRecord(definitions) || depth > definitionDepthMax) return [];
  const own = listOf(definitions["subgraphs"]).filter(isRecord);
  return [...own, ...own.flatMap((each) => listDefinitions(each, depth + 1))];
}

// Inner ids are unique over all levels, because the editor stores values by them: a taken id becomes the next free number, in
// file order.
function renamedIds(value: JsonRecord, definitions: readonly JsonRecord[]): Renamed {
  const renamed = new Map<string, Map<string, string>>();
  const taken = new Set<string>();
  for (const node of listOf(value["nodes"])) {
    const id = isRecord(node) ? node["id"] : undefined;
    if (typeof id === "number") taken.add(String(id));
  }
  let last = lastNumber(value);
  for (const definition of definitions) {
    const own = new Map<string, string>();
    for (const node of listOf(definition["nodes"])) {
      const id = isRecord(node) ? idOf(node["id"]) : null;
      if (id === null) continue;
      if (taken.has(id)) {
        do last += 1;
        while (taken.has(String(last)));
        own.set(id, String(last));
        taken.add(String(last));
      } else {
        taken.add(id);
        const number = Number(id);
        if (Number.isSafeInteger(number) && number > last) last = number;
      }
    }
    if (own.size > 0 && typeof definition["id"] === "string") renamed.set(definition["id"], own);
  }
  return renamed;
}

function lastNumber(value: JsonRecord): number {
  const state = value["state"];
  const known = [value["last_node_id"], isRecord(state) ? state["lastNodeId"] : undefined];
  return Math.max(0, ...known.filter((each): each is number => typeof each === "number" && Number.isSafeInteger(each)));
}

function* readDefinition(raw: JsonRecord, id: string, renamed: Renamed, problems: string[]): Steps<UiDefinition> {
  return {
    id,
    name: typeof raw["name"] === "string" ? raw["name"] : id,
    inputs: listOf(raw["inputs"]).map(readPort),
    outputs: listOf(raw["outputs"]).map(readPort),
    ...(yield* readLevel(raw, renamed.get(id) ?? new Map(), renamed, problems)),
  };
}

function readPort(raw: unknown): UiPort {
  if (!isRecord(raw)) return { name: "", type: "*", linkIds: [] };
  const name = raw["name"];
  const linkIds = listOf(raw["linkIds"]).flatMap((each) => idOf(each) ?? []);
  return { name: typeof name === "string" ? name : "", type: typeOf(raw), linkIds };
}

function* readLevel(
  raw: JsonRecord,
  ids: ReadonlyMap<string, string>,
  renamed: Renamed,
  problems: string[],
): Steps<UiLevel> {
  const nodes = new Map<string, UiNode>();
  const links = new Map<string, UiLink>();
  for (const [at, each] of listOf(raw["nodes"]).entries()) {
    if (at % stepItems === 0) yield;
    const node = readNode(each, ids, renamed);
    if (node === null) continue;
    if (nodes.has(node.id) && problems.length < problemsMax) problems.push(`Two nodes have the same id, ${node.id}.`);
    nodes.set(node.id, node);
  }
  for (const [at, each] of listOf(raw["links"]).entries()) {
    if (at % stepItems === 0) yield;
    readLink(each, ids, links);
  }
  return { nodes, links };
}

function readNode(raw: unknown, ids: ReadonlyMap<string, string>, renamed: Renamed): UiNode | null {
  if (!isRecord(raw)) return null;
  const id = idOf(raw["id"]);
  const type = raw["type"];
  if (id === null || typeof type !== "string") return null;
  const widgets = raw["widgets_values"];
  const named = raw["widgets_values_named"];
  const properties = isRecord(raw["properties"]) ? raw["properties"] : {};
  return {
    id: ids.get(id) ?? id,
    type,
    title: typeof raw["title"] === "string" && raw["title"] !== "" ? raw["title"] : null,
    isMuted: raw["mode"] === muted,
    isBypassed: raw["mode"] === bypassed,
    inputs: listOf(raw["inputs"]).map(readInput),
    outputTypes: listOf(raw["outputs"]).map((output) => typeOf(output)),
    widgets: Array.isArray(widgets) || isRecord(widgets) ? widgets : isRecord(named) ? named : [],
    promoted: readPromoted(properties["proxyWidgets"], renamed.get(type)),
    setAside: readSetAside(properties["proxyWidgetErrorQuarantine"]),
  };
}

function readInput(raw: unknown): UiSlot {
  if (!isRecord(raw)) return { name: "", type: "*", link: null };
  const name = raw["name"];
  return { name: typeof name === "string" ? name : "", type: typeOf(raw), link: idOf(raw["link"]) };
}

function readPromoted(value: unknown, ids: ReadonlyMap<string, string> | undefined): PromotedWidget[] {
  return listOf(parsed(value)).flatMap((each) => {
    const [nodeId, widget, within]: readonly unknown[] = Array.isArray(each) ? each : [];
    if (typeof nodeId !== "string" || typeof widget !== "string") return [];
    const id = ids?.get(nodeId) ?? nodeId;
    return [typeof within === "string" ? ([id, widget, within] as const) : ([id, widget] as const)];
  });
}

function readSetAside(value: unknown): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  for (const each of listOf(parsed(value))) {
    const [nodeId, name]: readonly unknown[] =
      isRecord(each) && Array.isArray(each["originalEntry"]) ? each["originalEntry"] : [];
    const given = isRecord(each) ? (each["hostValue"] ?? undefined) : undefined;
    if (nodeId === "-1" && typeof name === "string" && given !== undefined && !found.has(name)) found.set(name, given);
  }
  return found;
}

// Some files store a property as text.
function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function readLink(raw: unknown, ids: ReadonlyMap<string, string>, links: Map<string, UiLink>): void {
  const members: readonly unknown[] = Array.isArray(raw)
    ? raw
    : isRecord(raw)
      ? [raw["id"], raw["origin_id"], raw["origin_slot"], raw["target_id"], raw["target_slot"]]
      : [];
  const [id, source, target] = [idOf(members[0]), idOf(members[1]), idOf(members[3])];
  const slot = slotOf(members[2]);
  if (id === null || source === null || slot === null) return;
  links.set(id, {
    id,
    source: ids.get(source) ?? source,
    slot,
    target: target === null ? "" : (ids.get(target) ?? target),
    targetSlot: slotOf(members[4]) ?? -1,
  });
}

function slotOf(value: unknown): number | null {
  const slot = typeof value === "string" ? Number.parseInt(value, 10) : value;
  return typeof slot === "number" && Number.isSafeInteger(slot) && slot >= 0 ? slot : null;
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
