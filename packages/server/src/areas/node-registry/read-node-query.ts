// Parses the queries of lists and searches into filters.

import type { NodeStatus } from "@atelier/contract";
import {
  foldedNodeId,
  type NodeFilter,
  type NodeSort,
  nodeSortColumns,
  type Reader,
  readAppVersion,
} from "../../capabilities/registry/index.ts";
import { type NumberedPage, RegistryQuery } from "./registry-query.ts";

export interface NodeListQuery {
  readonly filter: NodeFilter;
  readonly page: NumberedPage;
  readonly sorts: readonly NodeSort[];
  // Bypass the cache.
  readonly latest: boolean;
}

export function readListQuery(query: URLSearchParams, reader: Reader): NodeListQuery {
  const asked = new RegistryQuery(query);
  const page = asked.readPage();
  const filter = {
    ...readFilter(asked, reader),
    nodeIds: asked.readTexts("node_id")?.map(foldedNodeId),
  };
  // Names the kind of client; it filters nothing.
  asked.readText("form_factor");
  const latest = asked.readSwitch("latest");
  const sorts = (asked.readTexts("sort") ?? []).flatMap((text) => readSort(asked, text));
  asked.requireNoProblem();
  return { filter, page, sorts: sorts.slice(0, nodeSortColumns.length), latest };
}

export function readSearchQuery(query: URLSearchParams, reader: Reader) {
  const asked = new RegistryQuery(query);
  const page = asked.readPage();
  const text = asked.readText("search");
  const filter = {
    ...readFilter(asked, reader),
    repositoryPart: asked.readText("repository_url_search"),
    descriptorPart: asked.readText("svc_node_search"),
  };
  asked.requireNoProblem();
  return { filter, page, text };
}

export function readDumpQuery(query: URLSearchParams, reader: Reader): NodeFilter {
  const asked = new RegistryQuery(query);
  const filter = readFilter(asked, reader);
  asked.requireNoProblem();
  return filter;
}

function readFilter(asked: RegistryQuery, reader: Reader): NodeFilter {
  const withBanned = asked.readSwitch("include_banned");
  const since = asked.readMoment("timestamp");
  return {
    reader,
    statuses: statusesOf(withBanned, since !== undefined),
    since,
    os: asked.readText("supported_os"),
    accelerator: asked.readText("supported_accelerator"),
    appVersion: readAppVersion(asked.readText("app_version") ?? "") ?? undefined,
  };
}

// A client that follows changes and wants to see bans also needs deletions; otherwise a mirror would keep what is gone.
function statusesOf(withBanned: boolean, isFollowing: boolean): readonly NodeStatus[] {
  if (!withBanned) return ["NodeStatusActive"];
  return isFollowing
    ? ["NodeStatusActive", "NodeStatusBanned", "NodeStatusDeleted"]
    : ["NodeStatusActive", "NodeStatusBanned"];
}

function readSort(asked: RegistryQuery, text: string): NodeSort[] {
  const [name, direction = "asc", ...rest] = text.split(";");
  const column = nodeSortColumns.find((one) => one === name);
  if (rest.length === 0 && column !== undefined && /^(asc|desc)$/i.test(direction)) {
    return [{ column, descending: direction.toLowerCase() === "desc" }];
  }
  asked.problem("sort", `must be one of ${nodeSortColumns.join(", ")}, optionally followed by ;desc`);
  return [];
}
