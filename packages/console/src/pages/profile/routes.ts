import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const profileRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/you",
    validateSearch: searchReader({ tab: word("data") }),
    component: lazyRouteComponent(() => import("./you-page.tsx"), "YouPage"),
  }),
] as const;
