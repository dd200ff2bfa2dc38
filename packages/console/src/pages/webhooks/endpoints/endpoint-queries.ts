import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../api/client.ts";
import { operations } from "../../../api/operations.ts";

export const endpointsQuery = queryOptions({
  queryKey: ["webhooks", "endpoints"],
  refetchInterval: 10_000,
  queryFn: async ({ signal }) => (await call(operations.listWebhookEndpoints, { signal })).data,
});
