import { type AccountDeps, accountModels, findErrors } from "../../areas/account/index.ts";
import { presentRequest } from "../../areas/model-router/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import type { Operators } from "../../capabilities/identity/index.ts";
import { servedHere } from "../../capabilities/templates/index.ts";
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
    models: accountModels(models, live, creditsPerUsd),
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
