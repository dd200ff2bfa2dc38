import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../root-route.ts";
import {
  readDefinitionSearch,
  readMetricsSearch,
  readProvidersSearch,
  readSettingsSearch,
  readSystemSearch,
  readWorkersSearch,
  readWorkspacesSearch,
} from "./operate-search.ts";

export const operateRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/system",
    validateSearch: readSystemSearch,
    component: lazyRouteComponent(() => import("./system-page.tsx"), "SystemPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/metrics",
    validateSearch: readMetricsSearch,
    component: lazyRouteComponent(() => import("./metrics/metrics-page.tsx"), "MetricsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/backups",
    component: lazyRouteComponent(() => import("./backups/backups-page.tsx"), "BackupsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/settings",
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/providers",
    validateSearch: readProvidersSearch,
    component: lazyRouteComponent(() => import("./providers-page.tsx"), "ProvidersPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/providers/definition",
    validateSearch: readDefinitionSearch,
    component: lazyRouteComponent(() => import("./definitions/definition-page.tsx"), "DefinitionPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/workers",
    validateSearch: readWorkersSearch,
    component: lazyRouteComponent(() => import("./workers-page.tsx"), "WorkersPage"),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/workspaces",
    validateSearch: readWorkspacesSearch,
    component: lazyRouteComponent(() => import("./workspaces-page.tsx"), "WorkspacesPage"),
  }),
] as const;
