import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { readBadgesSearch } from "./badges-search.ts";

export const badgesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/badges",
  validateSearch: readBadgesSearch,
  component: lazyRouteComponent(() => import("./badges-page.tsx"), "BadgesPage"),
});

export const badgeRoutes = [badgesRoute] as const;
