import { type AccountDeps, accountModels, findErrors } from "../../areas/account/index.ts";
import { presentRequest } from "../../areas/model-router/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import { servedHere } from "../../capabilities/templates/index.ts";
import type { ServiceDeps, Services } from "./build-services.ts";

export function accountLooks(
  { paying, baseUrl, capabilities, config, errorAnswers }: ServiceDeps & { readonly errorAnswers: ErrorAnswers },
  services: Services,
) {
  const { partners, workflows } = services;
  const { models, live, forGraphs } = services.models;
  return {
    trails: {
      async queued({ workspaceId, callId, model }) {
        const request = await models.requests.find({ workspaceId, id: callId, model });
        return request && presentRequest(baseUrl(), request);
      },
      partnerTask: ({ workspaceId, callId }) => partners.findTask({ workspaceId, taskId: callId }),
      errorAnswer: findErrors(errorAnswers, capabilities.identity.operators),
      errorAnswers: (filter, page) => errorAnswers.list(filter, page),
    },
    outputs: {
      assets: workflows.assets,
      answerOf: (callId, answeredAt) => paying.calls.replay(callId, answeredAt),
      modelOf: (id, version) => live.modelOf(id, version),
      open: openPicture(forGraphs),
    },
    charges: workflows.jobs.charges,
    estimate: workflows.estimate,
    saved: workflows.saved,
    works: workflows.works,
    models: accountModels(models, live, config.creditsPerUsd),
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
  } satisfies Partial<AccountDeps>;
}
