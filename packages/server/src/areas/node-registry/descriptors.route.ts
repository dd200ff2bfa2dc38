// The routes of descriptors; they only translate.

import { operations } from "@atelier/contract";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { done, shown } from "./fresh-answers.ts";
import { answerRead } from "./prepared-answers.ts";
import { readStrictPage } from "./read-versions.route.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { identifyReader, type RegistryRouteDeps, requireActor } from "./registry-caller.ts";
import { RegistryQuery } from "./registry-query.ts";

// The descriptors of a large pack come in one body.
const extractionBytesMax = 8 * 1024 * 1024;
const at = ({ params }: Pick<Incoming<unknown>, "params">) => ({
  nodeId: params["nodeId"] ?? "",
  version: params["version"] ?? "",
  name: params["svcNodeName"] ?? "",
});

export function descriptorRoutes(deps: RegistryRouteDeps): RegistryRoutes {
  return {
    open: [
      listDescriptorsRoute(deps),
      getDescriptorRoute(deps),
      updateDescriptorRoute(deps),
      searchDescriptorsRoute(deps),
    ],
    members: [],
    operators: [createDescriptorsRoute(deps), backfillDescriptorsRoute(deps)],
  };
}

export function listDescriptorsRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.listDescriptors, async (incoming) => {
    const query = new RegistryQuery(incoming.query);
    const page = query.readPage();
    query.requireNoProblem();
    const reader = await identifyReader(deps, incoming);
    const { path, queryText } = incoming;
    const { reading } = deps.registry;
    const answer = await reading.listDescriptors({ ...at(incoming), ...page, path, queryText, reader });
    return answerRead(answer, reader, incoming.headers["if-none-match"]);
  });
}

export function getDescriptorRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.getDescriptor, async (incoming) => {
    const reader = await identifyReader(deps, incoming);
    const { path, queryText } = incoming;
    const answer = await deps.registry.reading.descriptor({ ...at(incoming), path, queryText, reader });
    return answerRead(answer, reader, incoming.headers["if-none-match"]);
  });
}

export function updateDescriptorRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.updateDescriptor, async (incoming) => {
    const caller = await requireActor(deps, incoming);
    const sent = { caller, requestId: incoming.requestId, json: () => incoming.json() };
    return shown(deps.registry.descriptors.update(at(incoming), sent));
  });
}

export function searchDescriptorsRoute(deps: RegistryRouteDeps): Route<undefined> {
  return route(operations.searchDescriptors, async (incoming) => {
    const query = new RegistryQuery(incoming.query);
    const page = readStrictPage(query);
    const nodeId = query.readText("node_id");
    const version = query.readText("node_version");
    const name = query.readText("svc_node_name");
    query.requireNoProblem();
    const reader = await identifyReader(deps, incoming);
    const found = await deps.registry.reading.searchDescriptors({ nodeId, version, name }, reader, page);
    return jsonAnswer(200, found, { "cache-control": "no-cache" });
  });
}

export function createDescriptorsRoute({ registry }: RegistryRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.createDescriptors,
    bodyBytesMax: extractionBytesMax,
    async handle(incoming) {
      return done(registry.descriptors.storeExtraction(at(incoming), incoming));
    },
  };
}

export function backfillDescriptorsRoute({ registry }: RegistryRouteDeps): Route<AdminCaller> {
  return route(operations.backfillDescriptors, async ({ query: given }) => {
    const query = new RegistryQuery(given);
    const nodesMax = query.readInteger("max_node") ?? 10;
    if (nodesMax < 1) query.problem("max_node", "must be at least 1");
    query.requireNoProblem();
    return done(registry.descriptors.retryExtractions(nodesMax));
  });
}
