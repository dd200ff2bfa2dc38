// The table of names: what public clients of the ComfyUI ecosystem write, and what the contract calls the same thing
// (decisions, section 9). Spellings only; anything more than a name is a variant in variants.ts.

export interface PathName {
  readonly theirs: string;
  readonly ours: string;
}

export const routerPath = { theirs: "/v2/models", ours: "/v1/models" } as const;

// Whole segments at the start of a path. `/v2/models` is the router's and `/api/v2` the workflow API's: they never collide.
export const pathPrefixes: readonly PathName[] = [
  routerPath,
  { theirs: "/v2/requests", ours: "/v1/requests" },
  { theirs: "/auth/partner-node/renew", ours: "/proxy/token/renew" },
  { theirs: "/proxy/freepik", ours: "/proxy/partner-a" },
  { theirs: "/proxy/moonvalley", ours: "/proxy/partner-b" },
  { theirs: "/comfy-nodes", ours: "/svc-nodes" },
];

// The last word of /nodes/{nodeId}/versions/{version}/comfy-nodes, never the first: ids before it can be anything.
export const descriptorSegment = { theirs: "comfy-nodes", ours: "svc-nodes" } as const;

// Query parameters of the registry and badges. The router's own (model_provider, strict_mode, fallback_provider) choose among
// providers of one model; here a model has only one, so they are ignored like every unknown parameter.
export const queryNames: ReadonlyMap<string, string> = new Map([
  ["comfyui_version", "app_version"],
  ["comfy_node_search", "svc_node_search"],
  ["comfy_node_name", "svc_node_name"],
]);

export const queriedPaths: readonly string[] = ["/nodes", "/bulk/nodes", "/svc-nodes", "/versions", "/publishers"];

// Names in lower case. Comfy-Env, Comfy-Usage-Source, Comfy-Core-Version and Comfy-Asset-Format would not change what we do,
// and are ignored like every header that no route reads.
export const requestHeaders: ReadonlyMap<string, string> = new Map([
  ["comfy-job-id", "x-service-job-id"],
  ["x-comfy-job-id", "x-service-job-id"],
  ["x-comfy-max-credits", "x-service-max-credits"],
  ["x-comfy-webhook-url", "x-service-webhook-url"],
]);

// An answer carries these headers under both names. A prefix rule is not enough: some have no prefix.
export const answerHeaders: ReadonlyMap<string, string> = new Map([
  ["x-service-request-id", "X-Comfy-Request-Id"],
  ["x-service-error-type", "X-Comfy-Error-Type"],
  ["x-service-upstream-status", "X-Comfy-Upstream-Status"],
  ["x-service-credits-used", "X-Comfy-Credits-Used"],
  ["x-service-estimated-duration-seconds", "X-Comfy-Estimated-Duration-Seconds"],
  ["x-service-estimated-duration-p90-seconds", "X-Comfy-Estimated-Duration-P90-Seconds"],
  ["x-service-estimate-source", "X-Comfy-Estimate-Source"],
  ["x-service-concurrency-limit", "X-Concurrency-Limit"],
  ["x-service-concurrency-current", "X-Concurrency-Current"],
  ["x-service-concurrency-remaining", "X-Concurrency-Remaining"],
]);

// Pages of other origins may send and read what other programs may.
export const allowedForPages = ["Comfy-Job-Id", "Comfy-Env", "Comfy-Usage-Source", "Comfy-Core-Version"] as const;

// Members of the registry's JSON, read under either name. Those of nodes and versions are written under both.
const nodeMembers = [
  ["supported_comfyui_version", "supported_app_version"],
  ["supported_comfyui_frontend_version", "supported_app_frontend_version"],
  ["preempted_comfy_node_names", "preempted_svc_node_names"],
  ["comfy_node_extract_status", "svc_node_extract_status"],
] as const;

// Descriptors have a path in each spelling: under theirs both names are written, under ours only our own.
const descriptorMembers = [
  ["comfy_node_name", "svc_node_name"],
  ["comfy_nodes", "svc_nodes"],
] as const;

export const memberNames: ReadonlyMap<string, string> = new Map<string, string>([...nodeMembers, ...descriptorMembers]);
export const namesUnderTheirPath: ReadonlySet<string> = new Set(descriptorMembers.map(([theirs]) => theirs));

// A value has only one spelling: that of the path on which the descriptor was requested.
export const policyWords = { member: "policy", theirs: "ComfyNodePolicy", ours: "NodePolicy" } as const;

// The submission's member that holds a key (Spec, v2 jobs, extra_data).
export const submissionKey = { within: "extra_data", theirs: "api_key_comfy_org", ours: "api_key_service" } as const;

// Node classes of the application that do the same as ours, and so cost the same.
export const nodeNames: ReadonlyMap<string, string> = new Map([
  ["PartnerARelightNode", "MagnificImageRelightNode"],
  ["PartnerASkinEnhancerNode", "MagnificImageSkinEnhancerNode"],
  ["PartnerAUpscalerNode", "MagnificImageUpscalerCreativeNode"],
  ["PartnerAUpscalerPrecisionNode", "MagnificImageUpscalerPreciseV2Node"],
  ["PartnerAStyleTransferNode", "MagnificImageStyleTransferNode"],
  ["PartnerBTextToVideoNode", "MoonvalleyTxt2VideoNode"],
  ["PartnerBImageToVideoNode", "MoonvalleyImg2VideoNode"],
  ["PartnerBVideoToVideoNode", "MoonvalleyVideo2VideoNode"],
]);
