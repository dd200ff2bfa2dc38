// Operators keep weights, see who needs and who has them, and watch workers fill their folders.
import { AddWeight, ChangeWeight, type Fill, operations, type Weight as WeightOnWire } from "@atelier/contract";
import type { Environments } from "../../capabilities/environments/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import {
  type Fills,
  kindOf,
  type Weight,
  type WeightId,
  type Weights,
  type WorkerFill,
} from "../../capabilities/weights/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { pageBody, QueryReader, refuseCursor } from "../../foundation/http/page-query.ts";
import { parseId, requireId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";

export interface WeightRouteDeps {
  readonly weights: Weights;
  readonly fills: Pick<Fills, "list" | "holdersOf">;
  readonly environments: Pick<Environments, "needing">;
  readonly cursors: Cursors;
}

const purpose = "admin weights";

export function listWeightsRoute(deps: WeightRouteDeps): Route<AdminCaller> {
  const { weights, cursors } = deps;
  return route(operations.listWeights, async ({ query }) => {
    const reader = new QueryReader(query);
    const [limit, cursor] = [reader.readLimit(), reader.readCursor()];
    reader.requireNoProblem();
    const after = cursor === undefined ? null : readAfter(cursors.read(purpose, cursor));
    const found = await weights.list({ after, count: limit + 1 });
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    const next = found.length > limit && last ? cursors.issue(purpose, [last.path, last.id]) : null;
    const uses = await usesOf(deps, shown);
    return freshAnswer(
      200,
      pageBody(
        shown.map((each) => present(each, uses)),
        next,
        limit,
      ),
    );
  });
}

export function addWeightRoute(deps: WeightRouteDeps): Route<AdminCaller> {
  return route(operations.addWeight, async (incoming) => {
    const {
      url = null,
      parts = [],
      licence = null,
      note = null,
      ...rest
    } = requireValid(AddWeight, await incoming.json());
    const made = { ...rest, url, parts, licence, note };
    const { isNew, weight } = await deps.weights.add(made, by(incoming));
    return freshAnswer(isNew ? 201 : 200, present(weight, await usesOf(deps, [weight])));
  });
}

export function getWeightRoute(deps: WeightRouteDeps): Route<AdminCaller> {
  return route(operations.getWeight, async ({ params }) => {
    const weight = await deps.weights.get(readId(params["weightId"]));
    const uses = await usesOf(deps, [weight]);
    return freshAnswer(200, {
      ...present(weight, uses),
      needed_by: uses.needing
        .filter(({ path }) => path === weight.path)
        .map(({ id, name, version }) => ({ environment_id: id, name, version })),
      had_by: uses.holders.map(({ worker_id, name, pool_id }) => ({ worker_id, name, pool_id })),
    });
  });
}

export function changeWeightRoute(deps: WeightRouteDeps): Route<AdminCaller> {
  return route(operations.changeWeight, async (incoming) => {
    const id = readId(incoming.params["weightId"]);
    const { licence, note } = requireValid(ChangeWeight, await incoming.json());
    const to = { ...(licence === undefined ? {} : { licence }), ...(note === undefined ? {} : { note }) };
    const weight = await deps.weights.change(id, to, by(incoming));
    return freshAnswer(200, present(weight, await usesOf(deps, [weight])));
  });
}

export function deleteWeightRoute({ weights }: WeightRouteDeps): Route<AdminCaller> {
  return route(operations.deleteWeight, async (incoming) => {
    await weights.remove(readId(incoming.params["weightId"]), by(incoming));
    return { status: 204 };
  });
}

export function listFillsRoute({ fills }: WeightRouteDeps): Route<AdminCaller> {
  return route(operations.listFills, async () => freshAnswer(200, { data: (await fills.list()).map(presentFill) }));
}

const by = (incoming: Incoming<AdminCaller>) => actingAsAdmin(incoming.caller, incoming.requestId);

function readAfter(parts: readonly string[] | null): readonly [string, string] {
  const [path, id] = parts ?? [];
  if (path === undefined || id === undefined || parseId(id) === null) throw refuseCursor();
  return [path, id];
}

const readId = (text: string | undefined): WeightId => requireId(text, "There is no such weight.");

interface Uses {
  readonly needing: Awaited<ReturnType<Environments["needing"]>>;
  readonly holders: Awaited<ReturnType<Fills["holdersOf"]>>;
}

async function usesOf({ environments, fills }: WeightRouteDeps, shown: readonly Weight[]): Promise<Uses> {
  const hashes = [...new Set(shown.map(({ blake3 }) => blake3))];
  return { needing: await environments.needing(hashes), holders: await fills.holdersOf(hashes) };
}

function present(weight: Weight, { needing, holders }: Uses): WeightOnWire {
  const { id, path, blake3, sha256, bytes, state, problem, url, licence, note } = weight;
  return {
    id,
    path,
    kind: kindOf(path),
    blake3,
    sha256,
    bytes,
    state,
    bytes_received: weight.bytesReceived,
    problem,
    url,
    licence,
    note,
    environments: needing.filter((each) => each.blake3 === blake3 && each.path === path).length,
    workers: holders.filter((each) => each.blake3 === blake3).length,
    created_at: weight.createdAt.toISOString(),
    last_used_at: weight.lastUsedAt?.toISOString() ?? null,
  };
}

function presentFill(fill: WorkerFill): Fill {
  const { name, state, problem, weights, accusations } = fill;
  return {
    worker_id: fill.workerId,
    name,
    pool_id: fill.poolId,
    state,
    bytes_done: fill.bytesDone,
    bytes_total: fill.bytesTotal,
    problem,
    weights,
    is_sharing: fill.isSharing,
    accusations,
    accused_by: fill.accusedBy,
    seen_at: fill.seenAt.toISOString(),
  };
}
