import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const runWorkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/w/$provider/$name",
  component: lazyRouteComponent(() => import("./run-page.tsx"), "RunPage"),
});

export const runWorkRoutes = [runWorkRoute] as const;
