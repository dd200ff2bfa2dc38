import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/webhooks",
  component: lazyRouteComponent(() => import("./webhooks-page.tsx"), "WebhooksPage"),
});

export const webhookRoutes = [webhooksRoute] as const;
