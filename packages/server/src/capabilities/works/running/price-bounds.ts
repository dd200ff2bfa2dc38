// What any run of a work can cost: the sum over its nodes with every input of the form open. Badges and the tools of agents show
// it; estimates and holds are made of the same sum with the inputs that are given.
import type { Clock } from "../../../foundation/clock.ts";
import type { Queryable } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { isRecord, type JsonRecord } from "../../../foundation/json/json-record.ts";
import type { OpenInputs, PriceGraph } from "../../graphs/index.ts";
import { readCallable } from "../publishing/work-descriptions-store.ts";
import type { PreparedWork, PrepareWork } from "./prepared-work.ts";

// In micro-credits.
export interface PriceBounds {
  readonly lowest: bigint;
  readonly highest: bigint;
}

export interface PriceBoundsDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly prepare: PrepareWork;
  readonly price: PriceGraph;
}

// By id, for works that the workspace may call. Very large graphs are left out: a list has many.
export type PriceWorks = (
  workspaceId: WorkspaceId,
  modelIds: readonly string[],
) => Promise<ReadonlyMap<string, PriceBounds>>;

export function createPriceBounds({ database, clock, prepare, price }: PriceBoundsDeps): PriceWorks {
  return async (workspaceId, modelIds) => {
    const bounds = new Map<string, PriceBounds>();
    for (const work of await readCallable(database, { workspaceId, modelIds, at: clock.now() }))
      bounds.set(work.modelId, await boundsOf(price, await prepare(work), workspaceId));
    return bounds;
  };
}

export async function boundsOf(
  price: PriceGraph,
  prepared: PreparedWork,
  workspaceId: WorkspaceId,
): Promise<PriceBounds> {
  const { value } = prepared.graph;
  const nodes = withOpenInputs(prepared, isRecord(value) ? value : {});
  const run = { workspaceId, nodes: Object.keys(nodes), isPaidByKey: false, open: openInputs(prepared) };
  const parts = await price(nodes, run);
  const sum = (of: (part: (typeof parts)[number]) => bigint) => parts.reduce((total, part) => total + of(part), 0n);
  return { lowest: sum(({ lowest }) => lowest), highest: sum(({ highest }) => highest) };
}

// A link to nowhere: its value may be anything, for every node that it reaches.
const anything = ["\u0000", 0];

function withOpenInputs({ form }: PreparedWork, graph: JsonRecord): JsonRecord {
  const nodes = new Map(Object.entries(graph));
  for (const { node, input } of form.inputs) {
    const before = nodes.get(node);
    if (isRecord(before) && isRecord(before["inputs"]))
      nodes.set(node, { ...before, inputs: { ...before["inputs"], [input]: anything } });
  }
  return Object.fromEntries(nodes);
}

function openInputs({ form }: PreparedWork): OpenInputs {
  const open = new Map<string, Map<string, { readonly min?: number | bigint; readonly max?: number | bigint }>>();
  for (const { node, input, minimum, maximum } of form.inputs) {
    const ofNode =
      open.get(node) ?? new Map<string, { readonly min?: number | bigint; readonly max?: number | bigint }>();
    ofNode.set(input, {
      ...(minimum === undefined ? {} : { min: minimum }),
      ...(maximum === undefined ? {} : { max: maximum }),
    });
    open.set(node, ofNode);
  }
  return open;
}
