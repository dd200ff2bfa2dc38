// Whether a workspace may run a model: the router is on, the model is in the workspace's catalog, and its entitlements allow
// it. Every path to a model asks here, so no route repeats the rule (decisions, section 3).
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Entitlements } from "../../identity/index.ts";
import { isRouteId, isWorkId } from "../../providers/index.ts";
import { type Catalog, type CatalogHolder, type CatalogModel, requireModel } from "./catalog.ts";
import type { PublishedModels } from "./published-models.ts";
import { type RouteModels, requireRoute } from "./route-models.ts";

export interface AdmissionDeps {
  readonly catalog: CatalogHolder;
  // Includes models that only this workspace sees because it has its own credential.
  catalogFor(workspaceId: WorkspaceId): Catalog | Promise<Catalog>;
  // Works that workspaces published. Each workspace sees others, so they are in no catalog.
  readonly published: Pick<PublishedModels, "find">;
  // Routes of the workspace and of the server.
  readonly routed: Pick<RouteModels, "find">;
  isEnabled(): boolean;
  readonly entitlements: Pick<Entitlements, "isRouterEnabled" | "mayRun">;
}

export interface Admission {
  requireOpen(workspaceId: WorkspaceId): void | Promise<void>;
  // `id` is null if the path names no model.
  admit(workspaceId: WorkspaceId, id: string | null): CatalogModel | Promise<CatalogModel>;
  // For a request that waited: rights and catalog may have changed since it was submitted.
  admitAgain(workspaceId: WorkspaceId, id: string): Promise<CatalogModel>;
}

export function createAdmission(deps: AdmissionDeps): Admission {
  const { entitlements } = deps;

  // The shared catalog first, so a call to one of its models never waits for a credential lookup.
  function find(workspaceId: WorkspaceId, id: string | null): CatalogModel | Promise<CatalogModel> {
    const model = id === null ? undefined : deps.catalog.current().byId.get(id);
    if (model) return model;
    if (id !== null && isWorkId(id)) return deps.published.find(workspaceId, id).then(requireWork);
    if (id !== null && isRouteId(id)) {
      const route = deps.routed.find(workspaceId, id);
      return route instanceof Promise ? route.then(requireRoute) : requireRoute(route);
    }
    const own = deps.catalogFor(workspaceId);
    return own instanceof Promise ? own.then((catalog) => requireModel(catalog, id)) : requireModel(own, id);
  }

  function entitled(workspaceId: WorkspaceId, model: CatalogModel): CatalogModel | Promise<CatalogModel> {
    // To call a route, the right to run one of its targets is enough; the others are left out.
    if (model.route) return model;
    const may = entitlements.mayRun(workspaceId, model.id);
    return typeof may === "boolean" ? requireRight(may, model) : may.then((is) => requireRight(is, model));
  }

  return {
    requireOpen(workspaceId) {
      if (!deps.isEnabled()) throw new Fault("not_enabled", "The model router is not enabled on this server.");
      const isOpen = entitlements.isRouterEnabled(workspaceId);
      return typeof isOpen === "boolean" ? requireGate(isOpen) : isOpen.then(requireGate);
    },
    admit(workspaceId, id) {
      const model = find(workspaceId, id);
      return model instanceof Promise
        ? model.then((found) => entitled(workspaceId, found))
        : entitled(workspaceId, model);
    },
    async admitAgain(workspaceId, id) {
      if (!deps.isEnabled() || !(await entitlements.isRouterEnabled(workspaceId)))
        throw new Fault("workspace_not_enabled", "The model router is no longer enabled for this workspace.");
      if (!isRouteId(id) && !(await entitlements.mayRun(workspaceId, id)))
        throw new Fault("forbidden", "This workspace may no longer run this model.");
      return find(workspaceId, id);
    },
  };
}

function requireWork(model: CatalogModel | null): CatalogModel {
  if (model === null)
    throw new Fault("model_not_found", "There is no such work, or it is not shared with this workspace.");
  return model;
}

function requireGate(isOpen: boolean): void {
  if (!isOpen) throw new Fault("workspace_not_enabled", "The model router is not enabled for this workspace.");
}

function requireRight(may: boolean, model: CatalogModel): CatalogModel {
  if (!may) throw new Fault("forbidden", "This workspace may not run this model.");
  return model;
}
