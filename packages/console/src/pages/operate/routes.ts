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

export const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/system",
  validateSearch: readSystemSearch,
  component: lazyRouteComponent(() => import("./system-page.tsx"), "SystemPage"),
});

export const metricsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/metrics",
  validateSearch: readMetricsSearch,
  component: lazyRouteComponent(() => import("./metrics/metrics-page.tsx"), "MetricsPage"),
});

export const backupsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/backups",
  component: lazyRouteComponent(() => import("./backups/backups-page.tsx"), "BackupsPage"),
});

export const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/settings",
  validateSearch: readSettingsSearch,
  component: lazyRouteComponent(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});

export const providersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/providers",
  validateSearch: readProvidersSearch,
  component: lazyRouteComponent(() => import("./providers-page.tsx"), "ProvidersPage"),
});

export const definitionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/providers/definition",
  validateSearch: readDefinitionSearch,
  component: lazyRouteComponent(() => import("./definitions/definition-page.tsx"), "DefinitionPage"),
});

export const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workers",
  validateSearch: readWorkersSearch,
  component: lazyRouteComponent(() => import("./workers-page.tsx"), "WorkersPage"),
});

export const workspacesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workspaces",
  validateSearch: readWorkspacesSearch,
  component: lazyRouteComponent(() => import("./workspaces-page.tsx"), "WorkspacesPage"),
});

export const operateRoutes = [
  systemRoute,
  metricsRoute,
  backupsRoute,
  settingsRoute,
  providersRoute,
  definitionRoute,
  workersRoute,
  workspacesRoute,
] as const;
