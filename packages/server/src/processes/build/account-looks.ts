// What the other modules tell the account area about one request, or about the thing that an id names.
import type { AccountModel, LockedModel } from "@atelier/contract";
import type { AccountDeps } from "../../areas/account/index.ts";
import { describeModel, presentEntry, presentRequest } from "../../areas/model-router/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import { type CatalogModel, type LockedModel as Locked, lockedModels } from "../../capabilities/model-calls/index.ts";
import { priceWords, validatePrice } from "../../capabilities/prices/index.ts";
import { promptInput } from "../../capabilities/providers/index.ts";
import { servedHere } from "../../capabilities/templates/index.ts";
import type { Paying } from "./build-calls.ts";
import type { Services } from "./build-services.ts";

export function accountLooks(
  services: Services,
  {
    calls,
    baseUrl,
    errorAnswers,
    creditsPerUsd,
  }: Pick<Paying, "calls"> & {
    readonly baseUrl: () => string;
    readonly errorAnswers: Pick<ErrorAnswers, "find" | "list">;
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
      errorAnswer: (wanted) => errorAnswers.find(wanted),
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
    async models(workspaceId) {
      const [catalog, locked] = await Promise.all([models.catalogFor(workspaceId), lockedHere()]);
      return {
        callable: catalog.models.map(presentCallable),
        // A workspace may have brought its own credential.
        locked: locked.filter(({ id }) => !catalog.byId.has(id)).map((model) => presentLocked(model, creditsPerUsd)),
      };
    },
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

function presentCallable(model: CatalogModel): AccountModel {
  return {
    ...presentEntry(model),
    ...describeModel(model),
    price: priceWords(model.price.definition, model.price.creditsPerUsd),
    prompt_input: promptInput(model.definition.input_schema),
  };
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
