// Versions of registry nodes and their descriptors. Spec, Registry: update a node descriptor; publishing and look-ups by
// decisions, section 5. "Latest" is one rule everywhere: the highest semantic version among the active ones.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { limits } from "../limits.ts";
import {
  BulkNodeVersions,
  BulkNodeVersionsRequest,
  DescriptorPage,
  DescriptorSearchPage,
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
import type { Operation } from "../operation.ts";
import { NumberedPageQuery } from "../pagination.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const { etag } = headerName;
const conditional = Type.Object({ [headerName.ifNoneMatch]: Type.Optional(Type.String()) });
const nodeId = Type.String({ minLength: 1, description: "The node's id, in any case." });
const version = Type.String({ minLength: 1, description: "The version's number." });
const svcNodeName = Type.String({
  minLength: 1,
  maxLength: limits.graphNameLengthMax,
  description: "The name of a node class.",
});
const versionId = Type.String({ minLength: 1, description: "The version's id, a UUID." });
const nodeParams = Type.Object({ nodeId });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId: NodeId });
const versionIdParams = Type.Object({ publisherId: PublisherId, nodeId, versionId });
const versionParams = Type.Object({ nodeId, version });
const descriptorParams = Type.Object({ nodeId, version, svcNodeName });

export const registryVersionOperations = {
  publishNodeVersion: {
    id: "publishNodeVersion",
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions",
    tag: tags.registry,
    summary: "Publish a version",
    description:
      "The credential is a publisher token in the body, or a member's bearer. The number can be published again until its upload completed.",
    access: "key",
    credentialInBody: true,
    params: publishedNodeParams,
    body: jsonBody(PublishNodeVersion),
    answers: {
      201: answer(PublishedNodeVersion, "The version, and where to put its archive."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      409: genericFault[409],
      413: genericFault[413],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  updateNodeVersion: {
    id: "updateNodeVersion",
    method: "PUT",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}",
    tag: tags.registry,
    summary: "Update a version",
    access: "key",
    params: versionIdParams,
    body: jsonBody(UpdateNodeVersion),
    answers: {
      200: answer(NodeVersion, "The version as it is now."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      413: genericFault[413],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  deleteNodeVersion: {
    id: "deleteNodeVersion",
    method: "DELETE",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}",
    tag: tags.registry,
    summary: "Delete a version",
    access: "key",
    params: versionIdParams,
    answers: {
      204: emptyAnswer("It is deleted; its number never returns."),
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  getVersionReview: {
    id: "getVersionReview",
    method: "GET",
    path: "/publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/review",
    tag: tags.registry,
    summary: "Read a version's findings and the history of its status",
    access: "key",
    params: versionIdParams,
    answers: {
      200: answer(NodeVersionReview, "How it came to its status."),
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  listNodeVersions: {
    id: "listNodeVersions",
    method: "GET",
    path: "/nodes/{nodeId}/versions",
    tag: tags.registry,
    summary: "List the versions of a node",
    access: "public",
    params: nodeParams,
    query: Type.Object({
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      include_status_reason: Type.Optional(Type.Boolean({ description: "Also why each has its state." })),
    }),
    headers: conditional,
    answers: {
      200: answer(Type.Array(NodeVersion), "The versions, highest first.", [etag]),
      304: emptyAnswer("The caller already holds this.", [etag]),
      400: genericFault[400],
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  getNodeVersion: {
    id: "getNodeVersion",
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}",
    tag: tags.registry,
    summary: "Read a version by its number",
    access: "public",
    params: versionParams,
    answers: {
      200: answer(NodeVersion, "The version."),
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  getNodeVersionsInBulk: {
    id: "getNodeVersionsInBulk",
    method: "POST",
    path: "/bulk/nodes/versions",
    tag: tags.registry,
    summary: "Look up many versions",
    access: "public",
    body: jsonBody(BulkNodeVersionsRequest),
    answers: {
      200: answer(BulkNodeVersions, "An answer for each."),
      400: genericFault[400],
      413: genericFault[413],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  listAllVersions: {
    id: "listAllVersions",
    method: "GET",
    path: "/versions",
    tag: tags.registry,
    summary: "List versions of all nodes",
    access: "public",
    query: Type.Object({
      nodeId: Type.Optional(Type.String({ description: "Only versions of this node." })),
      statuses: Type.Optional(Type.Array(NodeVersionStatus, { description: "Only versions in these states." })),
      include_status_reason: Type.Optional(Type.Boolean({ description: "Also why each has its state." })),
      status_reason: Type.Optional(Type.String({ description: "Only versions whose reason holds this text." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(
        Type.Integer({ maximum: limits.registryPageSizeMax, description: "Entries per page; above 100 is refused." }),
      ),
    }),
    answers: {
      200: answer(NodeVersionPage, "One page of versions."),
      400: genericFault[400],
      403: genericFault[403],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  listDescriptors: {
    id: "listDescriptors",
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes",
    tag: tags.registry,
    summary: "List the descriptors of a version",
    access: "public",
    params: versionParams,
    query: NumberedPageQuery,
    headers: conditional,
    answers: {
      200: answer(DescriptorPage, "One page of descriptors.", [etag]),
      304: emptyAnswer("The caller already holds this page.", [etag]),
      400: genericFault[400],
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  getDescriptor: {
    id: "getDescriptor",
    method: "GET",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}",
    tag: tags.registry,
    summary: "Read a descriptor",
    access: "public",
    params: descriptorParams,
    answers: {
      200: answer(NodeDescriptor, "The descriptor."),
      403: genericFault[403],
      404: genericFault[404],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  updateDescriptor: {
    id: "updateDescriptor",
    method: "PUT",
    path: "/nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}",
    tag: tags.registry,
    summary: "Update a node descriptor",
    description: "Merges what is sent and creates the descriptor if the version exists. Only admins change policy.",
    access: "key",
    params: descriptorParams,
    body: jsonBody(UpdateDescriptor),
    answers: {
      200: answer(NodeDescriptor, "The descriptor as it is now."),
      400: genericFault[400],
      401: genericFault[401],
      403: genericFault[403],
      404: genericFault[404],
      413: genericFault[413],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
  searchDescriptors: {
    id: "searchDescriptors",
    method: "GET",
    path: "/svc-nodes",
    tag: tags.registry,
    summary: "List descriptors of all nodes",
    access: "public",
    query: Type.Object({
      node_id: Type.Optional(Type.String({ description: "Only of this node." })),
      node_version: Type.Optional(Type.String({ description: "Only of this version." })),
      svc_node_name: Type.Optional(Type.String({ description: "Only of this name." })),
      page: Type.Optional(Type.Integer({ description: "Page number from 1." })),
      pageSize: Type.Optional(
        Type.Integer({ maximum: limits.registryPageSizeMax, description: "Entries per page; above 100 is refused." }),
      ),
    }),
    answers: {
      200: answer(DescriptorSearchPage, "One page of descriptors."),
      400: genericFault[400],
      429: genericFault[429],
      500: genericFault[500],
      503: genericFault[503],
    },
  },
} as const satisfies Record<string, Operation>;
