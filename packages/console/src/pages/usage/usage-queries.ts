import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { operations } from "../../api/operations.ts";
import { readPages, readQuery } from "../../api/read-query.ts";
import { rangeOf } from "../../ui/range/range.ts";
import type { UsageSearch } from "./usage-search.ts";

export const usual = "7d";

export function filtersOf({ subject, outcome, api_key_id }: UsageSearch) {
  return { subject, outcome, api_key_id };
}

export function spanOf(search: UsageSearch): { readonly from: string; readonly to: string | null } {
  const { from, to } = rangeOf(search, usual, Date.now());
  return { from, to };
}

export const seriesQuery = (search: UsageSearch) => {
  const query = { ...spanOf(search), ...filtersOf(search), by: search.by ?? "none", latency: true };
  return queryOptions({
    ...readQuery(["usage", "series", query], operations.getUsageSeries, { query }),
    refetchInterval: search.to === undefined ? 30_000 : false,
    placeholderData: keepPreviousData,
  });
};

export const linesQuery = readPages(["credits", "lines"], operations.listCreditLines, { query: { limit: 20 } });
