import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { readUsageSearch } from "./usage-search.ts";

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/usage",
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
});

export const usageRoutes = [usageRoute] as const;
