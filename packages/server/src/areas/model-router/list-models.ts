// One page of the catalog in bytewise order of ids. The cursor is a signed position: it stays valid when models come
// and go, and whatever we did not issue is refused, never restarted (Spec, Router rules 1 and 2).
import type { CatalogEntry, CatalogPage } from "@atelier/contract";
import type { Catalog, CatalogModel } from "../../capabilities/model-calls/index.ts";
import type { Cursors } from "../../foundation/cursor.ts";
import { Fault } from "../../foundation/fault.ts";
import { singleParameter } from "../../foundation/http/query.ts";

const defaultLimit = 20;
const limitMax = 100;
const purpose = "listModels";
// A page that goes on is the same bytes for as long, so that its ETag can be the bytes' own. It must change long before
// its cursor is too old: who revalidates keeps the old page and walks on with it.
const cursorStepSeconds = 3600;

export interface ListModels {
  readonly limit: number;
  readonly after: string | null;
}

export function readListModels(query: URLSearchParams, cursors: Cursors): ListModels {
  return { limit: readLimit(query), after: readCursor(query, cursors) };
}

export function listModels(catalog: Catalog, { limit, after }: ListModels, cursors: Cursors): CatalogPage {
  const start = after === null ? 0 : firstAfter(catalog.models, after);
  const page = catalog.models.slice(start, start + limit);
  const last = page.at(-1);
  const hasMore = start + limit < catalog.models.length;
  return {
    data: page.map(presentEntry),
    has_more: hasMore,
    ...(hasMore && last ? { next_cursor: cursors.issue(purpose, [last.id], cursorStepSeconds) } : {}),
    limit,
  };
}

export function presentEntry(model: CatalogModel): CatalogEntry {
  const [provider = "", name = ""] = model.id.split("/");
  return {
    id: model.id,
    provider,
    model: name,
    billing: { charges_on_policy_rejection: model.definition.charges_on_policy_rejection },
  };
}

// Above the cap is clamped, zero and below mean the default, everything else but an integer is refused.
function readLimit(query: URLSearchParams): number {
  const given = singleParameter(query, "limit");
  if (given.kind === "absent") return defaultLimit;
  if (given.kind !== "value" || !/^-?\d+$/.test(given.value))
    throw new Fault("invalid_request", "limit must be one whole number.");
  // However many digits: above the cap is clamped, not rejected (Spec, Router rule 1).
  const limit = Number(given.value);
  return limit <= 0 ? defaultLimit : Math.min(limit, limitMax);
}

function readCursor(query: URLSearchParams, cursors: Cursors): string | null {
  const given = singleParameter(query, "cursor");
  if (given.kind === "absent") return null;
  const position = given.kind === "value" ? cursors.read(purpose, given.value) : null;
  const [after] = position ?? [];
  if (after === undefined)
    throw new Fault("invalid_request", "This cursor was not issued here or is too old. Begin again without one.");
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
