import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readUsageSearch } from "./usage-search.ts";

export const usageRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/usage",
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
  }),
] as const;
