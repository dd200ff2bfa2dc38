import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import { readBadgesSearch } from "./badges-search.ts";

export const badgeRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/badges",
    validateSearch: readBadgesSearch,
    component: lazyRouteComponent(() => import("./badges-page.tsx"), "BadgesPage"),
  }),
] as const;
