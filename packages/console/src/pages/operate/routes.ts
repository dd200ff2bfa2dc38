import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { rootRoute } from "../../app/root-route.tsx";

type Given = Readonly<Record<string, unknown>>;

// What is absent or empty stays out of the address.
function textsOf<Name extends string>(given: Given, names: readonly Name[]): Partial<Record<Name, string>> {
  const found: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = given[name];
    if (typeof value === "string" && value !== "") found[name] = value;
    if (typeof value === "number") found[name] = String(value);
  }
  return found;
}

export const systemTabs = ["checks", "background", "refused", "audit"] as const;
export type SystemTab = (typeof systemTabs)[number];
const auditFilters = ["actor_kind", "action", "subject_id", "request_id", "cursor"] as const;

export interface SystemSearch extends Partial<Record<(typeof auditFilters)[number], string>> {
  readonly tab?: SystemTab;
}

export const systemRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/system",
  validateSearch: (given: Given): SystemSearch => {
    const tab = systemTabs.find((name) => name === given["tab"] && name !== "checks");
    return { ...(tab ? { tab } : {}), ...textsOf(given, auditFilters) };
  },
  component: lazyRouteComponent(() => import("./system-page.tsx"), "SystemPage"),
});

export interface ProvidersSearch {
  // The provider whose details are open.
  readonly provider?: string;
  readonly find?: string;
}

export const providersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/providers",
  validateSearch: (given: Given): ProvidersSearch => textsOf(given, ["provider", "find"]),
  component: lazyRouteComponent(() => import("./providers-page.tsx"), "ProvidersPage"),
});

export const workerTabs = ["workers", "deployments", "tokens"] as const;
export type WorkerTab = (typeof workerTabs)[number];

export interface WorkersSearch {
  readonly tab?: WorkerTab;
  readonly cursor?: string;
}

export const workersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workers",
  validateSearch: (given: Given): WorkersSearch => {
    const tab = workerTabs.find((name) => name === given["tab"] && name !== "workers");
    return { ...(tab ? { tab } : {}), ...textsOf(given, ["cursor"]) };
  },
  component: lazyRouteComponent(() => import("./workers-page.tsx"), "WorkersPage"),
});

export const workspaceTabs = ["credits", "limits", "models"] as const;
export type WorkspaceTab = (typeof workspaceTabs)[number];

export interface WorkspacesSearch {
  readonly cursor?: string;
  // The workspace that is open, what of it is shown, and from where on its journal.
  readonly workspace?: string;
  readonly tab?: WorkspaceTab;
  readonly lines?: string;
}

export const workspacesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/console/workspaces",
  validateSearch: (given: Given): WorkspacesSearch => {
    const tab = workspaceTabs.find((name) => name === given["tab"] && name !== "credits");
    return { ...(tab ? { tab } : {}), ...textsOf(given, ["cursor", "workspace", "lines"]) };
  },
  component: lazyRouteComponent(() => import("./workspaces-page.tsx"), "WorkspacesPage"),
});

export const operateRoutes = [systemRoute, providersRoute, workersRoute, workspacesRoute] as const;
