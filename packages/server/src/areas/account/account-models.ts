// The models that a workspace can call, and those that it could with a credential, with titles and prices.
import type { AccountModel, LockedModel } from "@atelier/contract";
import {
  type CatalogModel,
  describeModel,
  type LockedModel as Locked,
  lockedModels,
  type ModelCalls,
  presentEntry,
} from "../../capabilities/model-calls/index.ts";
import { priceWords, validatePrice } from "../../capabilities/prices/index.ts";
import { promptInput } from "../../capabilities/providers/index.ts";
import type { AccountModelDeps } from "./list-account-models.route.ts";

export function accountModels(
  models: Pick<ModelCalls, "catalogFor" | "listRoutes">,
  live: Parameters<typeof lockedModels>[0],
  creditsPerUsd: number,
): AccountModelDeps["models"] {
  const lockedHere = lockedModels(live);
  return async (workspaceId) => {
    const locked = await lockedHere();
    const [catalog, routes] = await Promise.all([models.catalogFor(workspaceId), models.listRoutes(workspaceId)]);
    return {
      callable: [...catalog.models, ...routes].map(presentCallable),
      // A workspace may have brought its own credential.
      locked: locked.filter(({ id }) => !catalog.byId.has(id)).map((model) => presentLocked(model, creditsPerUsd)),
    };
  };
}

function presentCallable(model: CatalogModel): AccountModel {
  return {
    ...presentEntry(model),
    ...describeModel(model),
    price: priceOf(model),
    prompt_input: promptInput(model.definition.input_schema),
  };
}

// Of a route: what its targets cost, each price once.
function priceOf({ price, route }: CatalogModel): string {
  const prices = route ? route.targets.map(({ model }) => model.price) : [price];
  return [...new Set(prices.map(({ definition, creditsPerUsd }) => priceWords(definition, creditsPerUsd)))].join(
    " or ",
  );
}

function presentLocked({ id, provider, definition, takesOwnCredential }: Locked, creditsPerUsd: number): LockedModel {
  const { model, title, description, kind, charges_on_policy_rejection } = definition;
  const price = validatePrice(definition.price);
  return {
    id,
    provider,
    model,
    billing: { charges_on_policy_rejection },
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(kind === undefined ? {} : { kind }),
    price: price.ok ? priceWords(price.definition, creditsPerUsd) : "",
    own_credential: takesOwnCredential,
  };
}
