// The operator's templates: listed, and opened or run like any other workflow.
import { Type } from "typebox";
import { TemplateList, TemplateName, TemplateWorkflow } from "../../account/templates.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { answer, emptyAnswer, genericFaults, rawAnswer } from "../answers.ts";
import { tags } from "../tags.ts";

const one = Type.Object({ name: TemplateName });
const read = genericFaults(401, 403, 429, 500, 503);
const conditional = Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) });
const cached = [headerName.cacheControl, headerName.etag];

export const templateOperations = operationTable({ tag: tags.account, method: "GET", access: "key" } as const, {
  listTemplates: {
    path: "/account/templates",
    summary: "List the workflows that the operator offers to start from",
    description: "Needs the workflows scope.",
    answers: { 200: answer(TemplateList, "The templates."), ...read },
  },
  getTemplate: {
    path: "/account/templates/{name}",
    summary: "Get a template's workflow",
    description: "Needs the workflows scope. Integers of any size are exact.",
    params: one,
    answers: { 200: answer(TemplateWorkflow, "The workflow."), ...read, ...genericFaults(404) },
  },
  getTemplatePicture: {
    path: "/account/templates/{name}/picture",
    summary: "Get a template's picture",
    description: "Needs the workflows scope.",
    params: one,
    headers: conditional,
    answers: {
      200: rawAnswer("image/*", "The picture.", cached),
      304: emptyAnswer("The caller already has it.", cached),
      ...read,
      ...genericFaults(404),
    },
  },
});
