// The operators' routes on nodes and publishers: translate, nothing else. Work over all nodes goes on after the answer.

import { BanReason, CreateNode, type GeneratedToken, operations, ReviewNode } from "@atelier/contract";
import {
  banNode,
  type ChangeDeps,
  createNodeAsOperator,
  findNode,
  foldedNodeId,
  movePublisher,
  noSuchNode,
  operator,
  problemsOfNodeId,
  requireReadableNode,
  reviewNode,
} from "../../capabilities/registry/index.ts";
import { type AdminCaller, type AdminTokens, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { type PresentNodeDeps, presentNode } from "./present-node.ts";
import { readRegistryBody } from "./registry-body.ts";
import { RegistryQuery } from "./registry-query.ts";

export interface ReviewDeps extends ChangeDeps, PresentNodeDeps {
  readonly adminTokens: Pick<AdminTokens, "create">;
  reindex(): void;
  readStars(nodesMax: number): void;
}

type Asking = Incoming<AdminCaller>;
const fresh = { "cache-control": "no-store" };
const at = ({ params }: Asking) => ({ publisherId: params["publisherId"] ?? "", nodeId: params["nodeId"] ?? "" });
const generatedTokenMs = 3_600_000;

export function reviewNodeRoutes(deps: ReviewDeps): readonly Route<AdminCaller>[] {
  return [
    createNodeAsAdminRoute(deps),
    reviewNodeRoute(deps),
    banPublisherRoute(deps),
    unbanPublisherRoute(deps),
    banNodeRoute(deps),
    generateAdminTokenRoute(deps),
    reindexNodesRoute(deps),
    updateRepositoryStarsRoute(deps),
  ];
}

export function createNodeAsAdminRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.createNodeAsAdmin,
    async handle(incoming) {
      const body = await readRegistryBody(CreateNode, incoming, problemsOfNodeId);
      await createNodeAsOperator(deps, body, incoming);
      const node = await requireReadableNode(deps.database, body.id, operator);
      return jsonAnswer(201, presentNode(deps, node), fresh);
    },
  };
}

export function reviewNodeRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.reviewNode,
    async handle(incoming) {
      const { nodeId } = at(incoming);
      const body = await readRegistryBody(ReviewNode, incoming);
      await reviewNode(deps, nodeId, body, incoming);
      const node = await findNode(deps.database, foldedNodeId(nodeId), operator);
      if (node === null) throw noSuchNode();
      return jsonAnswer(200, presentNode(deps, node), fresh);
    },
  };
}

export function banPublisherRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.banPublisher,
    async handle(incoming) {
      await movePublisher(deps, at(incoming).publisherId, "ban", await reasonIn(incoming), incoming);
      return { status: 204 };
    },
  };
}

export function unbanPublisherRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.unbanPublisher,
    async handle(incoming) {
      await movePublisher(deps, at(incoming).publisherId, "unban", null, incoming);
      return { status: 204 };
    },
  };
}

export function banNodeRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.banNode,
    async handle(incoming) {
      await banNode(deps, at(incoming), await reasonIn(incoming), incoming);
      return { status: 204 };
    },
  };
}

export function generateAdminTokenRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.generateAdminToken,
    async handle({ caller, requestId }) {
      const expiresAt = new Date(deps.clock.now().getTime() + generatedTokenMs);
      const name = `generated ${requestId}`;
      const { secret } = await deps.adminTokens.create({ name, expiresAt }, actingAsAdmin(caller, requestId));
      const body: GeneratedToken = { token: secret, expires_at: expiresAt.toISOString() };
      return jsonAnswer(201, body, fresh);
    },
  };
}

export function reindexNodesRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.reindexNodes,
    handle() {
      deps.reindex();
      return { status: 204 };
    },
  };
}

export function updateRepositoryStarsRoute(deps: ReviewDeps): Route<AdminCaller> {
  return {
    operation: operations.updateRepositoryStars,
    handle({ query }) {
      const asked = new RegistryQuery(query);
      const parse = (text: string) => (/^[1-9]\d*$/.test(text) ? Math.min(Number(text), 1_000_000) : null);
      const nodesMax = asked.read("max_batch", parse, "a whole number from 1") ?? 100;
      asked.requireNoProblem();
      deps.readStars(nodesMax);
      return { status: 204 };
    },
  };
}

async function reasonIn(incoming: Asking): Promise<string | null> {
  if ((await incoming.bytes()).byteLength === 0) return null;
  return (await readRegistryBody(BanReason, incoming)).reason ?? null;
}
