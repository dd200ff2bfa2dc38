import type { WebhookDelivery, WebhookDeliveryPage } from "@atelier/sdk";
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import type { QueryOf } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { readPages, readQuery } from "../../api/read-query.ts";

const isOpen = ({ status }: WebhookDelivery) => status === "pending" || status === "sending";

export const deliveriesQuery = (filter: QueryOf<typeof operations.listWebhookDeliveries>) =>
  infiniteQueryOptions({
    ...readPages(["webhooks", "deliveries", filter], operations.listWebhookDeliveries, {
      query: { ...filter, limit: 30 },
    }),
    // Poll often while a delivery is open, now and then once all have ended.
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.data.some(isOpen)) ? 3_000 : 15_000),
  });

export const deliveryQuery = (id: string) =>
  queryOptions({
    ...readQuery(["webhooks", "delivery", id], operations.getWebhookDelivery, { params: { deliveryId: id } }),
    refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? 1_000 : false),
  });

export const redeliver = (id: string) => call(operations.redeliverWebhook, { params: { deliveryId: id } });

// Everything that failed since then, page by page; at most the newest thousand.
export async function failedSince(since: number, signal: AbortSignal): Promise<readonly WebhookDelivery[]> {
  const found: WebhookDelivery[] = [];
  let cursor: string | null = null;
  do {
    const query = { status: "dead", limit: 100, cursor } as const;
    const page: WebhookDeliveryPage = await call(operations.listWebhookDeliveries, { query, signal });
    const young = page.data.filter(({ created_at }) => Date.parse(created_at) >= since);
    found.push(...young);
    cursor = young.length === page.data.length ? (page.next_cursor ?? null) : null;
  } while (cursor !== null && found.length < 1_000);
  return found;
}

export const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

// Ten automatic attempts; a test event gets one.
export const attemptsMax = ({ type }: WebhookDelivery) => (type === "webhook.test" ? 1 : 10);
