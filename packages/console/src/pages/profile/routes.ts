import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const youRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/you",
  component: lazyRouteComponent(() => import("./you-page.tsx"), "YouPage"),
});

export const profileRoutes = [youRoute] as const;
