// One page of the catalog, sorted bytewise by id. The cursor is a signed position: it stays valid when models come and go, and
// a cursor that we did not issue is refused, never restarted (Spec, Router rules 1 and 2).
import type { CatalogPage } from "@atelier/contract";
import {
  type Catalog,
  type CatalogModel,
  entryOf,
  type ListedWork,
  presentEntry,
} from "../../capabilities/model-calls/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { singleParameter } from "../../foundation/http/query.ts";

const defaultLimit = 20;
const limitMax = 100;
const purpose = "listModels";
// A page with a cursor stays byte-identical for this long, so that its ETag can be computed from its bytes. It must change long
// before its cursor expires: a client that revalidates keeps the old page and continues with its cursor.
const cursorStepSeconds = 3600;

export interface ListModels {
  readonly limit: number;
  readonly after: string | null;
}

export function readListModels(query: URLSearchParams, cursors: Cursors): ListModels {
  return { limit: readLimit(query), after: readCursor(query, cursors) };
}

// `works`: those behind `after`, one more than the limit.
export function listModels(
  catalog: Catalog,
  { limit, after }: ListModels,
  cursors: Cursors,
  works: readonly ListedWork[] = [],
): CatalogPage {
  const start = after === null ? 0 : firstAfter(catalog.models, after);
  const models = catalog.models.slice(start, start + limit + 1).map(presentEntry);
  const found = [...models, ...works.map(({ id }) => entryOf(id, "unknown"))].sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const hasMore = found.length > limit;
  return {
    data: page,
    has_more: hasMore,
    ...(hasMore && last ? { next_cursor: cursors.issue(purpose, [last.id], cursorStepSeconds) } : {}),
    limit,
  };
}

// Clamped to the maximum; zero and below mean the default; anything but an integer is refused.
function readLimit(query: URLSearchParams): number {
  const given = singleParameter(query, "limit");
  if (given.kind === "absent") return defaultLimit;
  if (given.kind !== "value" || !/^-?\d+$/.test(given.value))
    throw new Fault("invalid_request", "limit must be one whole number.");
  // However many digits: above the maximum it is clamped, not rejected (Spec, Router rule 1).
  const limit = Number(given.value);
  return limit <= 0 ? defaultLimit : Math.min(limit, limitMax);
}

function readCursor(query: URLSearchParams, cursors: Cursors): string | null {
  const given = singleParameter(query, "cursor");
  if (given.kind === "absent") return null;
  const position = given.kind === "value" ? cursors.read(purpose, given.value) : null;
  const [after] = position ?? [];
  if (after === undefined)
    throw new Fault("invalid_request", "This cursor is invalid or has expired. Start again without a cursor.");
  return after;
}

function firstAfter(models: readonly CatalogModel[], id: string): number {
  let [low, high] = [0, models.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((models[middle]?.id ?? "") <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}
