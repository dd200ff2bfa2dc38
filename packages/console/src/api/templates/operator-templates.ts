// Templates that the operator of this server offers: from a folder of theirs, or installed public ones.
import { callRaw } from "../client.ts";
import { addressOf } from "../operation.ts";
import { operations } from "../operations.ts";
import { readQuery } from "../read-query.ts";

const fresh = 60_000;

// The operator's own. There are few of them.
export const operatorTemplatesQuery = {
  ...readQuery(["templates", "operator"], operations.listTemplates, { query: { source: "operator" } }),
  staleTime: fresh,
};

export const allTemplatesQuery = { ...readQuery(["templates", "all"], operations.listTemplates), staleTime: fresh };

// Fails with what a submission of it would say.
export const templateEstimateQuery = (name: string) => ({
  ...readQuery(["templates", "estimate", name], operations.getTemplateEstimate, { params: { name } }),
  staleTime: fresh,
  retry: 0,
});

export const loadOperatorTemplate = async (name: string): Promise<string> =>
  (await callRaw(operations.getTemplate, { params: { name } })).text();

export const operatorPicture = (name: string): string => addressOf(operations.getTemplatePicture, { params: { name } });
