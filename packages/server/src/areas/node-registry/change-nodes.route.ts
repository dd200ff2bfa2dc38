// The routes by which members change nodes: translate, nothing else. A stranger hears that they are one before anything
// is said about what they sent.

import {
  ClaimNode,
  CreateNode,
  type EditPermission,
  NodeTranslations,
  operations,
  type RegistryNode,
  UpdateNode,
} from "@atelier/contract";
import type { Principal } from "../../capabilities/identity/index.ts";
import {
  accessAt,
  type ClaimDeps,
  claimNode,
  createNode,
  deleteNode,
  type FieldProblem,
  findNode,
  findTranslations,
  foldedNodeId,
  isNodeId,
  memberIn,
  noSuchNode,
  problemsOfLanguages,
  problemsOfNodeId,
  rateNode,
  readerOf,
  requirePublisherMember,
  requireReadableNode,
  roleAt,
  translateNode,
  updateNode,
} from "../../capabilities/registry/index.ts";
import { type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { type PresentNodeDeps, presentNode } from "./present-node.ts";
import { readRegistryBody } from "./registry-body.ts";
import { RegistryQuery } from "./registry-query.ts";

export type RequiredNodeField = "repository" | "license";

export interface ChangeNodeDeps extends ClaimDeps, PresentNodeDeps {
  // Fields that an operator wants every new node to have.
  readonly requiredFields: readonly RequiredNodeField[];
}

type Asking = Incoming<Principal>;
const fresh = { "cache-control": "no-store" };
const at = ({ params }: Asking) => ({ publisherId: params["publisherId"] ?? "", nodeId: params["nodeId"] ?? "" });

export function changeNodeRoutes(deps: ChangeNodeDeps): readonly Route<Principal>[] {
  return [
    createNodeRoute(deps),
    updateNodeRoute(deps),
    deleteNodeRoute(deps),
    getNodePermissionsRoute(deps),
    claimNodeRoute(deps),
    createReviewRoute(deps),
    createNodeTranslationsRoute(deps),
  ];
}

export function createNodeRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.createNode,
    async handle(incoming) {
      const { publisherId } = at(incoming);
      await requirePublisherMember(deps.database, incoming.caller, publisherId);
      const body = await readRegistryBody(CreateNode, incoming, (sent) => problemsOfNewNode(deps, sent));
      await createNode(deps, publisherId, body, incoming);
      return jsonAnswer(201, await shown(deps, body.id, incoming), fresh);
    },
  };
}

export function updateNodeRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.updateNode,
    async handle(incoming) {
      await requirePublisherMember(deps.database, incoming.caller, at(incoming).publisherId);
      const body = await readRegistryBody(UpdateNode, incoming, (sent) => problemsOfPathId(sent, at(incoming).nodeId));
      await updateNode(deps, at(incoming), body, incoming);
      return jsonAnswer(200, await shown(deps, at(incoming).nodeId, incoming), fresh);
    },
  };
}

export function deleteNodeRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.deleteNode,
    async handle(incoming) {
      await deleteNode(deps, at(incoming), incoming);
      return { status: 204 };
    },
  };
}

export function getNodePermissionsRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.getNodePermissions,
    handle: async (incoming) => jsonAnswer(200, await permissionOf(deps, incoming), fresh),
  };
}

export function claimNodeRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.claimNode,
    async handle(incoming) {
      await requirePublisherMember(deps.database, incoming.caller, at(incoming).publisherId);
      const { GH_TOKEN } = await readRegistryBody(ClaimNode, incoming);
      await claimNode(deps, at(incoming), GH_TOKEN, incoming);
      return { status: 204 };
    },
  };
}

export function createReviewRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.createReview,
    async handle(incoming) {
      const query = new RegistryQuery(incoming.query);
      const star = query.read("star", (text) => (/^[1-5]$/.test(text) ? Number(text) : null), "1 to 5");
      if (star === undefined) query.problem("star", "is required, from 1 to 5");
      query.requireNoProblem();
      await rateNode(deps, at(incoming).nodeId, star ?? 0, incoming);
      return jsonAnswer(200, await shown(deps, at(incoming).nodeId, incoming), fresh);
    },
  };
}

export function createNodeTranslationsRoute(deps: ChangeNodeDeps): Route<Principal> {
  return {
    operation: operations.createNodeTranslations,
    async handle(incoming) {
      await requireReadableNode(deps.database, at(incoming).nodeId, readerOf(incoming.caller));
      const body = await readRegistryBody(NodeTranslations, incoming, (sent) =>
        problemsOfLanguages(memberIn(sent, "data"), "/data"),
      );
      await translateNode(deps, at(incoming).nodeId, body, incoming);
      return jsonAnswer(201, await shown(deps, at(incoming).nodeId, incoming), fresh);
    },
  };
}

// The whole node, translations too: who has just sent them sees what became of them.
async function shown(deps: ChangeNodeDeps, nodeId: string, { caller }: Asking): Promise<RegistryNode> {
  const node = await requireReadableNode(deps.database, nodeId, readerOf(caller));
  const translations = await findTranslations(deps.database, node.id);
  return { ...presentNode(deps, node), ...(Object.keys(translations).length > 0 ? { translations } : {}) };
}

async function permissionOf(deps: ChangeNodeDeps, incoming: Asking): Promise<EditPermission> {
  const { publisherId, nodeId } = at(incoming);
  const { publisher } = await accessAt(deps.database, incoming.caller, publisherId);
  const reader = readerOf(incoming.caller);
  const node = isNodeId(nodeId) ? await findNode(deps.database, foldedNodeId(nodeId), reader) : null;
  if (node === null || node.status === "NodeStatusDeleted" || node.publisherId !== publisher.id) throw noSuchNode();
  const role = await roleAt(deps.database, incoming.caller, publisher);
  const isOpen = node.status === "NodeStatusActive" && publisher.status === "PublisherStatusActive";
  return { canEdit: role !== null && isOpen };
}

function problemsOfNewNode(
  { requiredFields }: Pick<ChangeNodeDeps, "requiredFields">,
  body: unknown,
): readonly FieldProblem[] {
  const missing = requiredFields.filter((name) => [undefined, ""].some((empty) => memberIn(body, name) === empty));
  return [
    ...problemsOfNodeId(body),
    ...missing.map((name) => ({ path: `/${name}`, message: "is required in this registry" })),
  ];
}

// Id and publisher never change: a body that names another node was meant for another path.
function problemsOfPathId(body: unknown, nodeId: string): readonly FieldProblem[] {
  const id = memberIn(body, "id");
  const isOther = id !== undefined && !(typeof id === "string" && foldedNodeId(id) === foldedNodeId(nodeId));
  return isOther ? [{ path: "/id", message: "is not the id in the path, and ids never change" }] : [];
}
