import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readRequestsSearch } from "./requests-search.ts";

export const requestRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/requests",
    validateSearch: readRequestsSearch,
    component: lazyRouteComponent(() => import("./requests-page.tsx"), "RequestsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/requests/$requestId",
    component: lazyRouteComponent(() => import("./request-page.tsx"), "RequestPage"),
  }),
] as const;
