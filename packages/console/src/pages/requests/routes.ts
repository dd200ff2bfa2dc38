import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { pageRoute, rootRoute } from "../root-route.ts";
import { readRequestsSearch } from "./requests-search.ts";

export const requestRoutes = [
  pageRoute("/console/requests", () => import("./requests-page.tsx"), "RequestsPage", readRequestsSearch),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/requests/$requestId",
    component: lazyRouteComponent(() => import("./request-page.tsx"), "RequestPage"),
  }),
] as const;
