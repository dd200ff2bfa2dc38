import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const workflowsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workflows",
  component: lazyRouteComponent(() => import("./workflows-page.tsx"), "WorkflowsPage"),
});

export const workflowRoutes = [workflowsRoute] as const;
