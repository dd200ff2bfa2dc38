// Versions of registry nodes and their descriptors. Spec, Registry: update a node descriptor; publishing and look-ups by
// decisions, section 5. "Latest" is one rule everywhere: the highest semantic version among the active ones.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { limits } from "../limits.ts";
import {
  AppealNodeVersion,
  BulkNodeVersions,
  BulkNodeVersionsRequest,
  DescriptorPage,
  DescriptorSearchPage,
  NodeCapabilities,
  NodeReadme,
  NodeVersionPage,
  NodeVersionReview,
  PublishedNodeVersion,
  PublishNodeVersion,
  UpdateNodeVersion,
} from "../node-publishing.ts";
import {
  NodeDescriptor,
  NodeId,
  NodeVersion,
  NodeVersionStatus,
  PublisherId,
  UpdateDescriptor,
} from "../node-registry.ts";
import { operationTable } from "../operation.ts";
import { NumberedPageQuery } from "../pagination.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody } from "./answers.ts";
import { conditional, nodeId, nodeParams } from "./registry-parts.ts";
import { tags } from "./tags.ts";

const { etag } = headerName;
const version = Type.String({ minLength: 1, description: "The version's number." });
const svcNodeName = Type.String({
  minLength: 1,
  maxLength: limits.graphNameLengthMax,
  description: "The name of the node class.",
});
const versionId = Type.String({ format: "uuid", minLength: 1, description: "The version's id, a UUID." });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId: NodeId });
const versionIdParams = Type.Object({ publisherId: PublisherId, nodeId, versionId });
const versionParams = Type.Object({ nodeId, version });
const descriptorParams = Type.Object({ nodeId, version, svcNodeName });

// Operations need a key unless they say otherwise.
const common = { tag: tags.registry, access: "key", refusals: genericFault } as const;

export const registryVersionOperations = operationTable(common, {
  publishNodeVersion: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions",
    summary: "Publish a version",
    description:
      "Authenticate with a publisher token in the body or a member's bearer token. A version number can be published again until its upload completes.",
    credentialInBody: true,
    params: publishedNodeParams,
    body: jsonBody(PublishNodeVersion),
    answers: {
      201: answer(PublishedNodeVersion, "The version, and where to upload its archive."),
      ...genericFaults(409),
    },
  },
  updateNodeVersion: {
    method: "PUT",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}",
    summary: "Update a version",
    params: versionIdParams,
    body: jsonBody(UpdateNodeVersion),
    answers: { 200: answer(NodeVersion, "The updated version.") },
  },
  deleteNodeVersion: {
    method: "DELETE",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}",
    summary: "Delete a version",
    params: versionIdParams,
    answers: { 204: emptyAnswer("Deleted. The version number cannot be reused.") },
  },
  getVersionReview: {
    method: "GET",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/review",
    summary: "Read a version's findings and status history",
    params: versionIdParams,
    answers: { 200: answer(NodeVersionReview, "The findings and the status history.") },
  },
  appealNodeVersion: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/appeal",
    summary: "Ask an operator to review a flagged or rejected version",
    description:
      "The appeal waits until an operator decides. Returns 409 if the version is neither flagged nor banned, or if an appeal is already waiting.",
    params: versionIdParams,
    body: jsonBody(AppealNodeVersion),
    answers: { 200: answer(NodeVersion, "The version with its appeal."), ...genericFaults(409) },
  },
  listNodeVersions: {
    method: "GET",
    path: "/nodes/{nodeId}/versions",
    summary: "List the versions of a node",
    access: "public",
    params: nodeParams,
    query: Type.Object({
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      include_status_reason: Type.Optional(Type.Boolean({ description: "Include the reason for each status." })),
    }),
    headers: conditional,
    answers: {
      200: answer(Type.Array(NodeVersion), "The versions, highest first.", [etag]),
      304: emptyAnswer("Not modified.", [etag]),
      ...genericFaults(403),
    },
  },
  getNodeVersion: {
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}",
    summary: "Read a version by its number",
    access: "public",
    params: versionParams,
    answers: { 200: answer(NodeVersion, "The version."), ...genericFaults(403) },
  },
  getNodeReadme: {
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/readme",
    summary: "Read a version's readme",
    description:
      "Only members of the publisher and operators can read the readme of a version that is not active. Returns 404 if there is none.",
    access: "public",
    params: versionParams,
    answers: { 200: answer(NodeReadme, "The readme."), ...genericFaults(403) },
  },
  getNodeCapabilities: {
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/capabilities",
    summary: "Read what a version's code can do",
    description:
      "Found by reading the code, without running it, and compared with the highest active version below it. Only members of the publisher and operators can read it for a version that is not active. Returns 404 until the code was read.",
    access: "public",
    params: versionParams,
    query: Type.Object({
      since: Type.Optional(Type.String({ description: "Compare with this version instead." })),
    }),
    answers: { 200: answer(NodeCapabilities, "The capabilities."), ...genericFaults(403) },
  },
  getNodeVersionsInBulk: {
    method: "POST",
    path: "/bulk/nodes/versions",
    summary: "Look up many versions",
    access: "public",
    body: jsonBody(BulkNodeVersionsRequest),
    answers: { 200: answer(BulkNodeVersions, "A result for each.") },
  },
  listAllVersions: {
    method: "GET",
    path: "/versions",
    summary: "List versions of all nodes",
    access: "public",
    query: Type.Object({
      nodeId: Type.Optional(Type.String({ description: "Only versions of this node." })),
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      include_status_reason: Type.Optional(Type.Boolean({ description: "Include the reason for each status." })),
      status_reason: Type.Optional(Type.String({ description: "Only versions whose reason contains this text." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(
        Type.Integer({
          maximum: limits.registryPageSizeMax,
          description: "Entries per page. Values above 100 are refused.",
        }),
      ),
    }),
    answers: { 200: answer(NodeVersionPage, "One page of versions."), ...genericFaults(403) },
  },
  listDescriptors: {
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes",
    summary: "List the descriptors of a version",
    access: "public",
    params: versionParams,
    query: NumberedPageQuery,
    headers: conditional,
    answers: {
      200: answer(DescriptorPage, "One page of descriptors.", [etag]),
      304: emptyAnswer("The caller already has this page.", [etag]),
      ...genericFaults(403),
    },
  },
  getDescriptor: {
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}",
    summary: "Read a descriptor",
    access: "public",
    params: descriptorParams,
    answers: { 200: answer(NodeDescriptor, "The descriptor."), ...genericFaults(403) },
  },
  updateDescriptor: {
    method: "PUT",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}",
    summary: "Update a node descriptor",
    description:
      "Merges the given fields, and creates the descriptor if it is missing and the version exists. Only admins can change policy.",
    params: descriptorParams,
    body: jsonBody(UpdateDescriptor),
    answers: { 200: answer(NodeDescriptor, "The updated descriptor.") },
  },
  searchDescriptors: {
    method: "GET",
    path: "/svc-nodes",
    summary: "List the descriptors of all nodes",
    access: "public",
    query: Type.Object({
      node_id: Type.Optional(Type.String({ description: "Only descriptors of this node." })),
      node_version: Type.Optional(Type.String({ description: "Only descriptors of this version." })),
      svc_node_name: Type.Optional(Type.String({ description: "Only descriptors with this name." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(
        Type.Integer({
          maximum: limits.registryPageSizeMax,
          description: "Entries per page. Values above 100 are refused.",
        }),
      ),
    }),
    answers: { 200: answer(DescriptorSearchPage, "One page of descriptors.") },
  },
});
