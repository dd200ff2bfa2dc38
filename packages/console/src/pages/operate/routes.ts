import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { pageRoute, rootRoute } from "../root-route.ts";
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
  pageRoute("/console/system", () => import("./system-page.tsx"), "SystemPage", readSystemSearch),
  pageRoute("/console/metrics", () => import("./metrics/metrics-page.tsx"), "MetricsPage", readMetricsSearch),
  createRoute({
    getParentRoute: () => rootRoute,
    path: "/console/backups",
    component: lazyRouteComponent(() => import("./backups/backups-page.tsx"), "BackupsPage"),
  }),
  pageRoute("/console/settings", () => import("./settings/settings-page.tsx"), "SettingsPage", readSettingsSearch),
  pageRoute("/console/providers", () => import("./providers-page.tsx"), "ProvidersPage", readProvidersSearch),
  pageRoute(
    "/console/providers/definition",
    () => import("./definitions/definition-page.tsx"),
    "DefinitionPage",
    readDefinitionSearch,
  ),
  pageRoute("/console/workers", () => import("./workers-page.tsx"), "WorkersPage", readWorkersSearch),
  pageRoute("/console/workspaces", () => import("./workspaces-page.tsx"), "WorkspacesPage", readWorkspacesSearch),
] as const;
