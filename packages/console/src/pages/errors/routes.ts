import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const errorsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/errors",
  component: lazyRouteComponent(() => import("./errors-page.tsx"), "ErrorsPage"),
});

export const errorRoutes = [errorsRoute] as const;
