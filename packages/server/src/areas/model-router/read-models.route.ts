// The three reads of the router: list, detail, schema document. Private to the caller, revalidated after five minutes.
import { type ModelDetail, operations } from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import { noMarks } from "../../capabilities/providers/index.ts";
import type { BytesAnswer, HeaderValues, Incoming, Route } from "../../foundation/http/area.ts";
import { matchesIfNoneMatch, strongEtag } from "../../foundation/http/etag.ts";
import { retirementHeaders } from "../../foundation/http/retirement-headers.ts";
import { writeExactJson } from "../../foundation/json/exact-json.ts";
import { describeModel } from "./describe-model.ts";
import { listModels, presentEntry, readListModels } from "./list-models.ts";
import { admitted } from "./read-call.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

type ReadModelsDeps = Pick<ModelRouterDeps, "models" | "cursors" | "baseUrl">;

export function readModelRoutes(deps: ReadModelsDeps): Route<Principal>[] {
  return [listModelsRoute(deps), getModelRoute(deps), getInputSchemaRoute(deps)];
}

export function listModelsRoute(deps: ReadModelsDeps): Route<Principal> {
  return {
    operation: operations.listModels,
    async handle(incoming) {
      const query = readListModels(incoming.query, deps.cursors);
      const { workspaceId } = incoming.caller;
      const catalog = await deps.models.catalogFor(workspaceId);
      const works = await deps.models.listWorks({ workspaceId, after: query.after, count: query.limit + 1 });
      const page = listModels(catalog, query, deps.cursors, works);
      return cached(incoming, page);
    },
  };
}

export function getModelRoute(deps: ReadModelsDeps): Route<Principal> {
  return {
    operation: operations.getModel,
    async handle(incoming) {
      const model = await admitted(deps, incoming);
      const detail: ModelDetail = {
        ...presentEntry(model),
        ...describeModel(model),
        ...(model.definition.input_schema === null
          ? {}
          : { input_schema_url: `${deps.baseUrl()}/v1/models/${model.id}/openapi.json` }),
      };
      return cached(incoming, detail, retirementHeaders(model.marks ?? noMarks));
    },
  };
}

export function getInputSchemaRoute(deps: ReadModelsDeps): Route<Principal> {
  return {
    operation: operations.getInputSchema,
    async handle(incoming) {
      const model = await admitted(deps, incoming);
      return cached(incoming, model.schemaDocument, retirementHeaders(model.marks ?? noMarks));
    },
  };
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
