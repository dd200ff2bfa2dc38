// Models under a workspace's own credential: the same model, sent with the workspace's key, at no charge of ours, since the
// provider bills the workspace itself.
import type { CatalogModel } from "../areas/model-router/index.ts";
import type { OwnCredentials } from "../capabilities/own-credentials/index.ts";
import { type Price, priceOf } from "../capabilities/prices/index.ts";
import type { ServedModel } from "../capabilities/providers/index.ts";
import type { WorkspaceId } from "../foundation/ids.ts";
import type { Secret } from "../foundation/settings.ts";

const free: Price = priceOf({ usd: "0" }, 1);

type Priced = ServedModel & { readonly price: Price };

export interface OwnCredentialModels {
  // The model itself where the workspace has none.
  forCall(model: CatalogModel, workspaceId: WorkspaceId): CatalogModel | Promise<CatalogModel>;
  // Null where the workspace has none: a call that began under it waits.
  forFollowing(model: Priced, workspaceId: WorkspaceId): Promise<Priced | null>;
}

export function ownCredentialModels(own: Pick<OwnCredentials, "find">): OwnCredentialModels {
  return {
    forCall(model, workspaceId) {
      const found = find(own, model, workspaceId);
      if (found instanceof Promise) return found.then((secret) => under(model, secret) ?? model);
      return under(model, found) ?? model;
    },
    async forFollowing(model, workspaceId) {
      return under(model, await find(own, model, workspaceId));
    },
  };
}

function find(own: Pick<OwnCredentials, "find">, { provider, ownCredentialHosts }: Priced, workspaceId: WorkspaceId) {
  return ownCredentialHosts === null ? null : own.find(workspaceId, provider, ownCredentialHosts);
}

function under<Model extends Priced>(model: Model, secret: Secret | null): Model | null {
  if (secret === null) return null;
  return { ...model, price: free, isOwnCredential: true, credentialHeaders: () => model.credentialHeaders(secret) };
}
