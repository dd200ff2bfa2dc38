import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readRequestsSearch } from "./requests-search.ts";

export const requestsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/requests",
  validateSearch: readRequestsSearch,
  component: lazyRouteComponent(() => import("./requests-page.tsx"), "RequestsPage"),
});

export const requestRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/requests/$requestId",
  component: lazyRouteComponent(() => import("./request-page.tsx"), "RequestPage"),
});

export const requestRoutes = [requestsRoute, requestRoute] as const;
