import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readRange } from "../../ui/range/range.ts";
import { rootRoute } from "../root-route.ts";

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: readRange,
  component: lazyRouteComponent(() => import("./overview-page.tsx"), "OverviewPage"),
});

export const overviewRoutes = [overviewRoute] as const;
