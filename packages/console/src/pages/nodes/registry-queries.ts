// Registry queries, sent with the person's token, so that their private nodes are included.
import type {
  CreatedPublisherToken,
  Node,
  NodeVersion,
  NodeVersionReview,
  Publisher,
  PublisherToken,
} from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";

export type { CreatedPublisherToken, Node, NodeVersion, NodeVersionReview, Publisher, PublisherToken };

export const foundQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: ["registry", "found", search, page],
    queryFn: ({ signal }) =>
      search === ""
        ? call(operations.listNodes, { query: { page, limit: 20, sort: ["downloads;desc"] }, signal })
        : call(operations.searchNodes, { query: { page, limit: 20, search }, signal }),
    placeholderData: (before) => before,
  });

export const myPublishersQuery = queryOptions({
  queryKey: ["registry", "publishers", "mine"],
  queryFn: ({ signal }) => call(operations.listMyPublishers, { signal }),
});

export const publisherNodesQuery = (publisherId: string) =>
  queryOptions({
    queryKey: ["registry", "publishers", publisherId, "nodes"],
    queryFn: ({ signal }) => call(operations.listPublisherNodes, { params: { publisherId }, signal }),
  });

export const tokensQuery = (publisherId: string) =>
  queryOptions({
    queryKey: ["registry", "publishers", publisherId, "tokens"],
    queryFn: ({ signal }) => call(operations.listPublisherTokens, { params: { publisherId }, signal }),
  });

export const nodeQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId],
    queryFn: ({ signal }) => call(operations.getNode, { params: { nodeId }, signal }),
  });

// Polls while checks run; afterwards a version only changes when people act.
export const versionsQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "versions"],
    queryFn: ({ signal }) =>
      call(operations.listNodeVersions, { params: { nodeId }, query: { include_status_reason: true }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "NodeVersionStatusPending") ? 2_000 : 30_000,
  });

export const reviewQuery = (publisherId: string, nodeId: string, versionId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "review", versionId],
    queryFn: ({ signal }) => call(operations.getVersionReview, { params: { publisherId, nodeId, versionId }, signal }),
  });

export const readmeQuery = (nodeId: string, version: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "readme", version],
    queryFn: ({ signal }) => call(operations.getNodeReadme, { params: { nodeId, version }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const capabilitiesQuery = (nodeId: string, version: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "capabilities", version],
    queryFn: ({ signal }) => call(operations.getNodeCapabilities, { params: { nodeId, version }, signal }),
  });

// For operators, of any node.
export const adminReviewQuery = (nodeId: string, version: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "admin-review", version],
    queryFn: ({ signal }) => call(operations.getVersionReviewAsAdmin, { params: { nodeId, version }, signal }),
  });

// For operators: the versions that wait for a decision.
export const queueQuery = (isAppealed: boolean) =>
  queryOptions({
    queryKey: ["registry", "queue", isAppealed],
    queryFn: ({ signal }) =>
      call(operations.listNodeVersionsAsAdmin, {
        query: isAppealed ? { appealed: true, pageSize: 50 } : { statuses: ["NodeVersionStatusFlagged"], pageSize: 50 },
        signal,
      }),
    refetchInterval: 30_000,
  });

export const descriptorsQuery = (nodeId: string, version: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "descriptors", version],
    queryFn: ({ signal }) =>
      call(operations.listDescriptors, { params: { nodeId, version }, query: { limit: 100 }, signal }),
  });

export const permissionQuery = (publisherId: string, nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "permission"],
    queryFn: ({ signal }) => call(operations.getNodePermissions, { params: { publisherId, nodeId }, signal }),
    enabled: publisherId !== "",
  });
