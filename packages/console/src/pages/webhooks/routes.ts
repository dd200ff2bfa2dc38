import { pageRoute } from "../root-route.ts";
import { readWebhooksSearch } from "./webhooks-search.ts";

export const webhookRoutes = [
  pageRoute("/console/webhooks", () => import("./webhooks-page.tsx"), "WebhooksPage", readWebhooksSearch),
] as const;
