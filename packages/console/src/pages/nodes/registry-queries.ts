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
import { readQuery } from "../../api/read-query.ts";

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

export const myPublishersQuery = readQuery(["registry", "publishers", "mine"], operations.listMyPublishers);

export const publisherNodesQuery = (publisherId: string) =>
  readQuery(["registry", "publishers", publisherId, "nodes"], operations.listPublisherNodes, {
    params: { publisherId },
  });

export const tokensQuery = (publisherId: string) =>
  readQuery(["registry", "publishers", publisherId, "tokens"], operations.listPublisherTokens, {
    params: { publisherId },
  });

export const nodeQuery = (nodeId: string) =>
  readQuery(["registry", "nodes", nodeId], operations.getNode, { params: { nodeId } });

// Polls while checks run; afterwards a version only changes when people act.
export const versionsQuery = (nodeId: string) =>
  queryOptions({
    ...readQuery(["registry", "nodes", nodeId, "versions"], operations.listNodeVersions, {
      params: { nodeId },
      query: { include_status_reason: true },
    }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "NodeVersionStatusPending") ? 2_000 : 30_000,
  });

export const reviewQuery = (publisherId: string, nodeId: string, versionId: string) =>
  readQuery(["registry", "nodes", nodeId, "review", versionId], operations.getVersionReview, {
    params: { publisherId, nodeId, versionId },
  });

export const readmeQuery = (nodeId: string, version: string) => ({
  ...readQuery(["registry", "nodes", nodeId, "readme", version], operations.getNodeReadme, {
    params: { nodeId, version },
  }),
  staleTime: Number.POSITIVE_INFINITY,
});

export const capabilitiesQuery = (nodeId: string, version: string) =>
  readQuery(["registry", "nodes", nodeId, "capabilities", version], operations.getNodeCapabilities, {
    params: { nodeId, version },
  });

// For operators, of any node.
export const adminReviewQuery = (nodeId: string, version: string) =>
  readQuery(["registry", "nodes", nodeId, "admin-review", version], operations.getVersionReviewAsAdmin, {
    params: { nodeId, version },
  });

// For operators: the versions that wait for a decision.
export const queueQuery = (isAppealed: boolean) => ({
  ...readQuery(["registry", "queue", isAppealed], operations.listNodeVersionsAsAdmin, {
    query: isAppealed ? { appealed: true, pageSize: 50 } : { statuses: ["NodeVersionStatusFlagged"], pageSize: 50 },
  }),
  refetchInterval: 30_000,
});

export const descriptorsQuery = (nodeId: string, version: string) =>
  readQuery(["registry", "nodes", nodeId, "descriptors", version], operations.listDescriptors, {
    params: { nodeId, version },
    query: { limit: 100 },
  });

export const permissionQuery = (publisherId: string, nodeId: string) => ({
  ...readQuery(["registry", "nodes", nodeId, "permission"], operations.getNodePermissions, {
    params: { publisherId, nodeId },
  }),
  enabled: publisherId !== "",
});
