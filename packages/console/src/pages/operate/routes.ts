import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

export const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/system",
  component: lazyRouteComponent(() => import("./system-page.tsx"), "SystemPage"),
});

export const providersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/providers",
  component: lazyRouteComponent(() => import("./providers-page.tsx"), "ProvidersPage"),
});

export const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workers",
  component: lazyRouteComponent(() => import("./workers-page.tsx"), "WorkersPage"),
});

export const workspacesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workspaces",
  component: lazyRouteComponent(() => import("./workspaces-page.tsx"), "WorkspacesPage"),
});

export const operateRoutes = [systemRoute, providersRoute, workersRoute, workspacesRoute] as const;
