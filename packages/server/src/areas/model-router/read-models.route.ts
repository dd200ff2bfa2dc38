// The three reads of the router: list, detail, schema document. Private to the caller, revalidated after five minutes.
import { type ModelDetail, operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import {
  type Catalog,
  createCatalog,
  describeModel,
  type ListedWork,
  mayUseModel,
  presentEntry,
} from "../../capabilities/model-calls/index.ts";
import { noMarks } from "../../capabilities/providers/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, type HeaderValues, type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../foundation/http/etag.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { writeExactJson } from "../../foundation/json/exact-json.ts";
import { linkOf, tokenOf } from "./link-callers.ts";
import { type ListModels, listModels, readListModels } from "./list-models.ts";
import { admitted } from "./read-call.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

type ReadModelsDeps = Pick<ModelRouterDeps, "models" | "cursors" | "baseUrl">;

export function listModelsRoute(deps: ReadModelsDeps): Route<Principal> {
  return route(operations.listModels, async (incoming) => {
    const query = readListModels(incoming.query, deps.cursors);
    const link = linkOf(incoming.caller);
    if (link !== null) return cached(incoming, await pageOfLink(deps, incoming.caller, link, query.limit));
    const { workspaceId } = incoming.caller;
    const catalog = await deps.models.catalogFor(workspaceId);
    if (tokenOf(incoming.caller) !== null)
      return cached(incoming, await pageOfToken(deps, incoming.caller, { catalog, query }));
    const works = await deps.models.listWorks({ workspaceId, after: query.after, count: query.limit + 1 });
    const page = listModels(await withRoutes(deps, workspaceId, catalog), query, deps.cursors, works);
    return cached(incoming, page);
  });
}

// A token shows the models that it may use. Works are read in pages until enough of them are allowed.
async function pageOfToken(
  deps: ReadModelsDeps,
  caller: Principal,
  { catalog, query }: { catalog: Catalog; query: ListModels },
) {
  const { workspaceId } = caller;
  const works: ListedWork[] = [];
  let { after } = query;
  for (;;) {
    const some = await deps.models.listWorks({ workspaceId, after, count: worksAtOnce });
    works.push(...some.filter(({ id }) => mayUseModel(caller, id)));
    after = some.at(-1)?.id ?? null;
    if (some.length < worksAtOnce || works.length > query.limit) break;
  }
  const models = (await withRoutes(deps, workspaceId, catalog)).models.filter(({ id }) => mayUseModel(caller, id));
  return listModels({ ...catalog, models }, query, deps.cursors, works.slice(0, query.limit + 1));
}

const worksAtOnce = 100;

async function withRoutes({ models }: ReadModelsDeps, workspaceId: WorkspaceId, catalog: Catalog): Promise<Catalog> {
  const routes = await models.listRoutes(workspaceId);
  return routes.length === 0 ? catalog : createCatalog([...catalog.models, ...routes]);
}

// A link shows its work alone, and nothing once that is gone.
async function pageOfLink(deps: ReadModelsDeps, { workspaceId }: Principal, link: string, limit: number) {
  try {
    return { data: [presentEntry(await deps.models.admit(workspaceId, link))], has_more: false, limit };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== "model_not_found") throw thrown;
    return { data: [], has_more: false, limit };
  }
}

export function getModelRoute(deps: ReadModelsDeps): Route<Principal> {
  return route(operations.getModel, async (incoming) => {
    const model = await admitted(deps, incoming);
    const examples = (await model.runner?.examples?.()) ?? [];
    const detail: ModelDetail = {
      ...presentEntry(model),
      ...describeModel(model),
      ...(model.definition.input_schema === null
        ? {}
        : { input_schema_url: `${deps.baseUrl()}/v1/models/${model.id}/openapi.json` }),
      ...(examples.length === 0
        ? {}
        : { examples: examples.map(({ urls, ...each }) => ({ ...each, urls: [...urls] })) }),
    };
    return cached(incoming, detail, retirementHeaders(model.marks ?? noMarks));
  });
}

export function getInputSchemaRoute(deps: ReadModelsDeps): Route<Principal> {
  return route(operations.getInputSchema, async (incoming) => {
    const model = await admitted(deps, incoming);
    return cached(incoming, model.schemaDocument, retirementHeaders(model.marks ?? noMarks));
  });
}

function cached(incoming: Incoming<Principal>, value: unknown, more: HeaderValues = {}): BytesAnswer {
  const body = writeExactJson(value);
  const validator = strongEtag(body);
  const headers = {
    ...more,
    etag: validator,
    "cache-control": "private, max-age=300, must-revalidate",
    vary: "X-API-Key, Authorization",
  };
  if (matchesIfNoneMatch(incoming.headers["if-none-match"], validator)) return { status: 304, headers };
  return { status: 200, headers: { ...headers, "content-type": "application/json; charset=utf-8" }, body };
}
