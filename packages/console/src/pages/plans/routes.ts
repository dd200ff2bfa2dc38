import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { searchReader, word } from "../../ui/search-params.ts";
import { rootRoute } from "../root-route.ts";

export const planRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/plans",
    validateSearch: searchReader({ tab: word("sales") }),
    component: lazyRouteComponent(() => import("./plans-page.tsx"), "PlansPage"),
  }),
] as const;
