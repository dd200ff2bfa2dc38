// The routes of descriptors: translate, nothing else.

import { ExtractedDescriptors, operations, UpdateDescriptor } from "@atelier/contract";
import {
  type DescriptorDeps,
  foldedNodeId,
  normalizeVersion,
  presentDescriptor,
  type RegistryReader,
  retryExtractions,
  searchDescriptors,
  storeExtraction,
  updateDescriptor,
} from "../../capabilities/registry/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { answerRead } from "./prepared-answers.ts";
import { readStrictPage } from "./read-versions.route.ts";
import type { RegistryRoutes } from "./registry-areas.ts";
import { readRegistryBody } from "./registry-body.ts";
import { type ActorDeps, type ReaderDeps, requireActor, whoReads } from "./registry-caller.ts";
import { RegistryQuery } from "./registry-query.ts";

export interface DescriptorRouteDeps extends DescriptorDeps, ReaderDeps, ActorDeps {
  readonly read: RegistryReader;
}

const fresh = { "cache-control": "no-store" };
// Descriptors of a large pack come in one body.
const extractionBytesMax = 8 * 1024 * 1024;

export function descriptorRoutes(deps: DescriptorRouteDeps): RegistryRoutes {
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

export function listDescriptorsRoute(deps: DescriptorRouteDeps): Route<undefined> {
  return {
    operation: operations.listDescriptors,
    async handle(incoming) {
      const query = new RegistryQuery(incoming.query);
      const page = query.readPage();
      query.requireNoProblem();
      const reader = await whoReads(deps, incoming);
      const { path, queryText } = incoming;
      const answer = await deps.read.listDescriptors({ ...parametersOf(incoming), ...page, path, queryText, reader });
      return answerRead(answer, reader, incoming.headers["if-none-match"]);
    },
  };
}

export function getDescriptorRoute(deps: DescriptorRouteDeps): Route<undefined> {
  return {
    operation: operations.getDescriptor,
    async handle(incoming) {
      const reader = await whoReads(deps, incoming);
      const { path, queryText } = incoming;
      const answer = await deps.read.descriptor({ ...parametersOf(incoming), path, queryText, reader });
      return answerRead(answer, reader, incoming.headers["if-none-match"]);
    },
  };
}

export function updateDescriptorRoute(deps: DescriptorRouteDeps): Route<undefined> {
  return {
    operation: operations.updateDescriptor,
    async handle(incoming) {
      const caller = await requireActor(deps, incoming);
      const body = await readRegistryBody(UpdateDescriptor, incoming);
      const { requestId } = incoming;
      const stored = await updateDescriptor(deps, { ...parametersOf(incoming), caller, requestId }, body);
      return jsonAnswer(200, presentDescriptor(stored), fresh);
    },
  };
}

export function searchDescriptorsRoute(deps: DescriptorRouteDeps): Route<undefined> {
  return { operation: operations.searchDescriptors, handle: (incoming) => answerSearch(deps, incoming) };
}

async function answerSearch(deps: DescriptorRouteDeps, incoming: Incoming<undefined>) {
  const query = new RegistryQuery(incoming.query);
  const page = readStrictPage(query);
  const nodeId = query.readText("node_id");
  const given = query.readText("node_version");
  const name = query.readText("svc_node_name");
  query.requireNoProblem();
  const version = given === undefined ? undefined : (normalizeVersion(given) ?? "");
  const reader = await whoReads(deps, incoming);
  const filter = { nodeId: nodeId === undefined ? undefined : foldedNodeId(nodeId), version, name };
  const { descriptors, total } = await searchDescriptors(deps.database, filter, reader, page);
  return jsonAnswer(200, { svc_nodes: descriptors.map(presentDescriptor), total }, { "cache-control": "no-cache" });
}

export function createDescriptorsRoute(deps: DescriptorRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.createDescriptors,
    bodyBytesMax: extractionBytesMax,
    async handle(incoming) {
      const body = await readRegistryBody(ExtractedDescriptors, incoming);
      const { caller, requestId } = incoming;
      await storeExtraction(deps, { ...parametersOf(incoming), caller, requestId }, body);
      return { status: 204 };
    },
  };
}

export function backfillDescriptorsRoute(deps: DescriptorRouteDeps): Route<AdminCaller> {
  return {
    operation: operations.backfillDescriptors,
    async handle({ query: given }) {
      const query = new RegistryQuery(given);
      const nodesMax = query.readInteger("max_node") ?? 10;
      if (nodesMax < 1) query.problem("max_node", "must be at least 1");
      query.requireNoProblem();
      await retryExtractions(deps.database, nodesMax);
      return { status: 204 };
    },
  };
}

function parametersOf({ params }: Pick<Incoming<unknown>, "params">) {
  return {
    nodeId: params["nodeId"] ?? "",
    version: params["version"] ?? "",
    name: params["svcNodeName"] ?? "",
  };
}
