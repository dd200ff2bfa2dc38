import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";
import { readRange } from "../../ui/range/range.ts";

export const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/errors",
  validateSearch: readRange,
  component: lazyRouteComponent(() => import("./errors-page.tsx"), "ErrorsPage"),
});

export const errorRoutes = [errorsRoute] as const;
