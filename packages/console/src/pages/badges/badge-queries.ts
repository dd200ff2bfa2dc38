import type { Badge, BadgeMap } from "@atelier/sdk";
import { queryOptions } from "@tanstack/react-query";
import { callRaw } from "../../api/client.ts";
import { operations } from "../../api/operations.ts";
import { readQuery } from "../../api/read-query.ts";

export type { Badge };
export type Platform = "cloud" | "local";

// For operators only; the public client has no types for it.
export interface BadgeRow {
  readonly id: string;
  readonly node_id: string;
  readonly platforms: readonly Platform[];
  readonly from_version: string;
  readonly until_version: string | null;
  readonly badge: Badge;
  readonly ended: boolean;
  readonly updated_at: string;
}

export interface BadgeFinding {
  readonly severity: string;
  readonly code: string;
  readonly message: string;
}

export interface TriedBadge {
  readonly accepted: boolean;
  readonly findings: readonly BadgeFinding[];
  readonly samples: readonly unknown[];
}

export interface ServedMap {
  readonly etag: string;
  readonly badges: BadgeMap;
}

export const mapQuery = (version: string, platform: Platform) =>
  queryOptions({
    queryKey: ["badges", "map", version, platform],
    queryFn: async ({ signal }): Promise<ServedMap> => {
      const query = { app_version: version, platform };
      // Clients cache the map for minutes; here we revalidate it, and get a 304 if it is unchanged.
      const answer = await callRaw(operations.getBadges, { query, cache: "no-cache", signal, as: "session" });
      return { etag: answer.headers.get("etag") ?? "", badges: await answer.json() };
    },
    placeholderData: (before) => before,
  });

export const rowsQuery = (nodeId: string) =>
  readQuery(["badges", "rows", nodeId], operations.listBadgeRows, {
    query: { limit: 100, ...(nodeId === "" ? {} : { node_id: nodeId }) },
  });

export const latest = "nightly";
// Credits per dollar if nothing else is set; the label's rules do not depend on it.
export const usualCreditsPerUsd = 211;
