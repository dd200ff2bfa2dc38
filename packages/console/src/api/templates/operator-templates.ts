// Templates that the operator of this server offers: from a folder of theirs, or installed public ones.
import { queryOptions } from "@tanstack/react-query";
import { call, callRaw } from "../client.ts";
import { addressOf } from "../operation.ts";
import { operations } from "../operations.ts";

const fresh = 60_000;

// The operator's own. There are few of them.
export const operatorTemplatesQuery = queryOptions({
  queryKey: ["templates", "operator"],
  queryFn: ({ signal }) => call(operations.listTemplates, { query: { source: "operator" }, signal }),
  staleTime: fresh,
});

export const allTemplatesQuery = queryOptions({
  queryKey: ["templates", "all"],
  queryFn: ({ signal }) => call(operations.listTemplates, { signal }),
  staleTime: fresh,
});

// Fails with what a submission of it would say.
export const templateEstimateQuery = (name: string) =>
  queryOptions({
    queryKey: ["templates", "estimate", name],
    queryFn: ({ signal }) => call(operations.getTemplateEstimate, { params: { name }, signal }),
    staleTime: fresh,
    retry: 0,
  });

export const loadOperatorTemplate = async (name: string): Promise<string> =>
  (await callRaw(operations.getTemplate, { params: { name } })).text();

export const operatorPicture = (name: string): string => addressOf(operations.getTemplatePicture, { params: { name } });
