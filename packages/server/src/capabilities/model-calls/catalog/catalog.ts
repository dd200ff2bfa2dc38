// The models this server runs now, with their prices. Replaced as a whole when definitions, releases or prices change, so a
// request sees one consistent state. Before the first state arrives the catalog is not empty but unavailable (Spec, Router
// rule 3: 503, and the call is retried).

import type { RouteTarget, routeRules } from "@atelier/contract";
import { Fault } from "../../../foundation/fault.ts";
import { editDistance } from "../../../foundation/settings.ts";
import type { Price } from "../../prices/index.ts";
import type { ServedModel } from "../../providers/index.ts";

export interface CatalogModel extends ServedModel {
  readonly price: Price;
  // Null if the call itself is free because what it runs is paid for separately.
  readonly priceRecordId: string | null;
  // Uses the workspace's own credential; the provider bills the workspace directly.
  readonly isOwnCredential?: boolean;
  // Present if it is a route: the models that it stands for.
  readonly route?: RouteOfModel;
}

export interface RouteOfModel {
  readonly rule: (typeof routeRules)[number];
  // Whether a target is skipped if it would drop an input.
  readonly isStrict: boolean;
  // Those that can be called now, in the order of the route.
  readonly targets: readonly RouteTargetModel[];
}

export interface RouteTargetModel {
  readonly target: RouteTarget;
  readonly model: CatalogModel;
  // The route takes its inputs as they are.
  readonly isFirst: boolean;
}

export interface Catalog {
  // In bytewise order of ids.
  readonly models: readonly CatalogModel[];
  readonly byId: ReadonlyMap<string, CatalogModel>;
}

export function createCatalog(models: readonly CatalogModel[]): Catalog {
  const sorted = [...models].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { models: sorted, byId: new Map(sorted.map((model) => [model.id, model])) };
}

export interface CatalogHolder {
  current(): Catalog;
  replace(catalog: Catalog): void;
}

export function catalogHolder(): CatalogHolder {
  let catalog: Catalog | null = null;
  return {
    current() {
      if (catalog === null)
        throw new Fault("service_unavailable", "The catalog is still loading. Try again shortly.", {
          retryAfterSeconds: 1,
        });
      return catalog;
    },
    replace(next) {
      catalog = next;
    },
  };
}

// 404 with similar names. All names are public in the list, so a suggestion reveals nothing.
export function requireModel(catalog: Catalog, id: string | null): CatalogModel {
  const model = id === null ? undefined : catalog.byId.get(id);
  if (model) return model;
  const near = id === null ? [] : nearNames(catalog, id);
  const hint = near.length > 0 ? ` Did you mean ${near.join(" or ")}?` : " GET /v1/models lists every model.";
  throw new Fault("model_not_found", `There is no such model.${hint}`);
}

function nearNames(catalog: Catalog, id: string): string[] {
  return catalog.models
    .map((model) => ({ id: model.id, distance: editDistance(model.id, id) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(id.length / 4)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map((near) => near.id);
}
