// Usage queries that several pages share.
import { keepPreviousData } from "@tanstack/react-query";
import type { QueryOf } from "./operation.ts";
import { operations } from "./operations.ts";
import { readQuery } from "./read-query.ts";

export const seriesQuery = (query: QueryOf<typeof operations.getUsageSeries>) => ({
  ...readQuery(["usage", "series", query], operations.getUsageSeries, { query }),
  placeholderData: keepPreviousData,
});

export const errorGroupsQuery = (query: QueryOf<typeof operations.listErrorGroups>) => ({
  ...readQuery(["usage", "errors", query], operations.listErrorGroups, { query }),
  placeholderData: keepPreviousData,
});

export const usageQuery = (query: QueryOf<typeof operations.listUsage>) =>
  readQuery(["usage", "rows", query], operations.listUsage, { query });

export const balanceQuery = { ...readQuery(["credits"], operations.getCredits), refetchInterval: 15_000 };
