// URLs within v2, relative to the host and with the surface's mount path: callers follow them and build none.
import type { ContentUrls, JobUrls, WorkflowIndex } from "@atelier/contract";
import { type AssetId, canHaveThumbnail } from "../../capabilities/assets/index.ts";
import type { JobId } from "../../capabilities/jobs/index.ts";

const assetsPath = "/api/v2/assets";
const jobsPath = "/api/v2/jobs";

export const assetPath = (assetId: AssetId): `/${string}` => `${assetsPath}/${assetId}`;
export const contentPath = (assetId: AssetId): `/${string}` => `${assetPath(assetId)}/content`;

// `bytes` decides whether a thumbnail can be made.
export function assetUrls(
  mountPath: string,
  assetId: AssetId,
  bytes: Parameters<typeof canHaveThumbnail>[0],
): ContentUrls {
  const self = `${mountPath}${assetPath(assetId)}`;
  return {
    self,
    content: `${mountPath}${contentPath(assetId)}`,
    ...(canHaveThumbnail(bytes) ? { thumbnail: `${self}/thumbnail` } : {}),
  };
}

export function indexUrls(surface: {
  readonly mountPath: string;
  readonly executedGraph: boolean;
  readonly folder?: unknown;
}): WorkflowIndex["urls"] {
  const { mountPath, executedGraph, folder } = surface;
  const at = (path: string) => `${mountPath}${path}`;
  return {
    self: at("/api/v2"),
    jobs: at(jobsPath),
    cancel_jobs: at("/api/jobs/cancel"),
    assets: at(assetsPath),
    assets_from_hash: at(`${assetsPath}/from-hash`),
    ...(folder === undefined ? {} : { assets_from_path: at(`${assetsPath}/from-path`) }),
    uploads: at("/api/v2/uploads"),
    node_classes: at("/api/v2/node-classes"),
    convert_workflow: at("/api/v2/workflows/convert"),
    ...(executedGraph ? { executed_workflow: at("/workflow") } : {}),
    health: at("/api/v2/health"),
    openapi: at("/openapi.json"),
  };
}

export function jobUrls(mountPath: string, jobId: JobId): JobUrls {
  const self = `${mountPath}${jobsPath}/${jobId}`;
  return {
    self,
    events: `${self}/events`,
    cancel: `${self}/cancel`,
    workflow: `${self}/workflow`,
    preview: `${self}/preview`,
  };
}

// The links of a list page: the next page is the same query with another cursor.
export function pageLinks(
  list: "assets" | "jobs" | "node-classes",
  mountPath: string,
  query: URLSearchParams,
  cursor: string | null,
) {
  if (cursor === null) return { has_more: false };
  const next = new URLSearchParams(query);
  next.set("cursor", cursor);
  return { has_more: true, next_cursor: cursor, next: `${mountPath}/api/v2/${list}?${next}` };
}
