// The models of this server: the catalog, each model's document, and how recent calls went.
import type { CatalogEntry, ModelStats } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import { asFault } from "./fault.ts";
import { documentOf, type ModelDocument } from "./model-document.ts";
import { readQuery } from "./read-query.ts";

export type { ModelStats } from "@atelier/sdk";
export { documentOf, type ModelDocument, type ModelKind, modelKinds } from "./model-document.ts";

import { modelParams } from "./model-id.ts";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";

// Poll while the catalog is still loading.
const whileLoading = ({ state }: { readonly state: { readonly error: Error | null } }): number | false =>
  state.error && asFault(state.error).status === 503 ? 3_000 : false;

// What can be chosen from a short list: every model of a provider, and the first works. There may be thousands of works, so we
// never load all of them.
export const modelsQuery = queryOptions({
  queryKey: ["models"],
  staleTime: 60_000,
  refetchInterval: whileLoading,
  // Report it immediately: retrying in silence would leave the page grey.
  retry: 0,
  queryFn: async ({ signal }): Promise<readonly Pick<CatalogEntry, "id">[]> => {
    const [models, works] = await Promise.all([
      call(operations.listAccountModels, { signal }),
      listCallableWorks({ limit: 100 }, signal),
    ]);
    return [...models.data, ...works.data];
  },
});

export const modelQuery = (id: string) => ({
  ...readQuery(["models", id], operations.getModel, { params: modelParams(id) }),
  staleTime: 60_000,
});

export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ["models", id, "document"],
    staleTime: 600_000,
    queryFn: async ({ signal }): Promise<ModelDocument> =>
      documentOf(id, await call(operations.getInputSchema, { params: modelParams(id), signal })),
  });

// How calls of the last 24 hours went, by model; empty on servers that do not count them.
export const statsQuery = queryOptions({
  queryKey: ["models", "stats"],
  staleTime: 30_000,
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, ModelStats>> => {
    try {
      const { data } = await call(operations.getModelStats, { signal });
      return new Map(data.map((each) => [each.model, each]));
    } catch (thrown) {
      if (asFault(thrown).status === 404) return new Map();
      throw thrown;
    }
  },
});

export const modelUsageQuery = (id: string, more: { readonly outcome?: string; readonly cursor?: string } = {}) =>
  readQuery(["usage", "model", id, more], operations.listUsage, {
    query: { subject: `model:${id}`, limit: 50, ...more },
  });

// Every model of a provider, for people to choose from: one answer with titles, kinds and prices, and without works.
export const accountModelsQuery = {
  ...readQuery(["models", "account"], operations.listAccountModels),
  staleTime: 60_000,
  refetchInterval: whileLoading,
  retry: 0,
};

// Works that the workspace can call. The server searches them.
export function listCallableWorks(query: QueryOf<typeof operations.listCallableWorks>, signal: AbortSignal) {
  return call(operations.listCallableWorks, { query, signal });
}

export const worksOfCatalog = (q: string | undefined) => ["models", "works", q ?? ""] as const;

export function callableWorksQuery(query: QueryOf<typeof operations.listCallableWorks>) {
  return queryOptions({
    queryKey: ["models", "works", query],
    staleTime: 30_000,
    queryFn: ({ signal }) => listCallableWorks(query, signal),
  });
}
