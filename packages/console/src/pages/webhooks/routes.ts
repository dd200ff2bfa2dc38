import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readWebhooksSearch } from "./webhooks-search.ts";

export const webhookRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/webhooks",
    validateSearch: readWebhooksSearch,
    component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
  }),
] as const;
