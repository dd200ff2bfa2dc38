// The state of an attempt's nodes as one short text. It is sent twice a second, stored as is, and parsed only when a caller
// asks for this job. A graph may have ten thousand nodes, so a picture holds at most 500 of them and 32 KiB; the counts per
// state are always exact. The text may come from an untrusted worker.
import { limits, type NodeState, nodeStates } from "@atelier/contract";
import { jsonOrUndefined } from "../../../foundation/json/foreign-json.ts";

export interface NodeEntry {
  readonly nodeId: string;
  readonly classType: string;
  readonly title: string | null;
  readonly state: NodeState;
  // 0..1.
  readonly share: number;
  // Milliseconds since the worker began to report. Null if the node did not run, or the worker is too old to report it.
  readonly beganMs: number | null;
  readonly ms: number | null;
}

export type NodeCounts = Readonly<Record<NodeState, number>>;

// Time spent per class. A class without a name stands for all that did not fit.
export interface ClassTime {
  readonly classType: string;
  readonly ran: number;
  readonly ms: number;
  readonly cached: number;
}

export interface NodePicture {
  readonly attempt: number;
  // Rises within the attempt.
  readonly sequence: number;
  readonly counts: NodeCounts;
  readonly classes: readonly ClassTime[];
  readonly nodes: readonly NodeEntry[];
}

const format = 1;
const bytesMax = 32 * 1024;
// Extra room for classes that ran but have no listed node.
const classBytesMax = 8 * 1024;
const titleCharactersMax = 100;
const nameCharactersMax = 255;
const classesMax = 1_000;
const countMax = 1_000_000;
const textCharactersMax = 65_536;

type Cell = string | number;

// Nodes come in order of importance: in a large graph the last ones do not fit.
export function encodeNodes(picture: NodePicture): string {
  const { attempt, sequence, counts } = picture;
  const classes = new ClassTable(picture.classes);
  const nodes: Cell[][] = [];
  let bytes = 0;
  for (const entry of picture.nodes) {
    if (nodes.length >= limits.jobNodesShownMax) break;
    if (!isName(entry.nodeId)) continue;
    const cells = cellsOf(entry, classes.indexOf(entry.classType));
    bytes += bytesOf(entry.nodeId) + bytesOf(cells[2]) + 32;
    if (bytes + classes.bytes > bytesMax) break;
    nodes.push(cells);
  }
  const states = nodeStates.map((state) => counts[state]);
  return JSON.stringify([format, attempt, sequence, states, classes.rows(), nodes]);
}

class ClassTable {
  readonly #times: ReadonlyMap<string, ClassTime>;
  readonly #indexes = new Map<string, number>();
  bytes = 0;

  constructor(times: readonly ClassTime[]) {
    this.#times = new Map(times.map((time) => [time.classType, time]));
  }

  indexOf(classType: string): number {
    const known = this.#indexes.get(classType);
    if (known !== undefined) return known;
    this.#indexes.set(classType, this.#indexes.size);
    this.bytes += bytesOf(classType) + 16;
    return this.#indexes.size - 1;
  }

  rows(): Cell[][] {
    const before = this.bytes;
    let rest: ClassTime = { classType: "", ran: 0, ms: 0, cached: 0 };
    for (const time of this.#times.values()) {
      if (this.#indexes.has(time.classType) || time.ran + time.cached === 0) continue;
      if (this.bytes - before < classBytesMax) this.indexOf(time.classType);
      else rest = { ...rest, ran: rest.ran + time.ran, ms: rest.ms + time.ms, cached: rest.cached + time.cached };
    }
    const rows = [...this.#indexes.keys()].map((name) =>
      rowOf(this.#times.get(name) ?? { ...nothing, classType: name }),
    );
    return rest.ran + rest.cached === 0 ? rows : [...rows, rowOf(rest)];
  }
}

const nothing = { classType: "", ran: 0, ms: 0, cached: 0 };
const rowOf = ({ classType, ran, ms, cached }: ClassTime): Cell[] => [
  fit(classType, nameCharactersMax),
  ran,
  ms,
  cached,
];

// Trailing cells with default values are omitted.
function cellsOf({ nodeId, title, state, share, beganMs, ms }: NodeEntry, classIndex: number): Cell[] {
  const cells: Cell[] = [
    nodeId,
    classIndex,
    title === null ? 0 : fit(title.slice(0, titleCharactersMax).replace(/\p{Cc}/gu, " "), titleCharactersMax),
    nodeStates.indexOf(state),
    ms ?? -1,
    // Workers before 0.2.0 wrote the cost of the node's calls here.
    "",
    state === "running" || state === "failed" ? Math.round(share * 1000) / 1000 : 0,
    beganMs ?? -1,
  ];
  while (cells.length > 2 && emptyAt(cells.length - 1) === cells.at(-1)) cells.pop();
  return cells;
}

const emptyCells: readonly Cell[] = ["", 0, 0, 0, -1, "", 0, -1];
const emptyAt = (at: number): Cell => emptyCells[at] ?? 0;

// Length as JSON.
function bytesOf(text: Cell | undefined): number {
  if (typeof text !== "string") return 1;
  return isPlain.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

const isPlain = /^[ !#-[\]-~]*$/;

// The database accepts neither lone surrogates nor NUL.
const fit = (text: string, most: number) => text.slice(0, most).toWellFormed().replaceAll("\0", "");

// Null if the text is not a picture.
export function decodeNodes(text: string): NodePicture | null {
  if (text.length > textCharactersMax) return null;
  const value = jsonOrUndefined(text);
  if (!Array.isArray(value) || value.length !== 6 || value[0] !== format) return null;
  const [, attempt, sequence, states, classRows, nodeRows]: readonly unknown[] = value;
  if (!isCount(attempt) || !isWhole(sequence) || !isRows(classRows, classesMax)) return null;
  const counts = countsOf(states);
  const classes = classRows.map(classOf);
  if (counts === null || !isRows(nodeRows, limits.jobNodesShownMax) || !areAll(classes)) return null;
  const nodes = nodeRows.map((row) => entryOf(row, classes));
  return areAll(nodes) ? { attempt, sequence, counts, classes, nodes } : null;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isCount = (value: unknown): value is number => isWhole(value) && value <= countMax;
const isRows = (value: unknown, most: number): value is unknown[] => Array.isArray(value) && value.length <= most;
const areAll = <T>(values: readonly (T | null)[]): values is readonly T[] => values.every((value) => value !== null);
const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length <= nameCharactersMax && fit(value, nameCharactersMax) === value;

function countsOf(states: unknown): NodeCounts | null {
  if (!Array.isArray(states) || states.length !== nodeStates.length) return null;
  const [waiting, running, cached, done, failed]: readonly unknown[] = states;
  if (!isCount(waiting) || !isCount(running) || !isCount(cached) || !isCount(done) || !isCount(failed)) return null;
  return { waiting, running, cached, done, failed };
}

function classOf(row: unknown): ClassTime | null {
  if (!Array.isArray(row)) return null;
  const [classType, ran, ms, cached]: readonly unknown[] = row;
  return isName(classType) && isCount(ran) && isWhole(ms) && isCount(cached) ? { classType, ran, ms, cached } : null;
}

function entryOf(row: unknown, classes: readonly ClassTime[]): NodeEntry | null {
  if (!Array.isArray(row)) return null;
  const [
    nodeId,
    classIndex,
    title = 0,
    stateIndex = 0,
    ms = -1,
    _cost = "",
    share = 0,
    began = -1,
  ]: readonly unknown[] = row;
  const classType = typeof classIndex === "number" ? classes[classIndex]?.classType : undefined;
  const state = typeof stateIndex === "number" ? nodeStates[stateIndex] : undefined;
  if (!isName(nodeId) || classType === undefined || state === undefined) return null;
  if (!(title === 0 || isName(title)) || !(ms === -1 || isWhole(ms))) return null;
  if (!(began === -1 || isWhole(began))) return null;
  if (typeof share !== "number") return null;
  return {
    nodeId,
    classType,
    title: title === 0 ? null : title,
    state,
    share: state === "done" || state === "cached" ? 1 : Math.min(1, Math.max(0, share)),
    beganMs: began === -1 ? null : began,
    ms: ms === -1 ? null : ms,
  };
}

// Whether `one` is older than `other`, two pictures of the same job. Null, or text that is not a picture, is older than any.
export function isOlderPicture(one: string | null, other: string | null): boolean {
  if (one === other || other === null) return false;
  if (one === null) return true;
  const [a, b] = [readPosition(one), readPosition(other)];
  return a.attempt < b.attempt || (a.attempt === b.attempt && a.sequence < b.sequence);
}

// Does not parse the whole text.
function readPosition(text: string): { readonly attempt: number; readonly sequence: number } {
  const found = /^\[\d+,(\d{1,9}),(\d{1,15}),/.exec(text);
  return { attempt: Number(found?.[1] ?? -1), sequence: Number(found?.[2] ?? -1) };
}
