// The operators' operations on weights. They need an admin token, and every change is in the audit.
import { Type } from "typebox";
import { operationTable } from "../../operation.ts";
import { AddWeight, ChangeWeight, FillList, Weight, WeightPage, WeightWithUses } from "../../operators/weights.ts";
import { PageQuery } from "../../pagination.ts";
import { Uuid } from "../../wire-values.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody, ofAdministration } from "../answers.ts";

const params = Type.Object({ weightId: Uuid });
export const weightAdministrationOperations = operationTable(ofAdministration, {
  listWeights: {
    method: "GET",
    path: "/admin/weights",
    summary: "List the weights",
    query: PageQuery,
    answers: { 200: answer(WeightPage, "One page, by path.") },
  },
  addWeight: {
    method: "POST",
    path: "/admin/weights",
    summary: "Keep a weight",
    description:
      "Its bytes come from uploaded assets (parts) or from an address on an allowed host. They arrive in the background and are kept only if size and hash are right. A weight that failed is tried again.",
    body: jsonBody(AddWeight),
    answers: {
      200: answer(Weight, "It is kept, or on its way, already."),
      201: answer(Weight, "Its bytes are on their way."),
      507: genericFault[503],
      ...genericFaults(404),
    },
  },
  getWeight: {
    method: "GET",
    path: "/admin/weights/{weightId}",
    summary: "Read a weight",
    params,
    answers: { 200: answer(WeightWithUses, "The weight.") },
  },
  changeWeight: {
    method: "PATCH",
    path: "/admin/weights/{weightId}",
    summary: "Change licence and note of a weight",
    params,
    body: jsonBody(ChangeWeight),
    answers: { 200: answer(Weight, "Changed.") },
  },
  deleteWeight: {
    method: "DELETE",
    path: "/admin/weights/{weightId}",
    summary: "Remove a weight",
    description: "Workers keep what they have. The bytes go when nothing else needs them.",
    params,
    answers: { 204: emptyAnswer("Removed.") },
  },
  listFills: {
    method: "GET",
    path: "/admin/fills",
    summary: "List the workers that fill their folders",
    answers: { 200: answer(FillList, "The workers.") },
  },
});
