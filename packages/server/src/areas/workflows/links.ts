// Addresses within v2, relative to the host and with the surface's mount path: callers follow them and build none.
import type { JobUrls } from "@atelier/contract";
import type { AssetId } from "../../capabilities/assets/index.ts";
import type { JobId } from "../../capabilities/jobs/index.ts";

const assetsPath = "/api/v2/assets";
const jobsPath = "/api/v2/jobs";

export const assetPath = (assetId: AssetId): `/${string}` => `${assetsPath}/${assetId}`;
export const contentPath = (assetId: AssetId): `/${string}` => `${assetPath(assetId)}/content`;

export function assetUrls(mountPath: string, assetId: AssetId) {
  return { self: `${mountPath}${assetPath(assetId)}`, content: `${mountPath}${contentPath(assetId)}` };
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

// What a list says of its page: the next one is the same question with another cursor.
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
