// The tabs of both pages, as named in addresses.
import type { JobState } from "@atelier/sdk";

export const statusTabs = ["all", "active", "succeeded", "failed", "canceled"] as const;
export type StatusTab = (typeof statusTabs)[number];

export const statesOf: Readonly<Record<StatusTab, readonly JobState[]>> = {
  all: [],
  active: ["queued", "running", "canceling"],
  succeeded: ["succeeded"],
  failed: ["failed"],
  canceled: ["canceled", "expired"],
};

export const jobTabs = ["live", "graph", "timeline", "outputs", "workflow", "code"] as const;
export type JobTab = (typeof jobTabs)[number];
