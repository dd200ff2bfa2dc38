import { operations } from "../../../api/operations.ts";
import { readList } from "../../../api/read-query.ts";

export const endpointsQuery = {
  ...readList(["webhooks", "endpoints"], operations.listWebhookEndpoints),
  refetchInterval: 10_000,
};
