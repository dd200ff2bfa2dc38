// Routes in the router: a route is a model with the inputs of its first target, and its targets beside it. Built once for each
// state of the catalog.
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { buildSchemaDocument, routeIdOf } from "../../providers/index.ts";
import type { Routes, StoredRoute } from "../../routes/index.ts";
import type { Catalog, CatalogModel, RouteTargetModel } from "./catalog.ts";

export interface RouteModels {
  // Null if there is no such route or none of its targets can be called here.
  find(workspaceId: WorkspaceId, id: string): CatalogModel | null | Promise<CatalogModel | null>;
  // Those that the workspace can call, in bytewise order of ids.
  list(workspaceId: WorkspaceId): Promise<readonly CatalogModel[]>;
}

export interface RouteModelDeps {
  readonly routes: Pick<Routes, "of">;
  catalogFor(workspaceId: WorkspaceId): Catalog | Promise<Catalog>;
}

export function routeModels({ routes, catalogFor }: RouteModelDeps): RouteModels {
  const known = new WeakMap<StoredRoute, { catalog: Catalog; model: CatalogModel | null }>();

  function modelOf(route: StoredRoute | undefined, catalog: Catalog): CatalogModel | null {
    if (route === undefined) return null;
    const ready = known.get(route);
    if (ready?.catalog === catalog) return ready.model;
    const model = routeModel(route, catalog);
    known.set(route, { catalog, model });
    return model;
  }

  return {
    find(workspaceId, id) {
      const name = id.slice(routeIdOf("").length);
      const [all, catalog] = [routes.of(workspaceId), catalogFor(workspaceId)];
      if (all instanceof Promise || catalog instanceof Promise)
        return Promise.all([all, catalog]).then(([byName, models]) => modelOf(byName.get(name), models));
      return modelOf(all.get(name), catalog);
    },
    async list(workspaceId) {
      const [all, catalog] = await Promise.all([routes.of(workspaceId), catalogFor(workspaceId)]);
      const models = [...all.values()].flatMap((route) => modelOf(route, catalog) ?? []);
      return models.sort((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}

function routeModel({ name, definition }: StoredRoute, catalog: Catalog): CatalogModel | null {
  const targets = definition.targets.flatMap((target, at): RouteTargetModel[] => {
    const model = catalog.byId.get(target.model);
    return model ? [{ target, model, isFirst: at === 0 }] : [];
  });
  const [base] = targets;
  if (!base) return null;
  const id = routeIdOf(name);
  const own = base.model.definition;
  const { title, description } = definition;
  const described = {
    ...own,
    model: name,
    title: title ?? id,
    description: description ?? `Calls ${definition.targets.map(({ model }) => model).join(", or ")}.`,
    // Without its first target, a route accepts anything that one of the others accepts.
    input_schema: base.isFirst ? own.input_schema : null,
  };
  return {
    ...base.model,
    id,
    provider: "route",
    definition: described,
    schema: base.isFirst ? base.model.schema : null,
    schemaDocument: buildSchemaDocument(id, described),
    ownCredentialHosts: null,
    needsOwnCredential: false,
    route: { rule: definition.rule ?? "order", isStrict: definition.strict ?? false, targets },
  };
}

export function requireRoute(model: CatalogModel | null): CatalogModel {
  if (model === null)
    throw new Fault("model_not_found", "There is no such route, or none of its targets can be called here.");
  return model;
}
