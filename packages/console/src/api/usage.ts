// Usage queries that several pages share.
import type { AccountKey, CreditBalance, ErrorGroupList, UsagePage, UsageSeries } from "@atelier/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call, type Query } from "./client.ts";

export function seriesQuery(query: Query) {
  return queryOptions({
    queryKey: ["usage", "series", query],
    queryFn: ({ signal }) => call<UsageSeries>("/account/usage/series", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function errorGroupsQuery(query: Query) {
  return queryOptions({
    queryKey: ["usage", "errors", query],
    queryFn: ({ signal }) => call<ErrorGroupList>("/account/errors", { query, signal }),
    placeholderData: keepPreviousData,
  });
}

export function usageQuery(query: Query) {
  return queryOptions({
    queryKey: ["usage", "rows", query],
    queryFn: ({ signal }) => call<UsagePage>("/account/usage", { query, signal }),
  });
}

export const balanceQuery = queryOptions({
  queryKey: ["credits"],
  queryFn: ({ signal }) => call<CreditBalance>("/account/credits", { signal }),
  refetchInterval: 15_000,
});

// The names of keys, for rows that carry only ids.
export const keysQuery = queryOptions({
  queryKey: ["account", "keys"],
  queryFn: ({ signal }) => call<{ readonly data: readonly AccountKey[] }>("/account/keys", { signal }),
  staleTime: 60_000,
});
