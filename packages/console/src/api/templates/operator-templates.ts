// The templates that the operator of this server offers, from a folder of theirs.
import { queryOptions } from "@tanstack/react-query";
import { call, callRaw } from "../client.ts";
import { addressOf } from "../operation.ts";
import { operations } from "../operations.ts";

export const operatorTemplatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: ({ signal }) => call(operations.listTemplates, { signal }),
  staleTime: 60_000,
});

export const loadOperatorTemplate = async (name: string): Promise<string> =>
  (await callRaw(operations.getTemplate, { params: { name } })).text();

export const operatorPicture = (name: string): string => addressOf(operations.getTemplatePicture, { params: { name } });
