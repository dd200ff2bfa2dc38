// Usage queries that several pages share.
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";

export function seriesQuery(query: QueryOf<typeof operations.getUsageSeries>) {
  return queryOptions({
    queryKey: ["usage", "series", query],
    queryFn: ({ signal }) => call(operations.getUsageSeries, { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function errorGroupsQuery(query: QueryOf<typeof operations.listErrorGroups>) {
  return queryOptions({
    queryKey: ["usage", "errors", query],
    queryFn: ({ signal }) => call(operations.listErrorGroups, { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function usageQuery(query: QueryOf<typeof operations.listUsage>) {
  return queryOptions({
    queryKey: ["usage", "rows", query],
    queryFn: ({ signal }) => call(operations.listUsage, { query, signal }),
  });
}

export const balanceQuery = queryOptions({
  queryKey: ["credits"],
  queryFn: ({ signal }) => call(operations.getCredits, { signal }),
  refetchInterval: 15_000,
});

// The names of keys, for rows that carry only ids.
export const keysQuery = queryOptions({
  queryKey: ["account", "keys"],
  queryFn: ({ signal }) => call(operations.listKeys, { signal }),
  staleTime: 60_000,
});
