// The table of names: what public clients of the ComfyUI ecosystem write, and what the contract writes for the same
// (decisions, section 9). Spellings only; whatever is more than a name is a variant that a surface declares.

export interface PathName {
  readonly theirs: string;
  readonly ours: string;
}

// Whole segments at the beginning of a path. `/v2/models` is the router's, `/api/v2` the workflow API's: they never meet.
export const pathPrefixes: readonly PathName[] = [
  { theirs: "/v2/models", ours: "/v1/models" },
  { theirs: "/v2/requests", ours: "/v1/requests" },
  { theirs: "/proxy/freepik", ours: "/proxy/partner-a" },
  { theirs: "/proxy/moonvalley", ours: "/proxy/partner-b" },
];

// Names in small letters. Comfy-Env, Comfy-Usage-Source, Comfy-Core-Version and Comfy-Asset-Format ask for nothing that we
// would do otherwise, and are ignored as every header is that no route reads.
export const requestHeaders: ReadonlyMap<string, string> = new Map([
  ["comfy-job-id", "x-service-job-id"],
  ["x-comfy-job-id", "x-service-job-id"],
  ["x-comfy-max-credits", "x-service-max-credits"],
  ["x-comfy-webhook-url", "x-service-webhook-url"],
]);

// What an answer says under our name it says under this one as well. A prefix is not enough: some have none.
export const answerHeaders: ReadonlyMap<string, string> = new Map([
  ["x-service-request-id", "X-Comfy-Request-Id"],
  ["x-service-error-type", "X-Comfy-Error-Type"],
  ["x-service-upstream-status", "X-Comfy-Upstream-Status"],
  ["x-service-credits-used", "X-Comfy-Credits-Used"],
  ["x-service-concurrency-limit", "X-Concurrency-Limit"],
  ["x-service-concurrency-current", "X-Concurrency-Current"],
  ["x-service-concurrency-remaining", "X-Concurrency-Remaining"],
]);
