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
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody } from "./answers.ts";
import { publisherParams } from "./registry-parts.ts";
import { tags } from "./tags.ts";

const nodeId = Type.String({ minLength: 1, description: "The node's id." });
const version = Type.String({ minLength: 1, description: "The version's number." });
const nodeParams = Type.Object({ nodeId });
const versionParams = Type.Object({ nodeId, version });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId });

const common = { tag: tags.registryAdministration, access: "admin", refusals: genericFault } as const;

export const registryAdministrationOperations = operationTable(common, {
  banPublisher: {
    method: "POST",
    path: "/publishers/{publisherId}/ban",
    summary: "Ban a publisher and its nodes",
    params: publisherParams,
    body: jsonBody(BanReason, false),
    answers: { 204: emptyAnswer("Banned.") },
  },
  unbanPublisher: {
    method: "DELETE",
    path: "/publishers/{publisherId}/ban",
    summary: "Unban a publisher",
    description:
      "Nodes banned together with the publisher become available again; nodes banned individually stay banned.",
    params: publisherParams,
    answers: { 204: emptyAnswer("The publisher can publish again.") },
  },
  banNode: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/ban",
    summary: "Ban a node",
    params: publishedNodeParams,
    body: jsonBody(BanReason, false),
    answers: { 204: emptyAnswer("Banned.") },
  },
  createNodeAsAdmin: {
    method: "POST",
    path: "/admin/nodes",
    summary: "Create a node without a publisher",
    body: jsonBody(CreateNode),
    answers: { 201: answer(RegistryNode, "The node."), ...genericFaults(409) },
  },
  reviewNode: {
    method: "PUT",
    path: "/admin/nodes/{nodeId}",
    summary: "Change a node as an operator",
    params: nodeParams,
    body: jsonBody(ReviewNode),
    answers: { 200: answer(RegistryNode, "The updated node."), ...genericFaults(409) },
  },
  reviewNodeVersion: {
    method: "PUT",
    path: "/admin/nodes/{nodeId}/versions/{version}",
    summary: "Review a version, with a reason",
    params: versionParams,
    body: jsonBody(ReviewNodeVersion),
    answers: { 200: answer(NodeVersion, "The updated version."), ...genericFaults(409) },
  },
  getVersionReviewAsAdmin: {
    method: "GET",
    path: "/admin/nodes/{nodeId}/versions/{version}/review",
    summary: "Read a version's findings and status history",
    params: versionParams,
    answers: { 200: answer(NodeVersionReview, "The findings and the status history.") },
  },
  undoReviewBatch: {
    method: "POST",
    path: "/admin/nodeversions/batches/{batchId}/undo",
    summary: "Undo the status changes of one batch",
    description:
      "Restores the previous status of every version in the batch that has not changed since. Deleted versions stay deleted.",
    params: Type.Object({
      batchId: Type.String({ format: "uuid", minLength: 1, description: "The batch_id of the changes." }),
    }),
    answers: { 200: answer(Type.Array(NodeVersion), "The versions that were restored.") },
  },
  listNodeVersionsAsAdmin: {
    method: "GET",
    path: "/admin/nodeversions",
    summary: "List versions of all nodes, including deleted ones",
    query: Type.Object({
      include_deleted: Type.Optional(Type.Boolean({ description: "Include deleted versions." })),
      nodeId: Type.Optional(Type.String({ description: "Only versions of this node." })),
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      appealed: Type.Optional(
        Type.Boolean({ description: "Only versions whose publisher's appeal waits for an operator." }),
      ),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(Type.Integer({ maximum: limits.registryPageSizeMax, description: "Entries per page." })),
    }),
    answers: { 200: answer(NodeVersionPage, "One page of versions.") },
  },
  generateAdminToken: {
    method: "POST",
    path: "/admin/generate-token",
    freshSignIn: "always",
    summary: "Create a short-lived operator token",
    answers: { 201: answer(GeneratedToken, "The token.") },
  },
  createDescriptors: {
    method: "POST",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes",
    summary: "Store all descriptors of a version at once",
    description: "For extractors. Returns 409 if the version already has descriptors.",
    params: versionParams,
    body: jsonBody(ExtractedDescriptors),
    answers: { 204: emptyAnswer("Stored."), ...genericFaults(409) },
  },
  backfillDescriptors: {
    method: "POST",
    path: "/svc-nodes/backfill",
    summary: "Extract missing descriptors",
    query: Type.Object({
      max_node: Type.Optional(Type.Integer({ minimum: 1, default: 10, description: "The maximum number of nodes." })),
    }),
    answers: { 204: emptyAnswer("The extraction has started.") },
  },
  reindexNodes: {
    method: "POST",
    path: "/nodes/reindex",
    summary: "Rebuild the search index",
    answers: { 204: emptyAnswer("Started.") },
  },
  updateRepositoryStars: {
    method: "POST",
    path: "/nodes/update-github-stars",
    summary: "Refresh the star counts of repositories",
    query: Type.Object({
      max_batch: Type.Optional(Type.Integer({ minimum: 1, default: 100, description: "The maximum number of nodes." })),
    }),
    answers: { 204: emptyAnswer("Started.") },
  },
  scanPendingVersions: {
    method: "GET",
    path: "/security-scan",
    role: "operator",
    summary: "Check versions that await review",
    query: Type.Object({
      minAge: Type.Optional(
        Type.String({
          pattern: "^[0-9]{1,6}[smhd]$",
          default: "30m",
          description:
            "Only versions that have waited at least this long: a number of seconds, minutes, hours or days.",
        }),
      ),
      maxNodes: Type.Optional(
        Type.Integer({ minimum: 1, default: 50, description: "The maximum number of versions." }),
      ),
    }),
    answers: { 200: answer(Type.Array(NodeVersion), "The checked versions with their verdicts.") },
  },
});
