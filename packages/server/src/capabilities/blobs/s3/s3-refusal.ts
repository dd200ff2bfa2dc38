// A store's refusals, sorted by what they mean for us, and in words for people. Differing clocks and too many requests
// are temporary: the answer says when to come back, and everything that can retry does.
export type S3Refusal =
  // How far the store's clock is ahead of ours. Null if it did not say.
  | { readonly kind: "clocks_differ"; readonly skewMs: number | null }
  | { readonly kind: "too_fast"; readonly afterSeconds: number }
  | { readonly kind: "away" }
  | { readonly kind: "no_access" }
  | { readonly kind: "absent" }
  | { readonly kind: "other" };

const skewNames = new Set(["RequestTimeTooSkewed", "RequestExpired", "RequestInTheFuture"]);
const fastNames = new Set([
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "ThrottledException",
  "RequestThrottled",
  "RequestLimitExceeded",
  "TooManyRequests",
  "TooManyRequestsException",
  "BandwidthLimitExceeded",
]);
const awayNames = new Set(["TimeoutError", "AbortError", "ServiceUnavailable", "RequestTimeout"]);
const awayCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
]);
const waitSecondsMax = 60;

export function refusalOf(thrown: unknown, nowMs: number): S3Refusal {
  if (!(thrown instanceof Error)) return { kind: "other" };
  const status = statusOf(thrown) ?? 0;
  if (skewNames.has(thrown.name)) return { kind: "clocks_differ", skewMs: skewOf(thrown, nowMs) };
  if (status === 429 || fastNames.has(thrown.name)) return { kind: "too_fast", afterSeconds: waitOf(thrown) };
  const isAway = status >= 500 || awayNames.has(thrown.name) || awayCodes.has(String(memberOf(thrown, "code")));
  if (isAway && !isNotImplemented(thrown)) return { kind: "away" };
  if (status === 401 || status === 403) return { kind: "no_access" };
  return { kind: status === 404 ? "absent" : "other" };
}

// Some stores do not support conditional writes or listing unfinished uploads.
export function isNotImplemented(thrown: unknown): boolean {
  return statusOf(thrown) === 501 || (thrown instanceof Error && thrown.name === "NotImplemented");
}

export function statusOf(thrown: unknown): number | undefined {
  const status = memberOf(memberOf(thrown, "$metadata"), "httpStatusCode");
  return typeof status === "number" ? status : undefined;
}

// "17 minutes ahead of this server's", to follow "its clock is".
export function skewWords(skewMs: number): string {
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const much = seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
  return `${much} ${skewMs > 0 ? "ahead of" : "behind"} this server's`;
}

// The store's time, from the refusal itself or from the answer's headers.
function skewOf(thrown: Error, nowMs: number): number | null {
  const serverTime = memberOf(thrown, "ServerTime") ?? headerOf(thrown, "date");
  const atMs = serverTime instanceof Date ? serverTime.getTime() : Date.parse(String(serverTime));
  return Number.isNaN(atMs) ? null : atMs - nowMs;
}

function waitOf(thrown: Error): number {
  const seconds = Number(headerOf(thrown, "retry-after") ?? Number.NaN);
  return seconds >= 1 ? Math.min(Math.ceil(seconds), waitSecondsMax) : 5;
}

const headerOf = (thrown: Error, name: string) => memberOf(memberOf(memberOf(thrown, "$response"), "headers"), name);

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
