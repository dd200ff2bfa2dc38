// The input and the answer of a request, where the workspace keeps them, and the switch for that.
import { parseJson, type RequestBody } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../client.ts";
import { operations } from "../operations.ts";
import { readQuery } from "../read-query.ts";

const looksMax = 5;

// Bodies are written shortly after the answer, so a page that is opened at once looks a few times.
export const requestBodiesQuery = (id: string) =>
  queryOptions({
    ...readQuery(["account", "request", id, "bodies"], operations.getRequestBodies, { params: { requestId: id } }),
    retry: false,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.keeping && data.answer === null && dataUpdateCount < looksMax ? 1_500 : false,
  });

export const bodyKeepingQuery = (workspaceId: string) => ({
  ...readQuery(["body keeping", workspaceId], operations.getRequestBodyKeeping, { params: { workspaceId } }),
  retry: false,
});

export const setBodyKeeping = (workspaceId: string, json: { enabled: boolean; keep_hours?: number }) =>
  call(operations.setRequestBodyKeeping, { params: { workspaceId }, json });

// The value of a JSON body. Undefined if it has none.
export function valueOfBody(body: RequestBody): unknown {
  if (body.kind !== "json" || body.text === null) return undefined;
  try {
    return parseJson(body.text);
  } catch {
    return undefined;
  }
}
