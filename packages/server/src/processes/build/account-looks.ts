// What the other modules tell the account area about one request, or about the thing that an id names.
import type { AccountDeps } from "../../areas/account/index.ts";
import { describeModel, presentEntry, presentRequest } from "../../areas/model-router/index.ts";
import type { ErrorAnswers } from "../../capabilities/error-answers/index.ts";
import { openPicture } from "../../capabilities/graphs/index.ts";
import { priceWords } from "../../capabilities/prices/index.ts";
import type { Paying } from "./build-calls.ts";
import type { Services } from "./build-services.ts";

export function accountLooks(
  services: Services,
  {
    calls,
    baseUrl,
    errorAnswers,
  }: Pick<Paying, "calls"> & {
    readonly baseUrl: () => string;
    readonly errorAnswers: Pick<ErrorAnswers, "find" | "list">;
  },
): Pick<
  AccountDeps,
  "trails" | "finding" | "outputs" | "charges" | "estimate" | "models" | "jobOutputs" | "gallery" | "saved" | "works"
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
      const catalog = await models.catalogFor(workspaceId);
      return catalog.models.map((model) => ({
        ...presentEntry(model),
        ...describeModel(model),
        price: priceWords(model.price.definition, model.price.creditsPerUsd),
      }));
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
