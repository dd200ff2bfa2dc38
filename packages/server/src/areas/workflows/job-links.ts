// Addresses of a job, relative to the host and with the surface's mount path.
import type { JobUrls } from "@atelier/contract";
import type { JobId } from "../../capabilities/jobs/index.ts";

export const jobsPath = "/api/v2/jobs";

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
