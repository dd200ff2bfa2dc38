import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";

export const budgetsQuery = queryOptions({
  queryKey: ["budgets"],
  queryFn: async ({ signal }) => (await call(operations.listBudgets, { signal })).data,
});

export const budgetQuery = (name: string) =>
  queryOptions({
    queryKey: ["budgets", name],
    queryFn: ({ signal }) => call(operations.getBudget, { params: { name }, signal }),
  });

export type ListedBudget = Awaited<ReturnType<NonNullable<typeof budgetsQuery.queryFn>>>[number];
