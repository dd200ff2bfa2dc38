// Templates: listed with what they need, and opened or run like any other workflow.
import { Type } from "typebox";
import { GraphEstimate } from "../../account/estimates.ts";
import { TemplateList, TemplateName, TemplateSourceName, TemplateWorkflow } from "../../account/templates.ts";
import { headerName } from "../../headers.ts";
import { operationTable } from "../../operation.ts";
import { answer, emptyAnswer, genericFault, genericFaults, rawAnswer } from "../answers.ts";
import { tags } from "../tags.ts";

const one = Type.Object({ name: TemplateName });
const conditional = Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) });
const cached = [headerName.cacheControl, headerName.etag];

const common = { tag: tags.account, method: "GET", access: "key", refusals: genericFault } as const;

export const templateOperations = operationTable(common, {
  listTemplates: {
    path: "/account/templates",
    summary: "List workflows to start from",
    description:
      "Needs the workflows scope. At most 2,000: the operator's own and the public ones that were installed.",
    query: Type.Object({ source: Type.Optional(TemplateSourceName) }),
    answers: { 200: answer(TemplateList, "The templates.") },
  },
  getTemplate: {
    path: "/account/templates/{name}",
    summary: "Get a template's workflow",
    description: "Needs the workflows scope. Integers of any size are exact.",
    params: one,
    answers: { 200: answer(TemplateWorkflow, "The workflow.") },
  },
  getTemplateEstimate: {
    path: "/account/templates/{name}/estimate",
    summary: "Estimate the cost of a template",
    description:
      "Needs the workflows scope. As for a submission of it as it is: it is validated the same way, and nothing is stored or billed. Files to load may be missing.",
    params: one,
    answers: {
      200: answer(GraphEstimate, "What a run would cost.", [headerName.cacheControl]),
      ...genericFaults(413, 422),
    },
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
    },
  },
});
