import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const nodesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/nodes",
  component: lazyRouteComponent(() => import("./nodes-page.tsx"), "NodesPage"),
});

export const nodeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/nodes/$nodeId",
  component: lazyRouteComponent(() => import("./node-page.tsx"), "NodePage"),
});

export const nodeRoutes = [nodesRoute, nodeRoute] as const;
