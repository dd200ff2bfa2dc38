import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const usageRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/usage",
  component: lazyRouteComponent(() => import("./usage-page.tsx"), "UsagePage"),
});

export const usageRoutes = [usageRoute] as const;
