import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readRange } from "../../ui/range/range.ts";
import { rootRoute } from "../root-route.ts";

export const errorRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/errors",
    validateSearch: readRange,
    component: lazyRouteComponent(() => import("./errors-page.tsx"), "ErrorsPage"),
  }),
] as const;
