import { operations } from "../../../api/operations.ts";
import { readList, readQuery } from "../../../api/read-query.ts";

export const budgetsQuery = readList(["budgets"], operations.listBudgets);

export const budgetQuery = (name: string) => readQuery(["budgets", name], operations.getBudget, { params: { name } });

export type ListedBudget = Awaited<ReturnType<NonNullable<typeof budgetsQuery.queryFn>>>[number];
