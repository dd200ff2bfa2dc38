import type { Principal } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { endpointsOf } from "./mapping.ts";
import type { OpenaiDeps } from "./openai-caller.ts";
import { openaiOperations } from "./openai-operations.ts";

const worksMax = 1000;

export function listOpenaiModelsRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.listOpenaiModels,
    async handle({ caller: { workspaceId } }) {
      const catalog = await deps.models.catalogFor(workspaceId);
      const works = await deps.models.listWorks({ workspaceId, after: null, count: worksMax });
      const data = [...catalog.models, ...works].flatMap(({ id }) => presentModel(deps, id) ?? []);
      return jsonAnswer(200, { object: "list", data });
    },
  };
}

// Clients write the slash of an id as %2F.
export function getOpenaiModelRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.getOpenaiModel,
    handle: (incoming) => oneModel(deps, incoming, (incoming.params["id"] ?? "").replace(/%2f/i, "/")),
  };
}

export function getOpenaiModelByNameRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.getOpenaiModelByName,
    handle: (incoming) => oneModel(deps, incoming, `${incoming.params["provider"]}/${incoming.params["model"]}`),
  };
}

async function oneModel(deps: OpenaiDeps, { caller }: Incoming<Principal>, id: string) {
  const { id: found } = await deps.models.admit(caller.workspaceId, id);
  const model = presentModel(deps, found);
  if (model === null) throw new Fault("model_not_found", "This model is not offered to these clients.");
  return jsonAnswer(200, model);
}

// A model whose endpoint runs another one, such as an edit, is listed under its own name only.
function presentModel({ mappings }: OpenaiDeps, id: string) {
  const endpoints = endpointsOf(mappings, id);
  if (endpoints.length === 0) return null;
  return { id, object: "model", created: 0, owned_by: id.split("/")[0] ?? "", endpoints };
}
