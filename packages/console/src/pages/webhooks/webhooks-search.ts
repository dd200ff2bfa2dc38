// The search parameters of the page.
export const statuses = ["pending", "sending", "delivered", "dead", "gone"] as const;
export const tabs = ["deliveries", "receivers", "secrets"] as const;

export interface WebhooksSearch {
  readonly tab?: (typeof tabs)[number] | undefined;
  readonly status?: (typeof statuses)[number] | undefined;
  readonly type?: string | undefined;
  readonly receiver?: string | undefined;
  readonly subject_id?: string | undefined;
  // The open delivery.
  readonly delivery?: string | undefined;
}

export function readWebhooksSearch(given: Readonly<Record<string, unknown>>): WebhooksSearch {
  const text = (name: string) => (typeof given[name] === "string" && given[name] !== "" ? given[name] : undefined);
  const all = {
    tab: tabs.find((known) => known === given["tab"] && known !== "deliveries"),
    status: statuses.find((known) => known === given["status"]),
    type: text("type"),
    receiver: text("receiver"),
    subject_id: text("subject_id"),
    delivery: text("delivery"),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
