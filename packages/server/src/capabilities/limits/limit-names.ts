// Every number an operator can change for one workspace (decisions, section 1), with its default. The specification's
// numbers come from the contract; the quotas are ours.
import { limits } from "@atelier/contract";

const gibibyte = 1024 ** 3;

export type LimitKind = "quota" | "rate" | "size" | "concurrency";

interface LimitShape {
  readonly kind: LimitKind;
  readonly default: number;
  // A quota of zero closes it; a rate or size of zero would only confuse.
  readonly min: 0 | 1;
  readonly about: string;
}

const quota = (value: number, about: string): LimitShape => ({ kind: "quota", default: value, min: 0, about });
const rate = (value: number, about: string): LimitShape => ({ kind: "rate", default: value, min: 1, about });
const size = (value: number, about: string): LimitShape => ({ kind: "size", default: value, min: 1, about });

export const limitTable = {
  bytes: quota(100 * gibibyte, "Total bytes of all assets."),
  assets: quota(100_000, "Number of assets."),
  jobs: quota(1_000, "Jobs queued or running at once."),
  queued_requests: quota(limits.queuedRequestsPerWorkspace, "Queued model calls waiting for a slot at once."),
  streams: quota(100, "Event streams open at once."),
  keys: quota(100, "Active API keys."),
  own_engine: quota(0, "1: its graphs run only in engine processes that serve no other workspace. 0: they may share."),
  router_and_partner_requests_per_minute: rate(
    limits.routerAndPartnerRequestsPerMinute,
    "Requests per minute over /v1 and /proxy together.",
  ),
  workflow_and_registry_requests_per_minute: rate(
    limits.workflowAndRegistryRequestsPerMinute,
    "Requests per minute over v2 and the registry together.",
  ),
  router_body_bytes: size(limits.routerBodyBytesMax, "Bytes of a model input."),
  partner_body_bytes: size(limits.partnerBodyBytesMax, "Bytes of a partner proxy request."),
  job_body_bytes: size(limits.jobBodyBytesMax, "Bytes of a job submission."),
  asset_bytes: size(limits.assetBytesMax, "Bytes of one asset."),
  node_archive_bytes: size(limits.nodeArchiveBytesMax, "Bytes of one node archive."),
  json_body_bytes: size(limits.jsonBodyBytesMax, "Bytes of any other JSON request."),
  concurrency: {
    kind: "concurrency",
    default: limits.concurrencyPerWorkspace,
    min: 1,
    about: "Model calls in flight at once; expensive models share a quarter of them.",
  },
} as const satisfies Record<string, LimitShape>;

export type LimitName = keyof typeof limitTable;
export type QuotaName = "bytes" | "assets" | "jobs" | "streams" | "keys";

export function isLimitName(text: string): text is LimitName {
  return Object.hasOwn(limitTable, text);
}

export const limitNames: readonly LimitName[] = Object.keys(limitTable).filter(isLimitName);

// Requests are counted in two families, each with one budget for all its paths.
export const rateFamilies = {
  router_and_partner: "router_and_partner_requests_per_minute",
  workflow_and_registry: "workflow_and_registry_requests_per_minute",
} as const satisfies Record<string, LimitName>;

export type RateFamily = keyof typeof rateFamilies;

export function rateFamilyOf(name: LimitName): RateFamily | null {
  if (name === rateFamilies.router_and_partner) return "router_and_partner";
  return name === rateFamilies.workflow_and_registry ? "workflow_and_registry" : null;
}
