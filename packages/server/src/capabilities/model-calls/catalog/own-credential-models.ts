// Models called with a workspace's own credential. It is the same model, sent with the workspace's key. We charge nothing,
// because the provider bills the workspace directly. If this server has no credential for a provider, only workspaces with
// their own see its models.

import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Secret } from "../../../foundation/settings.ts";
import type { OwnCredentials } from "../../own-credentials/index.ts";
import { freePrice, type Price } from "../../prices/index.ts";
import type { LiveProviders, ServedModel } from "../../providers/index.ts";
import { type Catalog, type CatalogModel, createCatalog } from "./catalog.ts";

type Priced = ServedModel & { readonly price: Price };

export interface OwnCredentialModels {
  // Returns the model unchanged if the workspace has no credential.
  forCall(model: CatalogModel, workspaceId: WorkspaceId): CatalogModel | Promise<CatalogModel>;
  // Null if the workspace has no credential: a call that began with one has to wait.
  forFollowing(model: Priced, workspaceId: WorkspaceId): Promise<Priced | null>;
}

export function ownCredentialModels(own: Pick<OwnCredentials, "find">): OwnCredentialModels {
  return {
    forCall(model, workspaceId) {
      const found = find(own, model, workspaceId);
      if (found instanceof Promise) return found.then((secret) => forCall(model, secret));
      return forCall(model, found);
    },
    async forFollowing(model, workspaceId) {
      return under(model, await find(own, model, workspaceId));
    },
  };
}

function find(own: Pick<OwnCredentials, "find">, { provider, ownCredentialHosts }: Priced, workspaceId: WorkspaceId) {
  return ownCredentialHosts === null ? null : own.find(workspaceId, provider, ownCredentialHosts);
}

function forCall(model: CatalogModel, secret: Secret | null): CatalogModel {
  const own = under(model, secret);
  // The credential was removed after the model was looked up, so the model no longer exists for this workspace.
  if (own === null && model.needsOwnCredential) throw new Fault("model_not_found", "There is no such model.");
  return own ?? model;
}

function under<Model extends Priced>(model: Model, secret: Secret | null): Model | null {
  if (secret === null) return null;
  return {
    ...model,
    price: freePrice,
    isOwnCredential: true,
    credentialHeaders: () => model.credentialHeaders(secret),
    secrets: () => model.secrets?.(secret) ?? [secret.reveal()],
  };
}

export interface OwnCatalogDeps {
  readonly own: Pick<OwnCredentials, "providersOf" | "find">;
  readonly live: Pick<LiveProviders, "modelsForOwn">;
  readonly current: () => Catalog;
  priced(model: ServedModel): Promise<CatalogModel[]>;
}

// What a workspace sees: the shared catalog, plus the models its own credentials give access to.
export function ownCatalogs(deps: OwnCatalogDeps): (workspaceId: WorkspaceId) => Catalog | Promise<Catalog> {
  const { own, live } = deps;

  async function reached(workspaceId: WorkspaceId, provider: string): Promise<CatalogModel[]> {
    const models = await live.modelsForOwn(provider);
    const hosts = models[0]?.ownCredentialHosts;
    if (!hosts || (await own.find(workspaceId, provider, hosts)) === null) return [];
    return (await Promise.all(models.map(deps.priced))).flat();
  }

  async function withOwn(workspaceId: WorkspaceId, providers: readonly string[]): Promise<Catalog> {
    const found = (await Promise.all(providers.map((provider) => reached(workspaceId, provider)))).flat();
    const base = deps.current();
    const more = found.filter(({ id }) => !base.byId.has(id));
    return more.length === 0 ? base : createCatalog([...base.models, ...more]);
  }

  return (workspaceId) => {
    const providers = own.providersOf(workspaceId);
    if (providers instanceof Promise)
      return providers.then((names) => (names.length === 0 ? deps.current() : withOwn(workspaceId, names)));
    return providers.length === 0 ? deps.current() : withOwn(workspaceId, providers);
  };
}
