import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readRange } from "../../ui/range/range.ts";
import { rootRoute } from "../root-route.ts";

export const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  validateSearch: readRange,
  component: lazyRouteComponent(() => import("./overview-page.tsx"), "OverviewPage"),
});

// What people type.
const consoleRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console",
  beforeLoad: () => {
    throw redirect({ to: "/", search: {}, replace: true });
  },
});

export const overviewRoutes = [overviewRoute, consoleRoute] as const;
