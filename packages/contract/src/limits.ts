// Every number of the wire in one place: the specification's Limits table and what the decisions added.
// These are the defaults; an operator's settings and per-workspace overrides may move those that are settings.
const mebibyte = 1024 * 1024;
const gibibyte = 1024 * mebibyte;

const table = {
  invocationDeadlineSeconds: [
    600,
    "How long one model invocation is held before it is answered 504 deadline_exceeded.",
  ],
  clientReadTimeoutSeconds: [660, "The read timeout a client should allow, so that a deadline arrives as a typed 504."],
  replayHours: [
    24,
    "How long an idempotency key of the router answers with the recorded result, counted from completion.",
  ],
  providerSegmentLengthMax: [64, "Characters of the first segment of a model id."],
  modelSegmentLengthMax: [128, "Characters of the second segment of a model id."],
  modelIdLengthMax: [193, "Characters of a whole model id."],
  cursorLengthMin: [1, "Least characters of a page cursor."],
  cursorLengthMax: [512, "Most characters of a page cursor."],
  cursorValidHours: [24, "How long a page cursor is accepted."],
  catalogPageSizeDefault: [20, "Models on a catalog page when no limit is asked for."],
  catalogPageSizeMax: [100, "Most models on a catalog page; a larger limit is clamped to it."],
  signedUrlHours: [6, "About how long a signed URL works; read url_expires_at, never this."],
  jobExpiryDays: [30, "Days from a job's creation to its expires_at."],
  percentMin: [0, "Least value of the partner-a strengths (light_transfer_strength, sharpen, smart_grain, …)."],
  percentMax: [100, "Greatest value of the partner-a strengths."],
  jsonDepthMax: [64, "How deep a JSON request body may nest."],
  routerBodyBytesMax: [20 * mebibyte, "Bytes of a model input."],
  partnerBodyBytesMax: [50 * mebibyte, "Bytes of a partner proxy request."],
  jobBodyBytesMax: [10 * mebibyte, "Bytes of a job submission."],
  assetBytesMax: [5 * gibibyte, "Bytes of one uploaded asset."],
  nodeArchiveBytesMax: [gibibyte, "Bytes of one node archive."],
  jsonBodyBytesMax: [mebibyte, "Bytes of any other JSON request."],
  routerAndPartnerRequestsPerMinute: [600, "Requests per minute of a workspace over /v1 and /proxy together."],
  workflowAndRegistryRequestsPerMinute: [
    6_000,
    "Requests per minute of a workspace over v2 and the registry together.",
  ],
  creditsPerUsd: [211, "Credits that one US dollar buys."],
  microCreditsPerCredit: [1_000_000, "Parts into which the books divide a credit."],
  badgeMaxAgeSeconds: [300, "How long a price badge map is fresh."],
  badgeStaleWhileRevalidateSeconds: [3_600, "How long a stale badge map may be shown while it is fetched anew."],
  badgeStaleIfErrorSeconds: [86_400, "How long a stale badge map may be shown while the service fails."],
  badgeExpressionBytesMax: [16 * 1024, "Bytes of a badge's expression."],
  catalogMaxAgeSeconds: [300, "How long catalog answers are fresh in the caller's own cache."],
  deprecationDays: [90, "Least days between the announcement of a removal and the removal."],
  drainSecondsOnLoopback: [5, "How long a stopping server on loopback waits for running requests."],
  drainSecondsBeyondDeadline: [30, "What a stopping server elsewhere waits beyond the invocation deadline."],
  idempotencyKeyLengthMax: [255, "Characters of an idempotency key."],
  joinedCallWaitersMax: [8, "Duplicates that may wait for one running call of their key."],
  joinRetryAfterSeconds: [2, "Retry-After given to a duplicate that found no place to wait."],
  deadlineRetryAfterSeconds: [5, "Retry-After of a 504 under a key, whose result can be collected later."],
  replayBytesMax: [64 * mebibyte, "Bytes of an answer that is recorded for replay."],
  validationEntriesMax: [1_000, "Most entries in one 422 body of the router."],
  concurrencyPerWorkspace: [20, "Model calls a workspace may have in flight."],
  expensiveModelUsd: [5, "Price per call from which a model counts as expensive, in US dollars."],
  expensiveConcurrencyShare: [4, "Expensive models share the concurrency limit divided by this."],
  providerSubmissionRetriesMax: [3, "How often a provider's 429 at submission is retried."],
  providerSubmissionRetrySeconds: [5, "Within how many seconds those retries happen."],
  offThreadBodyBytes: [256 * 1024, "Bodies above this many bytes are checked off the main thread."],
  firstWorkspaceCredits: [10_000, "Credits with which a fresh loopback install begins."],
  keyRevocationSeconds: [5, "Within how many seconds a revoked key stops working everywhere."],
  signInLinkMinutes: [10, "How long the one-time sign-in link works."],
  partnerRetryWindowMinutes: [10, "How long an equal partner request with an equal X-Service-Job-Id is the same task."],
  partnerUndeliveredWindowSeconds: [
    60,
    "How long an equal partner request is the same task when its answer was not delivered.",
  ],
  webhookAttemptsMax: [10, "Attempts before a webhook delivery is a dead letter."],
  webhookScheduleHours: [75, "Hours over which those attempts are spread."],
  promptTextLengthMax: [5_000, "Characters of a partner-b prompt and of its negative prompt."],
  jobMetadataBytesMax: [1_024, "Bytes of a job's metadata text."],
  jobPriorityMin: [-100, "Least priority of a job."],
  jobPriorityMax: [100, "Greatest priority of a job."],
  jobNodesShownMax: [500, "Nodes that a job's progress lists; the counts are of all."],
  cancelManyJobsMax: [100, "Most job ids in one bulk cancel."],
  expiredJobKeptHours: [24, "How long an expired job is still answered after its expires_at."],
  eventKeepAliveSeconds: [15, "Silence after which an event stream sends a comment."],
  eventStreamsPerProcess: [10_000, "Event streams one process holds open."],
  listPageSizeDefault: [20, "Entries on a page of the v2, account and admin lists when no limit is asked for."],
  listPageSizeMax: [100, "Most entries on such a page."],
  registryPageSizeDefault: [10, "Entries on a registry page when no limit is asked for."],
  publisherNameLengthMax: [200, "Characters of a publisher's name."],
  publisherTextLengthMax: [2_048, "Characters of each further text of a publisher."],
  publisherTokensMax: [100, "Publishing tokens of one publisher that were not revoked."],
  nodeNameLengthMax: [200, "Characters of a node's display name."],
  nodeTagsMax: [100, "Tags of a node, and entries of its lists of systems and accelerators."],
  graphNameLengthMax: [255, "Characters of a node's id, of its class and of each of its inputs' names in a workflow."],
  nodeLanguagesMax: [100, "Languages that a node is translated into."],
  nodeLanguageLengthMax: [35, "Characters of the name of such a language."],
  nodeChangelogLengthMax: [100_000, "Characters of a version's changelog."],
  nodeDependenciesMax: [1_000, "Dependencies of a version."],
  registryPageSizeMax: [100, "Most entries on a registry page."],
  assetExpiresInSecondsMin: [60, "Shortest retention an upload may ask for."],
  assetExpiresInSecondsMax: [604_800, "Longest retention an upload may ask for."],
  selfHostedPort: [8189, "Loopback port of the self-hosted surface."],
  applicationPort: [8188, "Port of the application beside it."],
  publishersPerPersonMax: [5, "Publishers one person may create."],
  nodeIdLengthMax: [100, "Characters of a node id."],
  nodeDescriptionLengthMax: [1_000, "Characters of a node's description."],
  nodeUploadMinutes: [15, "How long the signed address of a node archive upload works."],
} as const;

type Table = typeof table;
export type LimitName = keyof Table;

function column<Index extends 0 | 1>(index: Index): { readonly [Name in LimitName]: Table[Name][Index] };
function column(index: 0 | 1): Record<string, unknown> {
  return Object.fromEntries(Object.entries(table).map(([name, row]) => [name, row[index]]));
}

export const limits = column(0);
export const limitMeanings = column(1);
