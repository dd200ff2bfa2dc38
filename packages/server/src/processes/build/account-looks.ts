// What the other modules tell the account area about one request, or about the thing that an id names.
import type { AccountModel, LockedModel } from "@atelier/contract";
import type { AccountDeps } from "../../areas/account/index.ts";
import { describeModel, presentEntry, presentRequest } from "../../areas/model-router/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import type { Operators } from "../../capabilities/identity/index.ts";
import {
  type CatalogModel,
  type LockedModel as Locked,
  lockedModels,
  type ModelCalls,
} from "../../capabilities/model-calls/index.ts";
import { priceWords, validatePrice } from "../../capabilities/prices/index.ts";
import { promptInput } from "../../capabilities/providers/index.ts";
import { servedHere } from "../../capabilities/templates/index.ts";
import { nobodysWorkspace } from "../../foundation/http/answered-error.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Paying } from "./build-calls.ts";
import type { Services } from "./build-services.ts";

export function accountLooks(
  services: Services,
  {
    calls,
    baseUrl,
    errorAnswers,
    operators,
    creditsPerUsd,
  }: Pick<Paying, "calls"> & {
    readonly baseUrl: () => string;
    readonly errorAnswers: Pick<ErrorAnswers, "find" | "list">;
    readonly operators: Pick<Operators, "roleOf">;
    readonly creditsPerUsd: number;
  },
): Pick<
  AccountDeps,
  | (
      | "trails"
      | "finding"
      | "outputs"
      | "charges"
      | "estimate"
      | "models"
      | "jobOutputs"
      | "gallery"
      | "saved"
      | "works"
    )
  | "servedTo"
> {
  const { partners, workflows } = services;
  const { models, live, forGraphs } = services.models;
  const lockedHere = lockedModels(live);
  return {
    trails: {
      async queued({ workspaceId, callId, model }) {
        const request = await models.requests.find({ workspaceId, id: callId, model });
        return request && presentRequest(baseUrl(), request);
      },
      partnerTask: ({ workspaceId, callId }) => partners.findTask({ workspaceId, taskId: callId }),
      errorAnswer: findErrors(errorAnswers, operators),
      errorAnswers: (filter, page) => errorAnswers.list(filter, page),
    },
    outputs: {
      assets: workflows.assets,
      answerOf: (callId, answeredAt) => calls.replay(callId, answeredAt),
      modelOf: (id, version) => live.modelOf(id, version),
      open: openPicture(forGraphs),
    },
    charges: workflows.jobs.charges,
    estimate: workflows.estimate,
    saved: workflows.saved,
    works: workflows.works,
    models: async (workspaceId) => presentModels(models, workspaceId, await lockedHere(), creditsPerUsd),
    async servedTo(workspaceId) {
      await workflows.graphs.ready?.();
      const { byId } = await models.catalogFor(workspaceId);
      return servedHere(workflows.graphs.classes(), {
        modelsOf: (name) => (forGraphs.classes.declaration(name)?.calls ?? []).map(({ model }) => model),
        canCall: (id) => byId.has(id),
      });
    },
    jobOutputs: workflows.jobs,
    gallery: workflows.assets,
    finding: {
      jobs: workflows.jobs,
      assets: workflows.assets,
      models: async (workspaceId) => (await models.catalogFor(workspaceId)).models.map(({ id }) => id),
      registry: services.registry.reading.finder,
    },
  };
}

// Operators also find the refusals that belong to no workspace.
function findErrors(
  errorAnswers: Pick<ErrorAnswers, "find">,
  operators: Pick<Operators, "roleOf">,
): AccountDeps["trails"]["errorAnswer"] {
  return async ({ by: { workspaceId, personId }, requestId }) => {
    const own = await errorAnswers.find({ workspaceId, requestId });
    if (own !== null || personId === null || (await operators.roleOf(personId)) === null) return own;
    return errorAnswers.find({ workspaceId: nobodysWorkspace, requestId });
  };
}

async function presentModels(
  models: Pick<ModelCalls, "catalogFor" | "listRoutes">,
  workspaceId: WorkspaceId,
  locked: readonly Locked[],
  creditsPerUsd: number,
) {
  const [catalog, routes] = await Promise.all([models.catalogFor(workspaceId), models.listRoutes(workspaceId)]);
  return {
    callable: [...catalog.models, ...routes].map(presentCallable),
    // A workspace may have brought its own credential.
    locked: locked.filter(({ id }) => !catalog.byId.has(id)).map((model) => presentLocked(model, creditsPerUsd)),
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
