import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const badgesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/badges",
  component: lazyRouteComponent(() => import("./badges-page.tsx"), "BadgesPage"),
});

export const badgeRoutes = [badgesRoute] as const;
