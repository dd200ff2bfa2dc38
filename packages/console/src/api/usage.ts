// Usage queries that several pages share.
import { keepPreviousData } from "@tanstack/react-query";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { readQuery } from "./read-query.ts";

export function seriesQuery(query: QueryOf<typeof operations.getUsageSeries>) {
  return {
    ...readQuery(["usage", "series", query], operations.getUsageSeries, { query }),
    placeholderData: keepPreviousData,
  };
}

export function errorGroupsQuery(query: QueryOf<typeof operations.listErrorGroups>) {
  return {
    ...readQuery(["usage", "errors", query], operations.listErrorGroups, { query }),
    placeholderData: keepPreviousData,
  };
}

export function usageQuery(query: QueryOf<typeof operations.listUsage>) {
  return readQuery(["usage", "rows", query], operations.listUsage, { query });
}

export const balanceQuery = { ...readQuery(["credits"], operations.getCredits), refetchInterval: 15_000 };
