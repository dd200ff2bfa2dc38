// The search parameters of the page.
import { type SearchOf, searchReader, text, word } from "../../ui/search-params.ts";

export const statuses = ["pending", "sending", "delivered", "dead", "gone"] as const;
export const tabs = ["deliveries", "endpoints", "receivers", "secrets"] as const;

const readers = {
  tab: word("endpoints", "receivers", "secrets"),
  status: word(...statuses),
  type: text(),
  receiver: text(2_000),
  subject_id: text(),
  endpoint_id: text(),
  // The open delivery.
  delivery: text(),
};

export type WebhooksSearch = SearchOf<typeof readers>;
export const readWebhooksSearch = searchReader(readers);
