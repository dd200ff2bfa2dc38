import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readBadgesSearch } from "./badges-search.ts";

export const badgesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/badges",
  validateSearch: readBadgesSearch,
  component: lazyRouteComponent(() => import("./badges-page.tsx"), "BadgesPage"),
});

export const badgeRoutes = [badgesRoute] as const;
