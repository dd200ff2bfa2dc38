// The registry's operator and machine operations: bans, review with reasons, extraction, upkeep.
import { Type } from "typebox";
import { limits } from "../limits.ts";
import {
  ExtractedDescriptors,
  GeneratedToken,
  NodeVersionPage,
  ReviewNode,
  ReviewNodeVersion,
} from "../node-publishing.ts";
import { CreateNode, NodeVersion, NodeVersionStatus, PublisherId, RegistryNode } from "../node-registry.ts";
import type { Operation } from "../operation.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const nodeId = Type.String({ minLength: 1, description: "The node's id." });
const version = Type.String({ minLength: 1, description: "The version's number." });
const nodeParams = Type.Object({ nodeId });
const versionParams = Type.Object({ nodeId, version });
const publisherParams = Type.Object({ publisherId: PublisherId });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId });

export const registryAdministrationOperations = {
  banPublisher: {
    id: "banPublisher",
    method: "POST",
    path: "/publishers/{publisherId}/ban",
    tag: tags.registryAdministration,
    summary: "Ban a publisher and its nodes",
    access: "admin",
    params: publisherParams,
    answers: {
      204: emptyAnswer("It is banned."),
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      500: genericFault[500],
    },
  },
  banNode: {
    id: "banNode",
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/ban",
    tag: tags.registryAdministration,
    summary: "Ban a node",
    access: "admin",
    params: publishedNodeParams,
    answers: {
      204: emptyAnswer("It is banned."),
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      500: genericFault[500],
    },
  },
  createNodeAsAdmin: {
    id: "createNodeAsAdmin",
    method: "POST",
    path: "/admin/nodes",
    tag: tags.registryAdministration,
    summary: "Create a node without a publisher",
    access: "admin",
    body: jsonBody(CreateNode),
    answers: {
      201: answer(RegistryNode, "The node."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      409: genericFault[409],
      500: genericFault[500],
    },
  },
  reviewNode: {
    id: "reviewNode",
    method: "PUT",
    path: "/admin/nodes/{nodeId}",
    tag: tags.registryAdministration,
    summary: "Change a node as an operator",
    access: "admin",
    params: nodeParams,
    body: jsonBody(ReviewNode),
    answers: {
      200: answer(RegistryNode, "The node as it is now."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      500: genericFault[500],
    },
  },
  reviewNodeVersion: {
    id: "reviewNodeVersion",
    method: "PUT",
    path: "/admin/nodes/{nodeId}/versions/{version}",
    tag: tags.registryAdministration,
    summary: "Decide about a version, with a reason",
    access: "admin",
    params: versionParams,
    body: jsonBody(ReviewNodeVersion),
    answers: {
      200: answer(NodeVersion, "The version as it is now."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      500: genericFault[500],
    },
  },
  listNodeVersionsAsAdmin: {
    id: "listNodeVersionsAsAdmin",
    method: "GET",
    path: "/admin/nodeversions",
    tag: tags.registryAdministration,
    summary: "List versions of all nodes, deleted ones too",
    access: "admin",
    query: Type.Object({
      include_deleted: Type.Optional(Type.Boolean({ description: "Also deleted versions." })),
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(Type.Integer({ maximum: limits.registryPageSizeMax, description: "Entries per page." })),
    }),
    answers: {
      200: answer(NodeVersionPage, "One page of versions."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
  generateAdminToken: {
    id: "generateAdminToken",
    method: "POST",
    path: "/admin/generate-token",
    tag: tags.registryAdministration,
    summary: "Make a short-lived operator token",
    access: "admin",
    answers: {
      201: answer(GeneratedToken, "The token."),
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
  createDescriptors: {
    id: "createDescriptors",
    method: "POST",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes",
    tag: tags.registryAdministration,
    summary: "Store all descriptors of a version at once",
    description: "For extractors. 409 when the version was extracted already.",
    access: "admin",
    params: versionParams,
    body: jsonBody(ExtractedDescriptors),
    answers: {
      204: emptyAnswer("They are stored."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      409: genericFault[409],
      413: genericFault[413],
      500: genericFault[500],
    },
  },
  backfillDescriptors: {
    id: "backfillDescriptors",
    method: "POST",
    path: "/svc-nodes/backfill",
    tag: tags.registryAdministration,
    summary: "Extract descriptors that are missing",
    access: "admin",
    query: Type.Object({
      max_node: Type.Optional(Type.Integer({ minimum: 1, default: 10, description: "How many nodes at most." })),
    }),
    answers: {
      204: emptyAnswer("The extraction is under way."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
  reindexNodes: {
    id: "reindexNodes",
    method: "POST",
    path: "/nodes/reindex",
    tag: tags.registryAdministration,
    summary: "Build the search index anew",
    access: "admin",
    answers: {
      204: emptyAnswer("It is under way."),
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
  updateRepositoryStars: {
    id: "updateRepositoryStars",
    method: "POST",
    path: "/nodes/update-github-stars",
    tag: tags.registryAdministration,
    summary: "Read the stars of repositories anew",
    access: "admin",
    query: Type.Object({
      max_batch: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: "How many nodes at most." })),
    }),
    answers: {
      204: emptyAnswer("It is under way."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
  scanPendingVersions: {
    id: "scanPendingVersions",
    method: "GET",
    path: "/security-scan",
    tag: tags.registryAdministration,
    summary: "Check versions that wait for their verdict",
    access: "admin",
    query: Type.Object({
      minAge: Type.Optional(
        Type.String({ default: "30m", description: "Only versions that wait at least this long." }),
      ),
      maxNodes: Type.Optional(Type.Integer({ minimum: 1, default: 50, description: "How many versions at most." })),
    }),
    answers: {
      200: answer(Type.Array(NodeVersion), "The versions that were checked, with their verdicts."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      500: genericFault[500],
    },
  },
} as const satisfies Record<string, Operation>;
