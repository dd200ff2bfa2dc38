// Budgets of a workspace.
import { Type } from "typebox";
import { Budget, BudgetList, budgetNamePattern, PutBudget } from "../../account/budgets.ts";
import { operationTable } from "../../operation.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "../answers.ts";

const params = Type.Object({ name: Type.String({ pattern: budgetNamePattern, description: "The budget's name." }) });
export const budgetOperations = operationTable(ofAccount, {
  listBudgets: {
    method: "GET",
    path: "/account/budgets",
    summary: "List budgets",
    answers: { 200: answer(BudgetList, "All of them, with what counts against them now.") },
  },
  getBudget: {
    method: "GET",
    path: "/account/budgets/{name}",
    summary: "Get a budget and its alerts",
    params,
    answers: { 200: answer(Budget, "The budget.") },
  },
  putBudget: {
    method: "PUT",
    path: "/account/budgets/{name}",
    role: "billing",
    summary: "Set a budget",
    description:
      "Only for owners. A new budget, or one with another scope, subject or period, counts what was spent in the current period and the calls that are open. Alerts are sent at 50, 80 and 100 %, each once in a period. With another amount, thresholds may be sent again. At most 100 per workspace.",
    params,
    body: jsonBody(PutBudget),
    answers: {
      200: answer(Budget, "The changed budget."),
      201: answer(Budget, "The new budget."),
      ...genericFaults(409),
    },
  },
  deleteBudget: {
    method: "DELETE",
    path: "/account/budgets/{name}",
    role: "billing",
    summary: "Delete a budget",
    description: "Only for owners. Calls no longer count against it; its alerts are deleted with it.",
    params,
    answers: { 204: emptyAnswer("It is gone.") },
  },
});
