// Registry queries, sent with the person's token, so that their private nodes are included.
import type {
  CreatedPublisherToken,
  DescriptorPage,
  Node,
  NodePage,
  NodeVersion,
  NodeVersionReview,
  Publisher,
  PublisherToken,
} from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

export type { CreatedPublisherToken, Node, NodeVersion, NodeVersionReview, Publisher, PublisherToken };

const part = encodeURIComponent;
export const publisherPath = (publisherId: string): string => `/publishers/${part(publisherId)}`;
export const ownNodePath = (publisherId: string, nodeId: string): string =>
  `${publisherPath(publisherId)}/nodes/${part(nodeId)}`;

export const foundQuery = (search: string, page: number) =>
  queryOptions({
    queryKey: ["registry", "found", search, page],
    queryFn: ({ signal }) =>
      search === ""
        ? call<NodePage>("/nodes", { query: { page, limit: 20, sort: "downloads;desc" }, signal })
        : call<NodePage>("/nodes/search", { query: { page, limit: 20, search }, signal }),
    placeholderData: (before) => before,
  });

export const myPublishersQuery = queryOptions({
  queryKey: ["registry", "publishers", "mine"],
  queryFn: ({ signal }) => call<readonly Publisher[]>("/users/publishers/", { signal }),
});

export const publisherNodesQuery = (publisherId: string) =>
  queryOptions({
    queryKey: ["registry", "publishers", publisherId, "nodes"],
    queryFn: ({ signal }) => call<readonly Node[]>(`${publisherPath(publisherId)}/nodes`, { signal }),
  });

export const tokensQuery = (publisherId: string) =>
  queryOptions({
    queryKey: ["registry", "publishers", publisherId, "tokens"],
    queryFn: ({ signal }) => call<readonly PublisherToken[]>(`${publisherPath(publisherId)}/tokens`, { signal }),
  });

export const nodeQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId],
    queryFn: ({ signal }) => call<Node>(`/nodes/${part(nodeId)}`, { signal }),
  });

// Polls while checks run; afterwards a version only changes when people act.
export const versionsQuery = (nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "versions"],
    queryFn: ({ signal }) =>
      call<readonly NodeVersion[]>(`/nodes/${part(nodeId)}/versions`, {
        query: { include_status_reason: true },
        signal,
      }),
    refetchInterval: ({ state }) =>
      state.data?.some(({ status }) => status === "NodeVersionStatusPending") ? 2_000 : 30_000,
  });

export const reviewQuery = (publisherId: string, nodeId: string, versionId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "review", versionId],
    queryFn: ({ signal }) =>
      call<NodeVersionReview>(`${ownNodePath(publisherId, nodeId)}/versions/${part(versionId)}/review`, { signal }),
  });

export const descriptorsQuery = (nodeId: string, version: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "descriptors", version],
    queryFn: ({ signal }) =>
      call<DescriptorPage>(`/nodes/${part(nodeId)}/versions/${part(version)}/svc-nodes`, {
        query: { limit: 100 },
        signal,
      }),
  });

export const permissionQuery = (publisherId: string, nodeId: string) =>
  queryOptions({
    queryKey: ["registry", "nodes", nodeId, "permission"],
    queryFn: ({ signal }) =>
      call<{ readonly canEdit: boolean }>(`${ownNodePath(publisherId, nodeId)}/permissions`, { signal }),
    enabled: publisherId !== "",
  });
