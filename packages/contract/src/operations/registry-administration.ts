// The registry's operator and machine operations: bans, review with reasons, extraction, upkeep.
import { Type } from "typebox";
import { limits } from "../limits.ts";
import {
  BanReason,
  ExtractedDescriptors,
  GeneratedToken,
  NodeVersionPage,
  NodeVersionReview,
  ReviewNode,
  ReviewNodeVersion,
} from "../node-publishing.ts";
import { CreateNode, NodeVersion, NodeVersionStatus, PublisherId, RegistryNode } from "../node-registry.ts";
import { operationTable } from "../operation.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { memberFaults, publisherParams, writeFaults } from "./registry-parts.ts";
import { tags } from "./tags.ts";

const nodeId = Type.String({ minLength: 1, description: "The node's id." });
const version = Type.String({ minLength: 1, description: "The version's number." });
const nodeParams = Type.Object({ nodeId });
const versionParams = Type.Object({ nodeId, version });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId });

const common = { tag: tags.registryAdministration, access: "admin" } as const;

export const registryAdministrationOperations = operationTable(common, {
  banPublisher: {
    method: "POST",
    path: "/publishers/{publisherId}/ban",
    summary: "Ban a publisher and its nodes",
    params: publisherParams,
    body: jsonBody(BanReason, false),
    answers: { 204: emptyAnswer("It is banned."), ...writeFaults },
  },
  unbanPublisher: {
    method: "DELETE",
    path: "/publishers/{publisherId}/ban",
    summary: "Lift the ban of a publisher",
    description: "Nodes that were banned together with it are offered again; those that were banned alone stay banned.",
    params: publisherParams,
    answers: { 204: emptyAnswer("It may publish again."), ...memberFaults },
  },
  banNode: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/ban",
    summary: "Ban a node",
    params: publishedNodeParams,
    body: jsonBody(BanReason, false),
    answers: { 204: emptyAnswer("It is banned."), ...writeFaults },
  },
  createNodeAsAdmin: {
    method: "POST",
    path: "/admin/nodes",
    summary: "Create a node without a publisher",
    body: jsonBody(CreateNode),
    answers: { 201: answer(RegistryNode, "The node."), ...genericFaults(400, 401, 403, 409, 413, 429, 500, 503) },
  },
  reviewNode: {
    method: "PUT",
    path: "/admin/nodes/{nodeId}",
    summary: "Change a node as an operator",
    params: nodeParams,
    body: jsonBody(ReviewNode),
    answers: { 200: answer(RegistryNode, "The node as it is now."), ...writeFaults, ...genericFaults(409) },
  },
  reviewNodeVersion: {
    method: "PUT",
    path: "/admin/nodes/{nodeId}/versions/{version}",
    summary: "Decide about a version, with a reason",
    params: versionParams,
    body: jsonBody(ReviewNodeVersion),
    answers: { 200: answer(NodeVersion, "The version as it is now."), ...writeFaults, ...genericFaults(409) },
  },
  getVersionReviewAsAdmin: {
    method: "GET",
    path: "/admin/nodes/{nodeId}/versions/{version}/review",
    summary: "Read a version's findings and the history of its status",
    params: versionParams,
    answers: { 200: answer(NodeVersionReview, "How it came to its status."), ...memberFaults },
  },
  undoReviewBatch: {
    method: "POST",
    path: "/admin/nodeversions/batches/{batchId}/undo",
    summary: "Take back the moves of one batch",
    description: "Moves every version of the batch back that has not been moved on since. Deleted ones stay deleted.",
    params: Type.Object({
      batchId: Type.String({ format: "uuid", minLength: 1, description: "The batch_id of the moves." }),
    }),
    answers: { 200: answer(Type.Array(NodeVersion), "The versions that were moved back."), ...memberFaults },
  },
  listNodeVersionsAsAdmin: {
    method: "GET",
    path: "/admin/nodeversions",
    summary: "List versions of all nodes, deleted ones too",
    query: Type.Object({
      include_deleted: Type.Optional(Type.Boolean({ description: "Also deleted versions." })),
      nodeId: Type.Optional(Type.String({ description: "Only versions of this node." })),
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(Type.Integer({ maximum: limits.registryPageSizeMax, description: "Entries per page." })),
    }),
    answers: { 200: answer(NodeVersionPage, "One page of versions."), ...genericFaults(400, 401, 403, 429, 500, 503) },
  },
  generateAdminToken: {
    method: "POST",
    path: "/admin/generate-token",
    summary: "Make a short-lived operator token",
    answers: { 201: answer(GeneratedToken, "The token."), ...genericFaults(401, 403, 429, 500, 503) },
  },
  createDescriptors: {
    method: "POST",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes",
    summary: "Store all descriptors of a version at once",
    description: "For extractors. 409 when the version was extracted already.",
    params: versionParams,
    body: jsonBody(ExtractedDescriptors),
    answers: { 204: emptyAnswer("They are stored."), ...writeFaults, ...genericFaults(409) },
  },
  backfillDescriptors: {
    method: "POST",
    path: "/svc-nodes/backfill",
    summary: "Extract descriptors that are missing",
    query: Type.Object({
      max_node: Type.Optional(Type.Integer({ minimum: 1, default: 10, description: "How many nodes at most." })),
    }),
    answers: { 204: emptyAnswer("The extraction is under way."), ...genericFaults(400, 401, 403, 429, 500, 503) },
  },
  reindexNodes: {
    method: "POST",
    path: "/nodes/reindex",
    summary: "Build the search index anew",
    answers: { 204: emptyAnswer("It is under way."), ...genericFaults(401, 403, 429, 500, 503) },
  },
  updateRepositoryStars: {
    method: "POST",
    path: "/nodes/update-github-stars",
    summary: "Read the stars of repositories anew",
    query: Type.Object({
      max_batch: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: "How many nodes at most." })),
    }),
    answers: { 204: emptyAnswer("It is under way."), ...genericFaults(400, 401, 403, 429, 500, 503) },
  },
  scanPendingVersions: {
    method: "GET",
    path: "/security-scan",
    summary: "Check versions that wait for their verdict",
    query: Type.Object({
      minAge: Type.Optional(
        Type.String({
          pattern: "^[0-9]{1,6}[smhd]$",
          default: "30m",
          description: "Only versions that wait at least this long: a number of seconds, minutes, hours or days.",
        }),
      ),
      maxNodes: Type.Optional(Type.Integer({ minimum: 1, default: 50, description: "How many versions at most." })),
    }),
    answers: {
      200: answer(Type.Array(NodeVersion), "The versions that were checked, with their verdicts."),
      ...genericFaults(400, 401, 403, 429, 500, 503),
    },
  },
});
