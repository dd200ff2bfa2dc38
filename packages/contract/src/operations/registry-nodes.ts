// The registry's nodes. Spec, Registry: create a node; the rest of the table by decisions, section 5.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { ClaimNode, EditPermission, NodePage, NodeTranslations } from "../node-publishing.ts";
import { CreateNode, NodeVersion, PublisherId, RegistryNode, UpdateNode } from "../node-registry.ts";
import { operationTable } from "../operation.ts";
import { NumberedPageQuery } from "../pagination.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { conditional, nodeId, nodeParams, publisherParams } from "./registry-parts.ts";
import { tags } from "./tags.ts";

const { etag } = headerName;
const svcNodeName = Type.String({ minLength: 1, description: "The name of the node class." });
const publishedNodeParams = Type.Object({ publisherId: PublisherId, nodeId });

// Operations need a key unless they say otherwise.
const common = { tag: tags.registry, access: "key", refusals: genericFault } as const;

export const registryNodeOperations = operationTable(common, {
  createNode: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes",
    summary: "Create a node",
    description: "A 400 lists every missing or invalid field. Fields managed by the server are ignored.",
    params: publisherParams,
    body: jsonBody(CreateNode),
    answers: { 201: answer(RegistryNode, "The node."), ...genericFaults(409) },
  },
  listPublisherNodes: {
    method: "GET",
    path: "/publishers/{publisherId}/nodes",
    summary: "List the nodes of a publisher",
    access: "public",
    params: publisherParams,
    answers: { 200: answer(Type.Array(RegistryNode), "The nodes."), ...genericFaults(400) },
  },
  listPublisherNodesPaged: {
    method: "GET",
    path: "/publishers/{publisherId}/nodes/v2",
    summary: "List the nodes of a publisher, paged",
    access: "public",
    params: publisherParams,
    query: NumberedPageQuery,
    answers: { 200: answer(NodePage, "One page of nodes.") },
  },
  updateNode: {
    method: "PUT",
    path: "/publishers/{publisherId}/nodes/{nodeId}",
    summary: "Update a node",
    params: publishedNodeParams,
    body: jsonBody(UpdateNode),
    answers: { 200: answer(RegistryNode, "The updated node.") },
  },
  deleteNode: {
    method: "DELETE",
    path: "/publishers/{publisherId}/nodes/{nodeId}",
    summary: "Delete a node",
    params: publishedNodeParams,
    answers: { 204: emptyAnswer("Deleted. The id stays reserved.") },
  },
  getNodePermissions: {
    method: "GET",
    path: "/publishers/{publisherId}/nodes/{nodeId}/permissions",
    summary: "Get the caller's permissions on a node",
    params: publishedNodeParams,
    answers: { 200: answer(EditPermission, "The caller's permissions."), ...genericFaults(400) },
    notRefusedWith: [403],
  },
  claimNode: {
    method: "POST",
    path: "/publishers/{publisherId}/nodes/{nodeId}/claim-my-node",
    summary: "Claim an unowned node",
    params: publishedNodeParams,
    body: jsonBody(ClaimNode),
    answers: { 204: emptyAnswer("The publisher now owns the node.") },
  },
  listNodes: {
    method: "GET",
    path: "/nodes",
    summary: "List nodes",
    access: "public",
    query: Type.Object({
      ...NumberedPageQuery.properties,
      node_id: Type.Optional(Type.Array(Type.String(), { description: "Only these nodes." })),
      supported_os: Type.Optional(Type.String({ description: "Only nodes for this operating system." })),
      supported_accelerator: Type.Optional(Type.String({ description: "Only nodes for this accelerator." })),
      app_version: Type.Optional(Type.String({ description: "Only nodes for this version of the application." })),
      form_factor: Type.Optional(Type.String({ description: "How the client is installed. Does not filter." })),
      include_banned: Type.Optional(Type.Boolean({ description: "Include banned nodes. Off by default." })),
      timestamp: Type.Optional(
        Type.String({ format: "date-time", description: "Only nodes changed since this time." }),
      ),
      latest: Type.Optional(Type.Boolean({ description: "Bypass caches." })),
      sort: Type.Optional(
        Type.Array(
          Type.String({
            pattern:
              "^((id|name|created_at|changed_at|downloads|github_stars|rating|search_ranking)(;([Aa][Ss][Cc]|[Dd][Ee][Ss][Cc]))?)?$",
          }),
          { description: "Columns to sort by; column;desc reverses the order." },
        ),
      ),
    }),
    headers: conditional,
    answers: {
      200: answer(NodePage, "One page of nodes.", [etag]),
      304: emptyAnswer("The caller already has this page.", [etag]),
    },
  },
  searchNodes: {
    method: "GET",
    path: "/nodes/search",
    summary: "Search nodes",
    access: "public",
    query: Type.Object({
      ...NumberedPageQuery.properties,
      search: Type.Optional(
        Type.String({ description: "Words to find in the id, name, description or author. All must occur." }),
      ),
      repository_url_search: Type.Optional(Type.String({ description: "Part of the repository URL." })),
      svc_node_search: Type.Optional(
        Type.String({ description: "Part of the name of a node class the node provides." }),
      ),
      supported_os: Type.Optional(Type.String({ description: "Only nodes for this operating system." })),
      supported_accelerator: Type.Optional(Type.String({ description: "Only nodes for this accelerator." })),
      app_version: Type.Optional(Type.String({ description: "Only nodes for this version of the application." })),
      include_banned: Type.Optional(Type.Boolean({ description: "Include banned nodes. Off by default." })),
    }),
    headers: conditional,
    answers: {
      200: answer(NodePage, "One page of nodes, best match first.", [etag]),
      304: emptyAnswer("The caller already has this page.", [etag]),
    },
  },
  dumpNodes: {
    method: "GET",
    path: "/bulk/nodes",
    summary: "Export all listed nodes",
    description:
      "One node per line. With timestamp, only changes since then; with include_banned, also banned and deleted nodes, so that a mirror can keep up. Use the response's Date header as the next timestamp.",
    access: "public",
    query: Type.Object({
      timestamp: Type.Optional(
        Type.String({ format: "date-time", description: "Only nodes changed since this time." }),
      ),
      include_banned: Type.Optional(
        Type.Boolean({ description: "Include banned nodes and, with timestamp, deleted ones. Off by default." }),
      ),
    }),
    answers: { 200: rawAnswer("application/x-ndjson", "The nodes, one JSON object per line.") },
  },
  getNode: {
    method: "GET",
    path: "/nodes/{nodeId}",
    summary: "Read a node",
    access: "public",
    params: nodeParams,
    query: Type.Object({
      include_translations: Type.Optional(Type.Boolean({ description: "Include translations." })),
    }),
    headers: conditional,
    answers: {
      200: answer(RegistryNode, "The node.", [etag]),
      302: emptyAnswer("The same node under its canonical spelling.", [headerName.location]),
      304: emptyAnswer("Not modified.", [etag]),
      ...genericFaults(403),
    },
  },
  installNode: {
    method: "GET",
    path: "/nodes/{nodeId}/install",
    summary: "Resolve the version to install and count a download",
    description:
      "A download counts once per client, node and day. The latest version is the highest active semantic version.",
    access: "public",
    params: nodeParams,
    query: Type.Object({
      version: Type.Optional(
        Type.String({
          description: "The version. Defaults to the latest if absent or empty.",
        }),
      ),
    }),
    answers: { 200: answer(NodeVersion, "The version, with its downloadUrl."), ...genericFaults(403) },
  },
  createReview: {
    method: "POST",
    path: "/nodes/{nodeId}/reviews",
    summary: "Rate a node",
    description: "One rating per person and node. A second rating replaces the first.",
    params: nodeParams,
    query: Type.Object({ star: Type.Integer({ minimum: 1, maximum: 5, description: "Stars." }) }),
    answers: { 200: answer(RegistryNode, "The node, with its new rating.") },
  },
  createNodeTranslations: {
    method: "POST",
    path: "/nodes/{nodeId}/translations",
    summary: "Add translations to a node",
    params: nodeParams,
    body: jsonBody(NodeTranslations),
    answers: { 201: answer(RegistryNode, "The node.") },
  },
  getNodeByDescriptorName: {
    method: "GET",
    path: "/svc-nodes/{svcNodeName}/node",
    summary: "Find the node that provides a node class",
    access: "public",
    params: Type.Object({ svcNodeName }),
    headers: conditional,
    answers: { 200: answer(RegistryNode, "The node.", [etag]), 304: emptyAnswer("Not modified.", [etag]) },
  },
});
