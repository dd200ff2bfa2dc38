import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";

export const youRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/you",
  component: lazyRouteComponent(() => import("./you-page.tsx"), "YouPage"),
});

export const profileRoutes = [youRoute] as const;
