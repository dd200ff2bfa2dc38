// Generated from the contract by `npm run openapi`; a test compares them. What the server sends and accepts, as plain types.

/** A model call that was queued. Its credits are held. */
export interface AcceptedModelRequest {
  /** A lower-case UUID. */
  readonly request_id: string;
  readonly status: ModelRequestStatus;
  /** How many of the workspace's requests are ahead of it. Only while IN_QUEUE. */
  readonly queue_position?: number;
  /** Its status. */
  readonly status_url: string;
  /** Its result, once it has completed. */
  readonly response_url: string;
  /** Send a PUT here to cancel it. */
  readonly cancel_url: string;
}

/** Who the caller is: a key or a person, with the workspace and role. */
export interface Account {
  readonly workspace: Workspace;
  readonly role: MemberRole;
  readonly scopes: readonly KeyScope[];
  readonly person?: AccountPerson;
  /** Whether the person may also use the admin API of this installation. */
  readonly is_operator: boolean;
  /** The person's role on this installation: auditors read the admin API, operators also change things. */
  readonly installation_role?: "auditor" | "operator" | null;
  /** The caller's browser session, or the one the token was issued from. */
  readonly session: {
    /** A lower-case UUID. */
    readonly id: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  } | null;
  readonly key?: AccountKey;
}

/** An API key, as shown to its workspace. */
export interface AccountKey {
  /** A lower-case UUID. */
  readonly id: string;
  /** What the key is for. */
  readonly name: string;
  /** The start of the key, enough to recognise it. */
  readonly hint: string;
  /** The key's scopes. */
  readonly scopes: readonly KeyScope[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Approximate time of last use. */
  readonly last_used_at: string | null;
  /** When it was revoked; null if it is active. */
  readonly revoked_at: string | null;
  /** Credits it may spend per day. */
  readonly daily_credits_max?: string | null;
  /** Credits it may spend per month. */
  readonly monthly_credits_max?: string | null;
  readonly role: MemberRole;
  /** The person who created it, if known. */
  readonly created_by: string | null;
  /** The service account whose key it is; null if none. */
  readonly service_account?: {
    /** A lower-case UUID. */
    readonly id: string;
    readonly name: string;
  } | null;
}

/** The active keys and the 100 most recently revoked, newest first. */
export interface AccountKeyList {
  readonly data: readonly AccountKey[];
}

/** A person in a workspace. */
export interface AccountMember {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  /** Helps people recognise each other; owners and billing people get alerts there if the server sends mail. */
  readonly email: string | null;
  readonly role: MemberRole;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly joined_at: string;
  /** Whether they have ever signed in. Until then an owner can create a new link for them. */
  readonly has_signed_in?: boolean;
}

/** Everyone in the workspace, longest-standing member first. */
export interface AccountMemberList {
  readonly data: readonly AccountMember[];
}

/** A model, for people choosing one: what it makes and what it costs. */
export interface AccountModel {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
  /** The display name. */
  readonly title?: string;
  /** What it makes, and from what. */
  readonly description?: string;
  /** What it makes. Absent if its definition does not say. */
  readonly kind?: "image" | "video" | "audio" | "text" | "other";
  /** When it was deprecated; also in the Deprecation header. */
  readonly deprecated_at?: string;
  /** When it starts to return 404; also in the Sunset header. */
  readonly sunset_at?: string;
  /** When the operator's live check last succeeded with exactly this definition; null if never. A definition written only from documentation has none. */
  readonly verified: string | null;
  /** The price of a call in credits, as text. 0 means free. */
  readonly price: string;
  /** The input that takes a prompt, if a call needs nothing else; null if it needs more, or something else. */
  readonly prompt_input: string | null;
}

/** Every model of a provider that the workspace can call. Works are listed separately. */
export interface AccountModelList {
  /** Sorted by id, bytewise. */
  readonly data: readonly AccountModel[];
  /** Models that need a credential first, sorted by id, bytewise. */
  readonly locked: readonly LockedModel[];
}

/** A person who can sign in. */
export interface AccountPerson {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  /** Helps people recognise each other; owners and billing people get alerts there if the server sends mail. */
  readonly email: string | null;
}

/** The workspace's job queue, across all pools. */
export interface AccountQueue {
  /** true: jobs are accepted and wait. Running jobs continue, and no new ones start. */
  readonly paused: boolean;
  /** When it was paused; null if it is not. */
  readonly paused_at: string | null;
  /** Waiting jobs. */
  readonly queued: number;
  /** Running jobs. */
  readonly running: number;
}

/** One request with all its details. */
export interface AccountRequest {
  /** The id that was looked up: of the request, its call or the queued request. */
  readonly request_id: string;
  /** What was called: model:provider/model, partner:operation or node:class. For a request that was refused before any call: its method and path. */
  readonly subject: string;
  /** The outcome the caller saw: `succeeded` or an error code; null while it is in progress. */
  readonly outcome: string | null;
  /** The HTTP status of the response, if there was one. */
  readonly status: number | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** Whether the response replays an earlier one with the same key. */
  readonly replayed: boolean;
  /** From request to response; null while it is in progress. */
  readonly total_ms: number | null;
  /** The provider's share of that time, if one was called. */
  readonly provider_ms: number | null;
  /** The key that made the request; null for a person. */
  readonly api_key_id: string | null;
  /** The key's name. */
  readonly key_name: string | null;
  /** Null if the request did not fail or the error is no longer kept. */
  readonly error_answer: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    readonly status: number;
    /** The router's error type, or the error code of the other APIs. */
    readonly code: string;
    readonly message: string;
    readonly method: string;
    /** Secrets are removed. */
    readonly path: string;
    /** The rejected fields, at most 20. */
    readonly fields: readonly {
      readonly loc: readonly (string | number)[];
      readonly msg: string;
    }[];
  } | null;
  /** The calls to the provider, if the first one did not succeed. For a route: all of them. */
  readonly attempts: readonly {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    readonly ms: number;
    /** `submit`: start the task. `poll`: ask for its status. */
    readonly step: "submit" | "poll";
    /** The provider's HTTP status; null if it did not respond. */
    readonly status: number | null;
    /** The start of its response, without secrets and URLs, or why there was none. */
    readonly words: string | null;
    /** On a call of a route: the model that was asked. */
    readonly target?: string;
  }[];
  /** What the operator's safety hook said, in order. Empty without one. */
  readonly checks: readonly {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    /** How long the verdict took. */
    readonly ms: number;
    /** `input`: before the call was sent. `answer`: before its answer was delivered. */
    readonly stage: "input" | "answer";
    /** `passed_unchecked`: no verdict came, and the operator lets such calls pass. `failed`: no usable verdict came, and the call ended. */
    readonly verdict: "allowed" | "refused" | "replaced" | "passed_unchecked" | "failed";
    /** Why it was refused, or why there was no verdict. */
    readonly reason: string | null;
  }[];
  /** The assets that hold copies of the response's files. */
  readonly kept_outputs: readonly string[];
  /** Its usage rows including replays, newest first; at most 20. */
  readonly rows: readonly UsageRow[];
  /** Null if no call was started. */
  readonly call: {
    /** A lower-case UUID. */
    readonly id: string;
    /** `unknown`: the outcome can never be known; nothing was charged. */
    readonly state: "open" | "finished" | "unknown";
    /** The outcome of the call itself, which can differ from what the caller saw: if the response was lost, the caller got a 502, but the call can still succeed later. Null while the call is open. */
    readonly outcome: string | null;
    /** provider/model; null if it is not a model call. */
    readonly model: string | null;
    /** The credits held for it. */
    readonly held: string | null;
    /** What it cost; null while the call is open. */
    readonly charged: string | null;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** Null while the call is open. */
    readonly ended_at: string | null;
    /** The idempotency key it was sent with; null if there was none or the server chose it. */
    readonly idempotency_key: string | null;
    /** Until when a retry with that key gets the recorded response. */
    readonly key_answers_until: string | null;
  } | null;
  /** Null if it was not queued, or completed more than a day ago. */
  readonly queued: ModelRequest | null;
  /** Null if no partner was called. */
  readonly partner_task: {
    /** A lower-case UUID. */
    readonly id: string;
    readonly partner: string;
    readonly operation: string;
    /** Its status. */
    readonly state: "created" | "running" | "completed" | "failed";
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** Null while the task is open. */
    readonly ended_at: string | null;
  } | null;
  /** The job that made the call. */
  readonly job_id: string | null;
  /** The node of that job. */
  readonly node_id: string | null;
  /** The journal lines it wrote. */
  readonly credit_lines: readonly CreditLine[];
  /** How often its response was replayed. */
  readonly replays: number;
  /** Null if no response is recorded. */
  readonly answer: {
    /** The bytes that a retry gets. */
    readonly stored: boolean;
    readonly status: number;
    /** The content type of the bytes. */
    readonly content_type: string | null;
    readonly bytes: number;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  } | null;
}

/** A signed-in browser. */
export interface AccountSession {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_seen_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** The browser's user agent at sign-in. */
  readonly user_agent: string | null;
  /** The IP address it signed in from. */
  readonly address: string | null;
  /** With a one-time link, or through the OpenID Connect issuer. */
  readonly signed_in_by: "link" | "oidc";
  /** Whether this is the caller's own session. */
  readonly is_current: boolean;
}

/** The person's sessions, newest first. */
export interface AccountSessionList {
  readonly data: readonly AccountSession[];
}

/** A token that was made from a key, a session or a token. */
export interface AccountToken {
  /** A lower-case UUID. */
  readonly id: string;
  /** The start of the token, enough to recognise it. */
  readonly hint: string;
  /** What it is for. */
  readonly label: string | null;
  /** The token or key it was made from; null for a person's session. */
  readonly parent_id: string | null;
  /** 1 if made from a key or session. */
  readonly depth: number;
  /** What it may do. */
  readonly capabilities: readonly TokenCapability[];
  /** The models and works it may use. */
  readonly models: readonly string[];
  /** The origins of pages that may use it, and nothing else may; null: not restricted. */
  readonly origins: readonly string[] | null;
  /** The addresses it works from; null: any. */
  readonly addresses: readonly string[] | null;
  /** Your own id of the person who uses it. */
  readonly end_user: string | null;
  /** What it may spend; null if only what it was made from limits it. */
  readonly credits_max: string | null;
  /** What it and tokens made from it have spent. */
  readonly credits_spent: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** When it was revoked; null if it was not. */
  readonly revoked_at: string | null;
}

/** Tokens, the newest first. */
export interface AccountTokenPage {
  /** The entries of this page. */
  readonly data: readonly AccountToken[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** An existing account, by id, or a new person, who gets a one-time sign-in link. */
export type AddMember = {
  /** A lower-case UUID. */
  readonly person_id: string;
  readonly role?: MemberRole;
} | {
  /** 1 to 100 characters after trimming, without line breaks. */
  readonly name: string;
  /** An e-mail address that helps people recognise each other. Owners and billing people get alerts there if the server sends mail. */
  readonly email?: string | null;
  readonly role?: MemberRole;
  /** How many hours the sign-in link works. */
  readonly link_hours?: number;
};

/** The new member. */
export interface AddedMember {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  /** Helps people recognise each other; owners and billing people get alerts there if the server sends mail. */
  readonly email: string | null;
  readonly role: MemberRole;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly joined_at: string;
  /** Whether they have ever signed in. Until then an owner can create a new link for them. */
  readonly has_signed_in?: boolean;
  /** For a new person: works once, for three days unless link_hours is set. Pass it on now; it is only shown once. */
  readonly sign_in?: {
    readonly url: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  };
}

/** How alerts of this workspace reach people. */
export interface AlertSettings {
  /** Whether this server sends mail at all. */
  readonly sends_mail: boolean;
  /** Whether the caller wants alerts by e-mail. Owners and billing people with an address get them unless they say no. Null for a key that acts for nobody. */
  readonly mail_wanted: boolean | null;
  /** Hours in which the workspace spends far more than in the same hour of past weeks. */
  readonly odd_spending: {
    readonly watched: boolean;
    /** Less in an hour is never odd. */
    readonly at_least: string;
    /** The last 20, newest first. */
    readonly alerts: readonly SpendingAlert[];
  };
}

/** The publisher's answer to the findings. */
export interface AppealNodeVersion {
  /** Why the findings are harmless. Operators read it before they decide. */
  readonly reason: string;
}

/** The workflow to estimate, in the body that would submit it. Nothing is stored, held or billed. */
export interface AskEstimate {
  /** In API format, or as the editor saves it if this server knows all of its node classes. */
  readonly workflow?: WorkflowGraph | EditorGraph;
  readonly work?: ModelId;
  /** The inputs of the work, as its openapi.json describes them. Refused without a work. */
  readonly inputs?: { readonly [name: string]: unknown };
  /** Called on every status change. Must be https on port 443. */
  readonly webhook_url?: string;
  readonly metadata?: JobMetadata;
  /** Higher runs first. Only orders the caller's own jobs. */
  readonly priority?: number;
  readonly output_target?: OutputTarget;
  /** Only passed to the running attempt. Never in reads, logs or events. */
  readonly extra_data?: {
    /** The key that partner nodes use. */
    readonly api_key_service?: string;
  };
}

/** A stored file. */
export interface Asset {
  /** A lower-case UUID. */
  readonly id: string;
  /** The hash of the bytes; null until known. */
  readonly hash: BlobHash | null;
  /** Size in bytes. */
  readonly size_bytes: number;
  /** The media type. */
  readonly content_type: string;
  /** The kind of file, detected from its bytes. */
  readonly kind?: "image" | "video" | "audio" | "text" | "file" | "latent";
  /** The name as given on upload. */
  readonly file_path?: string | null;
  /** Its tags. */
  readonly tags?: readonly string[];
  /** On creation only: false if the server already had the bytes. */
  readonly created_new?: boolean;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A signed URL of the bytes. It can be shared and works without a credential until url_expires_at. Self-hosted surfaces do not sign URLs: there it is the content endpoint, with normal authentication. */
  readonly url: string;
  /** When url expires; null if it is not signed. */
  readonly url_expires_at: string | null;
  /** When the asset is deleted; null or absent if never. */
  readonly expires_at?: string | null;
  /** The job that made it. Absent for uploads. */
  readonly job_id?: string | null;
  readonly urls: ContentUrls;
}

/** A new asset from bytes the workspace already has. */
export interface AssetFromHash {
  readonly hash: BlobHash;
  /** The file name. */
  readonly file_path?: string | null;
  /** Tags, in printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it. Can only extend the current expiry. */
  readonly expires_in?: number | null;
}

/** A new record over a file that the application has already. */
export interface AssetFromPath {
  /** A file below input, output, temp or models in the application's folder. */
  readonly file_path: string;
  /** The media type; by its name if absent. */
  readonly content_type?: string | null;
  /** What the bytes must hash to. */
  readonly expected_hash?: BlobHash | null;
  /** Tags, in printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it. Can only extend the current expiry. */
  readonly expires_in?: number | null;
}

/** What somebody wrote about an asset. */
export interface AssetNote {
  /** Plain text. Empty if there is no note. */
  readonly text: string;
  /** When it was last changed. */
  readonly updated_at: string | null;
}

/** One page of assets, newest first. */
export interface AssetPage {
  /** The entries of this page. */
  readonly data: readonly Asset[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
  /** The next page, relative to the host. Absent on the last page. */
  readonly next?: string;
}

/** Tags to add and to remove. A tag in both lists is removed. */
export interface AssetTags {
  /** Tags, in printable characters. */
  readonly add?: readonly string[];
  /** Tags, in printable characters. */
  readonly remove?: readonly string[];
}

/** A multipart form, with its parts in any order. */
export interface AssetUpload {
  /** The media type. */
  readonly content_type: string;
  /** A file name, or a path below a known root. */
  readonly file_path: string;
  readonly expected_hash?: BlobHash;
  /** Tags, in printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it. Can only extend the current expiry. */
  readonly expires_in?: number;
  /** The bytes. */
  readonly file: string;
}

/** The price badge of one node. */
export interface Badge {
  /** The language of expr. */
  readonly engine: "jsonata";
  readonly depends_on: BadgeDependencies;
  /** A JSONata expression over widgets, inputs and inputGroups that gives a price. */
  readonly expr: string;
}

/** Everything the expression reads. All three lists are always present. */
export interface BadgeDependencies {
  /** Widgets whose values the price depends on. */
  readonly widgets: readonly BadgeWidget[];
  /** Input slots for which the price depends on whether they are connected. */
  readonly inputs: readonly string[];
  /** Growable input groups for which the price depends on the number of connected members. */
  readonly input_groups: readonly string[];
}

/** Every node that has a badge for this version and platform, by node id. Nodes that are not listed have none. */
export type BadgeMap = { readonly [name: string]: Badge };

/** Where the client runs its workflows. */
export type BadgePlatform = "cloud" | "local";

/** A widget whose value the price depends on. */
export interface BadgeWidget {
  /** The widget's name. A dotted name stays one flat key. */
  readonly name: string;
  /** The widget's io type, such as INT, FLOAT, BOOLEAN or COMBO. */
  readonly type: string;
}

/** Facts about billing, never prices. */
export interface BillingFacts {
  /** Whether a call that the model refuses on policy grounds is still charged. Treat unknown as possibly. */
  readonly charges_on_policy_rejection: "yes" | "no" | "unknown";
}

/** blake3: and 64 hexadecimal digits. */
export type BlobHash = string;

/** A budget and what counts against it. */
export interface Budget {
  readonly name: string;
  /** What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user. */
  readonly scope: "workspace" | "key" | "tag" | "end_user";
  /** The id of the key, the tag as key=value, or the end user; null for the workspace. */
  readonly subject: string | null;
  /** In UTC; a week begins on Monday. */
  readonly period: "day" | "week" | "month";
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly amount: string;
  /** What happens at 100 %. */
  readonly at_limit: "stop" | "warn";
  /** Where alerts are sent. */
  readonly webhook_url: string | null;
  /** Who else gets alerts by e-mail. */
  readonly emails: readonly string[];
  /** The UTC day on which the period began. */
  readonly period_start: string;
  /** What ended calls have cost in this period. */
  readonly spent: string;
  /** The most that open calls can still cost. */
  readonly held: string;
  /** The highest threshold reached in this period. */
  readonly alerted: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** The last 20 alerts, newest first. */
  readonly alerts: readonly BudgetAlert[];
}

/** A threshold that was reached. */
export interface BudgetAlert {
  /** Counts the alerts of one budget. */
  readonly sequence: number;
  /** In percent: 50, 80 or 100. */
  readonly threshold: number;
  /** The UTC day on which the period began. */
  readonly period_start: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly amount: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly spent: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly held: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
}

/** The budgets of a workspace. */
export interface BudgetList {
  /** By name. */
  readonly data: readonly {
    readonly name: string;
    /** What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user. */
    readonly scope: "workspace" | "key" | "tag" | "end_user";
    /** The id of the key, the tag as key=value, or the end user; null for the workspace. */
    readonly subject: string | null;
    /** In UTC; a week begins on Monday. */
    readonly period: "day" | "week" | "month";
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly amount: string;
    /** What happens at 100 %. */
    readonly at_limit: "stop" | "warn";
    /** Where alerts are sent. */
    readonly webhook_url: string | null;
    /** Who else gets alerts by e-mail. */
    readonly emails: readonly string[];
    /** The UTC day on which the period began. */
    readonly period_start: string;
    /** What ended calls have cost in this period. */
    readonly spent: string;
    /** The most that open calls can still cost. */
    readonly held: string;
    /** The highest threshold reached in this period. */
    readonly alerted: number;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
  }[];
}

/** A result for every requested version, in the same order. */
export interface BulkNodeVersions {
  readonly node_versions: readonly {
    readonly identifier: NodeVersionIdentifier;
    readonly status: "success" | "not_found" | "error";
    readonly node_version?: NodeVersion;
    /** Why the lookup failed. */
    readonly error_message?: string;
  }[];
}

/** Versions to look up in one call. */
export interface BulkNodeVersionsRequest {
  readonly node_versions: readonly NodeVersionIdentifier[];
}

/** A work that the workspace can call: its own, shared with it, or public. */
export interface CallableWork {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  /** Its name for people; null if it has none. */
  readonly title: string | null;
  /** What it does; null if nothing is said. */
  readonly description: string | null;
  /** An asset of this workspace that an example made; null for works of other workspaces and those without a picture. */
  readonly cover: string | null;
}

/** One page of works, sorted by id, bytewise. */
export interface CallableWorkPage {
  /** The entries of this page. */
  readonly data: readonly CallableWork[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Jobs to cancel in one call. If any is unknown, none is canceled. */
export interface CancelJobs {
  /** Jobs to cancel. */
  readonly job_ids: readonly string[];
}

/** Whether this call canceled the job. */
export interface CanceledJob {
  /** true if this call started the cancellation; false if the job had ended or was already being canceled. */
  readonly cancelled: boolean;
}

/** Which jobs this call canceled. */
export interface CanceledJobs {
  /** The jobs this call started to cancel. Ended jobs are left out. */
  readonly cancelled: readonly string[];
}

/** A released model in the catalog. */
export interface CatalogEntry {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
}

/** One page of the catalog, sorted by id, bytewise. */
export interface CatalogPage {
  /** The entries of this page. */
  readonly data: readonly CatalogEntry[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** The fields to change. Omitted fields stay as they are. */
export interface ChangeSavedWorkflow {
  /** 1 to 100 characters after trimming, without slashes or line breaks. */
  readonly name?: string;
  /** Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it. */
  readonly folder?: string;
  /** Search tags. Stored in lower case, without duplicates. */
  readonly tags?: readonly string[];
  /** Archived workflows are not listed, and their names can be reused. */
  readonly archived?: boolean;
}

/** What to change; members that are left out stay. */
export interface ChangeWork {
  readonly title?: string | null;
  readonly description?: string | null;
  /** private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job. */
  readonly visibility?: "private" | "shared" | "public";
  /** Ids of workspaces. */
  readonly shared_with?: readonly string[];
  /** The version that the id without .v3 stands for. */
  readonly version?: number;
  readonly deprecated_at?: string | null;
  /** Not before deprecated_at. */
  readonly sunset_at?: string | null;
}

/** Proof that the caller owns the node's repository. */
export interface ClaimNode {
  /** A code-host token that proves access to the repository. */
  readonly GH_TOKEN: string;
}

/** Public facts about the server behind the console. */
export interface ConsoleConfig {
  /** The server's version. */
  readonly version: string;
  /** `cloud`: the full product. `self_hosted`: only the v2 API in front of your own application, without accounts. */
  readonly surface: "cloud" | "self_hosted";
  /** How calls are authenticated: by a person's session, by a token set by the operator, or not at all. */
  readonly auth: "session" | "token" | "none";
  /** The base URL for paths in the examples. */
  readonly base_url: string;
  /** The origin that serves user files; null if it is the same one. */
  readonly content_url: string | null;
  /** How many credits one US dollar buys; null where nothing is sold. */
  readonly credits_per_usd: number | null;
  /** Whether workspaces can buy credits here. */
  readonly sells_credits: boolean;
  /** Where the ecosystem's editor is, with `workflow`, `job` or `picture` in the query; null if it is not installed. */
  readonly editor_url: string | null;
  /** The available ways to sign in. */
  readonly sign_in: {
    /** Whether one-time links are accepted. */
    readonly links: boolean;
    /** Sign-in with an OpenID provider, if one is configured. */
    readonly oidc: {
      /** The provider's display name. */
      readonly name: string;
      /** Where to start signing in there. */
      readonly url: string;
    } | null;
  };
}

/** Related links, relative to the host. */
export interface ContentUrls {
  /** The asset. */
  readonly self: string;
  /** The bytes. Needs the caller's credential. */
  readonly content: string;
  /** A thumbnail. Needs the caller's credential. Absent if none can be made. */
  readonly thumbnail?: string;
}

/** A workflow as the editor exports it. */
export interface ConvertWorkflow {
  readonly workflow: { readonly [name: string]: unknown };
}

/** The same workflow in API format. */
export interface ConvertedWorkflow {
  readonly workflow: WorkflowGraph;
  readonly format: "api";
}

/** The API key to create. */
export interface CreateKey {
  /** 1 to 100 characters after trimming, without line breaks. */
  readonly name: string;
  /** At most the caller's own scopes. Defaults to all of them except account. */
  readonly scopes?: readonly KeyScope[];
  readonly role?: MemberRole;
  /** When it expires. Absent or null: never. */
  readonly expires_at?: string | null;
  /** The service account that it is for. Owners only; the key has at most that account's role. */
  readonly service_account_id?: string | null;
}

/** A node to create. Fields managed by the server are ignored. */
export interface CreateNode {
  readonly id: NodeId;
  /** Display name. */
  readonly name: string;
  /** Who wrote it. */
  readonly author?: string;
  /** Use tags instead; will be removed in a later version. @deprecated */
  readonly category?: string;
  /** The path of the licence file in the repository, or its text as JSON. */
  readonly license?: string;
  /** URL of the repository: http, https, ssh or git's short form. Empty for none. */
  readonly repository?: string;
  /** URL of the icon, http or https. Empty for none. */
  readonly icon?: string;
  /** URL of the banner, http or https. Empty for none. */
  readonly banner_url?: string;
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
  /** What the node does. */
  readonly description?: string;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** A publisher to create; the caller becomes its owner. */
export interface CreatePublisher {
  readonly id: PublisherId;
  /** Display name. */
  readonly name: string;
  /** What the publisher does. */
  readonly description?: string;
  /** URL of the logo, http or https. Empty for none. */
  readonly logo?: string;
  /** URL of the website, http or https. Empty for none. */
  readonly website?: string;
  /** Where users find help: an http or https URL, an e-mail address, or plain text without markup. */
  readonly support?: string;
  /** URL of the source code, or git's short form. Empty for none. */
  readonly source_code_repo?: string;
  readonly visibility?: PublisherVisibility;
}

/** A person to add to the publisher. */
export interface CreatePublisherMember {
  /** The person to invite. */
  readonly email: string;
  /** What they may do. */
  readonly role?: "owner" | "member";
}

/** A publishing token. */
export interface CreatePublisherToken {
  /** What the token is for. */
  readonly name: string;
  /** A longer description. */
  readonly description?: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at?: string;
}

/** The service account to create. */
export interface CreateServiceAccount {
  /** 1 to 100 characters after trimming, without line breaks. */
  readonly name: string;
  readonly role?: MemberRole;
}

/** A new API key. */
export interface CreatedAccountKey {
  /** A lower-case UUID. */
  readonly id: string;
  /** What the key is for. */
  readonly name: string;
  /** The start of the key, enough to recognise it. */
  readonly hint: string;
  /** The key's scopes. */
  readonly scopes: readonly KeyScope[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Approximate time of last use. */
  readonly last_used_at: string | null;
  /** When it was revoked; null if it is active. */
  readonly revoked_at: string | null;
  /** Credits it may spend per day. */
  readonly daily_credits_max?: string | null;
  /** Credits it may spend per month. */
  readonly monthly_credits_max?: string | null;
  readonly role: MemberRole;
  /** The person who created it, if known. */
  readonly created_by: string | null;
  /** The service account whose key it is; null if none. */
  readonly service_account?: {
    /** A lower-case UUID. */
    readonly id: string;
    readonly name: string;
  } | null;
  /** The key itself, shown only once. */
  readonly secret: string;
}

/** A new token. */
export interface CreatedPublisherToken {
  /** A lower-case UUID. */
  readonly id: string;
  /** The token itself, shown only once. */
  readonly token: string;
}

/** A new token. Without a body in the request: a person's identity token for one workspace, valid for 15 minutes, with token and expires_at alone. */
export interface CreatedToken {
  /** The token itself, for Authorization: Bearer. Shown only once. */
  readonly token: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** A lower-case UUID. */
  readonly id?: string;
  /** The start of the token, enough to recognise it. */
  readonly hint?: string;
  /** What it is for. */
  readonly label?: string | null;
  /** The token or key it was made from; null for a person's session. */
  readonly parent_id?: string | null;
  /** 1 if made from a key or session. */
  readonly depth?: number;
  /** What it may do. */
  readonly capabilities?: readonly TokenCapability[];
  /** The models and works it may use. */
  readonly models?: readonly string[];
  /** The origins of pages that may use it, and nothing else may; null: not restricted. */
  readonly origins?: readonly string[] | null;
  /** The addresses it works from; null: any. */
  readonly addresses?: readonly string[] | null;
  /** Your own id of the person who uses it. */
  readonly end_user?: string | null;
  /** What it may spend; null if only what it was made from limits it. */
  readonly credits_max?: string | null;
  /** What it and tokens made from it have spent. */
  readonly credits_spent?: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at?: string;
  /** When it was revoked; null if it was not. */
  readonly revoked_at?: string | null;
}

/** The new endpoint and its secret. */
export interface CreatedWebhookEndpoint {
  /** A lower-case UUID. */
  readonly id: string;
  /** Where events go. */
  readonly url: string;
  readonly description: string;
  /** What is sent there. */
  readonly types: readonly WebhookEventType[];
  readonly filter: WebhookEndpointFilter;
  /** active: events are sent. failing: its receiver failed five times in a row and is tried once a minute. disabled: its receiver took nothing for five days, so sending has stopped. paused: a person paused it. While disabled or paused, events become dead deliveries that can be redelivered. */
  readonly status: "active" | "failing" | "disabled" | "paused";
  /** Why it is not active, and what to do; null if it is active. */
  readonly status_detail: string | null;
  /** The newest delivery to it. */
  readonly last_delivery: {
    /** A lower-case UUID. */
    readonly id: string;
    /** What happened. */
    readonly type: string;
    /** How it went. */
    readonly status: "pending" | "delivered" | "dead" | "gone";
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
  } | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When a person paused it. */
  readonly paused_at: string | null;
  /** Signs deliveries to it. Only shown here. Store it. */
  readonly secret: string;
}

/** The link, with its address. It is shown this once. */
export interface CreatedWorkLink {
  /** A lower-case UUID. */
  readonly id: string;
  /** Whom it is for. */
  readonly label: string | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly budget: string;
  /** What its runs have cost so far. */
  readonly spent: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** When it was ended by hand; null if it was not. */
  readonly ended_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** What to send to people. The part after # is the secret. */
  readonly url: string;
}

/** What a workspace can spend, and what its open calls hold. */
export interface CreditBalance {
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly available: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly held: string;
  /** Calls currently at providers. */
  readonly in_flight: number;
}

/** One line of the journal. Lines are only ever added, never changed. */
export interface CreditLine {
  /** The call, top-up or withdrawal. */
  readonly transaction_id: string;
  /** fund: topped up. settle: charged. refund: refunded. withdraw: removed by an operator. hold and release: set aside for an open call, and returned. */
  readonly kind: "fund" | "hold" | "settle" | "release" | "refund" | "withdraw";
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly amount: string;
  /** How much the line changed the workspace's credits (available plus held). */
  readonly change: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
}

/** One page of the journal, newest line first. */
export interface CreditLinePage {
  /** The entries of this page. */
  readonly data: readonly CreditLine[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** The range of the charge, inclusive. */
export interface CreditRange {
  /** The least a successful run of this input is charged. A run that fails, is replayed under a known key or reuses earlier results may cost less, down to nothing. Credits, as a decimal text. */
  readonly lowest: string;
  /** The most it can be charged, no matter what the provider reports. Credits, as a decimal text. */
  readonly highest: string;
}

/** A subscription that the workspace paid for. */
export interface CurrentPlan {
  /** The payment provider's id of it. */
  readonly subscription: string;
  /** Null if the operator has no plan for its price any more. */
  readonly plan_id: string | null;
  /** The plan's name. */
  readonly name: string;
  /** grace: the last payment failed, and the plan goes on until grace_until. ending: cancelled, until period_end. */
  readonly state: "active" | "grace" | "ending" | "ended";
  /** When the paid period ends. */
  readonly period_end: string | null;
  /** How long the plan goes on without the payment that is missing. */
  readonly grace_until: string | null;
}

/** Where the next page starts. Opaque: pass it back unchanged, and do not reuse it in a later listing. */
export type Cursor = string;

/** One page of the descriptors of a version. */
export interface DescriptorPage {
  readonly svc_nodes: readonly NodeDescriptor[];
  /** How many pages there are. */
  readonly totalNumberOfPages: number;
}

/** One page of the descriptors of all nodes. */
export interface DescriptorSearchPage {
  readonly svc_nodes: readonly NodeDescriptor[];
  /** The total across all pages. */
  readonly total: number;
}

/** Where the copy goes. */
export interface DuplicateWorkflow {
  /** 1 to 100 characters after trimming, without slashes or line breaks. */
  readonly name: string;
  /** Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it. */
  readonly folder?: string;
  /** Starts at 1, without gaps. */
  readonly version?: number;
}

/** The caller's permissions. */
export interface EditPermission {
  /** Whether the caller may change it. */
  readonly canEdit: boolean;
}

/** A workflow in the editor's format. */
export interface EditorGraph {
  readonly nodes: readonly { readonly [name: string]: unknown }[];
}

/** How many sessions ended. */
export interface EndedSessions {
  readonly ended: number;
}

/** What was removed or changed. */
export interface ErasedPerson {
  /** How many of each kind. */
  readonly erased: { readonly [name: string]: number };
}

/** One page of errors, newest first. */
export interface ErrorAnswerPage {
  /** The entries of this page. */
  readonly data: readonly ErrorAnswerRow[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** An error as its caller saw it. */
export interface ErrorAnswerRow {
  /** A lower-case UUID. */
  readonly request_id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  readonly method: string;
  /** Secrets are removed. */
  readonly path: string;
  readonly status: number;
  /** The router's error type, or the error code of the other APIs. */
  readonly code: string;
  readonly message: string;
  /** The key that made the request; null for a person. */
  readonly api_key_id: string | null;
}

/** Failures of one kind. */
export interface ErrorGroup {
  /** The error code. */
  readonly outcome: string;
  /** What was called. */
  readonly subject: string;
  /** The HTTP status of the responses. */
  readonly status: number | null;
  /** How many times. */
  readonly count: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly first_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** The latest request of this kind. */
  readonly last_request_id: string | null;
}

/** Failures by kind. */
export interface ErrorGroupList {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** Most frequent first. */
  readonly data: readonly ErrorGroup[];
  /** The total for the requested range. */
  readonly total: {
    /** Failures. */
    readonly count: number;
    /** All groups, including those not listed. */
    readonly groups: number;
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly credits: string;
  };
}

/** How long past runs on this server took. Not a promise. */
export interface ExpectedSeconds {
  /** The median, in seconds. */
  readonly median: number;
  /** The 90th percentile, in seconds. */
  readonly p90: number;
  /** How many runs were measured. */
  readonly count: number;
}

/** A match. */
export interface FoundThing {
  /** The kind of match. */
  readonly kind: "job" | "request" | "asset" | "model" | "node" | "key" | "delivery" | "publisher" | "node_class";
  /** The id to read it by. */
  readonly id: string;
  /** The display name. */
  readonly title: string;
  /** More details. */
  readonly subtitle: string | null;
  /** When it was created. */
  readonly at: string | null;
}

/** The matches. */
export interface FoundThings {
  /** Best match first. */
  readonly data: readonly FoundThing[];
}

/** A summary of the workspace's assets. */
export interface Gallery {
  /** All of them, outputs and uploads. */
  readonly assets: number;
  /** Their size together. */
  readonly size_bytes: number;
  /** By name; at most 200. */
  readonly boards: readonly GalleryBoard[];
  /** Assets that are about to expire. */
  readonly expiring: {
    /** How many expire within 7 days; counted up to 10,000. */
    readonly assets: number;
    /** When the first of them expires. */
    readonly first_at: string | null;
    /** 7 days from now, for the list's `expires_before`. */
    readonly before: string;
  };
}

/** Assets that share a tag `board:{name}`. */
export interface GalleryBoard {
  /** The board's name. In the tag it is percent-encoded, since tags are ASCII. */
  readonly name: string;
  /** The tag to add, remove and filter by. */
  readonly tag: string;
  readonly assets: number;
  /** Its newest asset. */
  readonly cover_asset_id: string;
}

/** An error of the price badges, the partner proxy, the registry and the other APIs. */
export interface GenericError {
  /** A stable snake_case code to branch on. */
  readonly error: string;
  /** A human-readable message. */
  readonly message: string;
  /** Details, such as every rejected field. */
  readonly details?: unknown;
}

/** Inputs to run when the work is published. */
export interface GivenExample {
  /** Its name for people. */
  readonly title?: string;
  readonly inputs: { readonly [name: string]: unknown };
}

/** What a fresh run of this graph would cost now. */
export interface GraphEstimate {
  readonly credits: CreditRange;
  /** What a submission holds of the workspace's balance. Equals highest, unless only the run decides which model is called or how often, or another key pays: then each call holds its own amount. Credits, as a decimal text. */
  readonly hold: string;
  /** Whether lowest and highest are equal. */
  readonly is_exact: boolean;
  readonly expected_seconds?: ExpectedSeconds;
  /** Every node that will run and calls a model, in graph order, plus the running time if it is charged. Nodes that are not listed cost nothing. */
  readonly nodes: readonly NodeEstimate[];
}

/** One node of a graph. */
export interface GraphNode {
  /** The node's class. */
  readonly class_type: string;
  /** Values, links ([node id, output index]) or asset references (__type core/ASSET with info.id). */
  readonly inputs: { readonly [name: string]: unknown };
  readonly _meta?: { readonly [name: string]: unknown };
}

/** The process responds. Nothing else was checked. */
export interface Health {
  readonly status: "ok";
  /** On /health with a challenge: base64url HMAC-SHA256, keyed with proof_key from server.json in the data folder, over `atelier-health`, the Host in lower case and the challenge, joined by line feeds. */
  readonly proof?: string;
}

/** An image or key frames to make a video from. */
export interface ImageToVideoRequest {
  /** What the video should show. */
  readonly prompt_text?: string;
  /** The image the video starts from: an http or https URL. */
  readonly image_url?: string;
  readonly inference_params?: InferenceParams;
  /** Called on every status change of the prompt. Must be https on port 443. */
  readonly webhook_url?: string;
  readonly keyframes?: Keyframes;
}

/** What this server is and where its documents are. */
export interface Index {
  /** The name of the software. */
  readonly name: string;
  /** The server's version. */
  readonly version: string;
  readonly urls: {
    /** The OpenAPI document. */
    readonly openapi: string;
    /** The API reference. */
    readonly docs: string;
    /** The description for language models. */
    readonly llms: string;
    /** Whether the process is ready. */
    readonly ready: string;
  };
}

/** Settings of the video generation. */
export interface InferenceParams {
  /** Adds guidance towards higher quality. */
  readonly add_quality_guidance?: boolean;
  /** How much is reused from the cache. */
  readonly caching_coefficient?: number;
  /** Final steps that do not use the cache. */
  readonly caching_cooldown?: number;
  /** First steps that do not use the cache. */
  readonly caching_warmup?: number;
  /** Where guidance is clipped. */
  readonly clip_value?: number;
  /** The frame that the image conditions. */
  readonly conditioning_frame_index?: number;
  /** Steps over which guidance fades out. */
  readonly cooldown_steps?: number;
  /** Frames per second. */
  readonly fps?: number;
  /** How closely the prompt is followed. */
  readonly guidance_scale?: number;
  /** Height in pixels. */
  readonly height?: number;
  /** What the video should not show. */
  readonly negative_prompt?: string;
  /** How many frames are made. */
  readonly num_frames?: number;
  /** Any 64-bit integer. The same seed gives the same noise. Random by default. */
  readonly seed?: number;
  /** Time step shift. */
  readonly shift_value?: number;
  /** Denoising steps. */
  readonly steps?: number;
  /** Lets guidance change over the steps. */
  readonly use_guidance_schedule?: boolean;
  /** Whether negative_prompt is used. */
  readonly use_negative_prompts?: boolean;
  /** Transforms the time steps. */
  readonly use_timestep_transform?: boolean;
  /** Steps over which guidance ramps up. */
  readonly warmup_steps?: number;
  /** Width in pixels. */
  readonly width?: number;
}

/** A self-contained OpenAPI document of one model. Its input is validated against exactly this document. */
export interface InputSchemaDocument {
  readonly openapi: string;
  readonly info: {
    readonly title: ModelId;
    readonly version: string;
  };
  readonly paths: { readonly [name: string]: unknown };
  readonly components?: { readonly [name: string]: unknown };
}

/** How long the new link works. */
export interface InviteAgain {
  /** How many hours the sign-in link works. */
  readonly link_hours?: number;
}

/** A payment, as the payment provider invoiced it. */
export interface Invoice {
  /** A lower-case UUID. */
  readonly id: string;
  /** The provider's number. Null for a payment that has no invoice there. */
  readonly number: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly paid_at: string;
  /** The plan's name. */
  readonly plan: string | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** An ISO 4217 currency in lower case. */
  readonly currency: string;
  /** Who paid, as the provider knows them. */
  readonly customer: {
    readonly name: string | null;
    readonly email: string | null;
    readonly address: readonly string[];
    readonly tax_ids: readonly string[];
  };
  /** What was bought. */
  readonly lines: readonly {
    readonly text: string;
    readonly quantity: number | null;
    /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
    readonly amount_minor: number;
  }[];
  /** Before discounts and taxes. */
  readonly subtotal_minor: number | null;
  /** What was taken off. */
  readonly discount_minor: number | null;
  /** As the provider worked them out. */
  readonly taxes: readonly {
    readonly label: string;
    /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
    readonly amount_minor: number;
  }[];
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly total_minor: number;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly paid_minor: number;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly refunded_minor: number;
  /** The provider's own page of it. */
  readonly provider_url: string | null;
}

/** One page of invoices, newest first. */
export interface InvoicePage {
  /** The entries of this page. */
  readonly data: readonly Invoice[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** One run of a workflow. */
export interface Job {
  /** A lower-case UUID. */
  readonly id: string;
  readonly status: JobState;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it started running. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly completed_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** How many jobs are ahead of it while it is queued. */
  readonly queue_position: number | null;
  readonly waiting_for?: WaitingFor;
  readonly progress: Progress | null;
  /** Its outputs so far. Grows while it runs. */
  readonly outputs: readonly Output[];
  readonly error: JobError | null;
  /** Durations such as queue_ms and execution_ms; null until known. */
  readonly metrics?: { readonly [name: string]: number | null };
  /** true if at least one node reused an earlier result. */
  readonly outputs_reused?: boolean;
  readonly metadata?: JobMetadata;
  /** The priority of the submission; 0 by default. */
  readonly priority?: number;
  readonly output_delivery?: OutputDelivery;
  /** The lock of the environment that ran it. Absent if its worker had none, or it has not run. */
  readonly lock_id?: string;
  readonly urls: JobUrls;
}

/** What one job was charged. */
export interface JobCharge {
  /** A lower-case UUID. */
  readonly job_id: string;
  /** What the workspace was charged for the job: its running time and its nodes' model calls; null until it has ended. */
  readonly credits: string | null;
}

/** What several jobs were charged. */
export interface JobChargeList {
  /** In the requested order. Unknown jobs are left out. */
  readonly data: readonly JobCharge[];
}

/** The itemised charge of one job. */
export interface JobCharges {
  /** A lower-case UUID. */
  readonly job_id: string;
  /** What the workspace was charged for the job: its running time and its nodes' model calls; null until it has ended. */
  readonly credits: string | null;
  /** The charge for its running time; null until it has ended. */
  readonly running_time: string | null;
  /** Nodes whose model calls have ended, by id, even while the job is running. Calls paid for by another workspace's key are not included. */
  readonly nodes: readonly NodeCharge[];
}

/** Why a job failed. Part of the job; reading the job still returns 200. */
export interface JobError {
  /** A stable code, such as node_execution_error. */
  readonly code: string;
  /** A human-readable message. */
  readonly message: string;
  /** The node that failed. */
  readonly node_id?: string | null;
  /** Its class. */
  readonly class_type?: string | null;
  /** Where it failed, if the caller may see that. */
  readonly traceback?: string | null;
}

/** The caller's own data, stored with the job and returned unchanged: a string of at most 1024 UTF-8 bytes, or a map of at most 16 labels. A key has 1 to 40 characters from A–Z, a–z, 0–9, `_`, `-` and `.`; a value has at most 256 bytes. Anything else is refused with metadata_invalid. */
export type JobMetadata = string | { readonly [name: string]: string };

/** The state of one graph node in the job's newest attempt. */
export interface JobNode {
  /** The node's id in the submitted graph. */
  readonly node_id: string;
  /** Its class. */
  readonly class_type: string;
  /** Its title in the graph (_meta.title). Absent if it has none. */
  readonly title?: string;
  readonly state: NodeState;
  /** The node's progress from 0 to 1. Never decreases. */
  readonly progress: number;
  /** When it started, in milliseconds after its worker took the attempt. Absent if it did not run or the worker does not report it. */
  readonly began_ms?: number;
  /** How long it has run so far, or in total; null if it did not run. */
  readonly ms: number | null;
}

/** One page of jobs, newest first. */
export interface JobPage {
  /** The entries of this page. */
  readonly data: readonly Job[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
  /** The next page, relative to the host. Absent on the last page. */
  readonly next?: string;
}

/** The job's status. */
export type JobState = "queued" | "running" | "canceling" | "succeeded" | "failed" | "canceled" | "expired";

/** Related links, relative to the host. */
export interface JobUrls {
  /** The job. */
  readonly self: string;
  /** Its event stream. */
  readonly events: string;
  /** POST here to cancel it. */
  readonly cancel: string;
  /** The executed graph. */
  readonly workflow: string;
  /** Its newest preview image. */
  readonly preview: string;
}

/** The graph that a job executed. */
export interface JobWorkflow {
  readonly workflow: { readonly [name: string]: unknown };
  /** api: the executed graph. save: the editor's version. */
  readonly format: "api" | "save";
  /** The lock of the environment that ran it. Absent if its worker had none, or it has not run. */
  readonly lock_id?: string;
}

/** One JSON-RPC 2.0 message. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
}

/** A model output, by the URL in the model's response. */
export interface KeepModelOutput {
  /** The X-Service-Request-Id of the response that contained the URL, or the id of the queued request. Only responses to calls with an Idempotency-Key and to queued calls are recorded. */
  readonly request_id: string;
  /** The key the call was sent with. It finds the call even if the response was a replay a moment ago, whose request id is recorded a little later. */
  readonly idempotency_key?: string;
  /** Exactly as it appears in that response. It is downloaded from the provider's own hosts or from a public https URL. */
  readonly url: string;
  /** The file name in the gallery. */
  readonly name: string;
  /** The asset's tags. */
  readonly tags?: readonly string[];
}

/** A run to remember. */
export interface KeepPlaygroundRun {
  /** provider/model, or the id of a work. */
  readonly model: string;
  /** The input: a JSON object as text, so that large integers keep their digits. */
  readonly input: string;
  /** The request id from the response. */
  readonly request_id: string | null;
  /** What it cost; null if that is not known. */
  readonly credits: string | null;
  /** The outputs that were saved as assets. */
  readonly asset_ids: readonly string[];
}

/** The saved file and its asset. */
export interface KeptModelOutput {
  /** A lower-case UUID. */
  readonly asset_id: string;
  /** false if the workspace already had this file. */
  readonly created_new: boolean;
}

/** How much one key may spend, and what it has spent. */
export interface KeyCaps {
  /** A lower-case UUID. */
  readonly key_id: string;
  /** Credits it may spend per UTC day; null for no cap. */
  readonly daily_credits_max: string | null;
  /** Credits it may spend per UTC month; null for no cap. */
  readonly monthly_credits_max: string | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly spent_today: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly spent_this_month: string;
  /** The most its open calls can still cost. Counts against the caps. */
  readonly held: string;
}

/** How many calls one key may make, with all tokens made from it. */
export interface KeyLimits {
  /** A lower-case UUID. */
  readonly key_id: string;
  /** Calls that may begin in a minute; null for any number. */
  readonly calls_per_minute: number | null;
  /** Calls that may be open at once, queued ones included; null for any number. */
  readonly concurrency: number | null;
  /** Calls that are open now. 0 without a concurrency. */
  readonly in_flight: number;
}

/** What a key may access: the model router, the partner proxy, the registry, v2 workflows or the account itself. */
export type KeyScope = "models" | "partners" | "registry" | "workflows" | "account";

/** The public keys of this installation's identity issuer (JWKS). */
export interface KeySet {
  readonly keys: readonly { readonly [name: string]: unknown }[];
}

/** Images by frame number. */
export type Keyframes = { readonly [name: string]: {
  readonly image_url: string;
} };

/** A model that this server knows but cannot call, because its provider has no credential. */
export interface LockedModel {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
  /** The display name. */
  readonly title?: string;
  /** What it makes, and from what. */
  readonly description?: string;
  /** What it makes. Absent if its definition does not say. */
  readonly kind?: "image" | "video" | "audio" | "text" | "other";
  /** The price of a call in credits, as text. 0 means free. */
  readonly price: string;
  /** Whether a workspace can add a credential of its own. */
  readonly own_credential: boolean;
}

/** Viewers read. Members also use the workspace and manage their own keys. Billing reads, and sets budgets and caps. Owners manage the workspace, its members and all its keys. */
export type MemberRole = "viewer" | "member" | "billing" | "owner";

/** One model, with fields that lists do not include. */
export interface ModelDetail {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
  /** The URL of the input schema. Absent if there is none. */
  readonly input_schema_url?: string;
  /** The display name. */
  readonly title?: string;
  /** What it makes, and from what. */
  readonly description?: string;
  /** What it makes. Absent if its definition does not say. */
  readonly kind?: "image" | "video" | "audio" | "text" | "other";
  /** When it was deprecated; also in the Deprecation header. */
  readonly deprecated_at?: string;
  /** When it starts to return 404; also in the Sunset header. */
  readonly sunset_at?: string;
  /** When the operator's live check last succeeded with exactly this definition; null if never. A definition written only from documentation has none. */
  readonly verified: string | null;
  /** Examples of a work, which ran when it was published. Absent for other models. */
  readonly examples?: readonly {
    /** Null if it has none. */
    readonly title: string | null;
    readonly inputs: { readonly [name: string]: unknown };
    /** What it made, as signed URLs that expire. */
    readonly urls: readonly string[];
  }[];
}

/** What a call to this model with this input would cost now. */
export interface ModelEstimate {
  readonly model: ModelId;
  readonly credits: CreditRange;
  /** The hold on the balance while the call runs. Equals highest. Credits, as a decimal text. */
  readonly hold: string;
  /** Whether lowest and highest are equal. */
  readonly is_exact: boolean;
  /** How the amounts come about: the parts are added up. Absent if several prices are possible. */
  readonly parts?: readonly {
    /** Credits for one of each quantity. */
    readonly each: string;
    /** Multiplied with each other and with `each`. Empty: a fixed price. */
    readonly quantities: readonly {
      /** What is counted. */
      readonly unit: "second" | "item" | "megapixel" | "million_tokens";
      /** The least that counts. */
      readonly lowest: string;
      /** The most that counts. */
      readonly highest: string;
      /** Whether the provider reports it at the end; otherwise the input decides. */
      readonly reported: boolean;
    }[];
  }[];
  readonly expected_seconds?: ExpectedSeconds;
}

/** Provider and model, joined by a slash. */
export type ModelId = string;

/** The partner's native input, forwarded byte for byte. The model's openapi.json describes it. */
export type ModelInput = { readonly [name: string]: unknown };

/** The partner's native output, byte for byte. */
export type ModelOutput = { readonly [name: string]: unknown };

/** The status of a queued model call. */
export interface ModelRequest {
  /** A lower-case UUID. */
  readonly request_id: string;
  readonly status: ModelRequestStatus;
  /** How many of the workspace's requests are ahead of it. Only while IN_QUEUE. */
  readonly queue_position?: number;
  /** Its status. */
  readonly status_url: string;
  /** Its result, once it has completed. */
  readonly response_url: string;
  /** Send a PUT here to cancel it. */
  readonly cancel_url: string;
  readonly model: ModelId;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at?: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly completed_at?: string;
  readonly error_type?: RouterBucket;
  readonly code?: RequestReason;
  /** With error_type: a human-readable message, or a list if the provider rejected fields. */
  readonly detail?: string | readonly RouterValidationEntry[];
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits_used?: string;
  /** Only set if the process that ran it died and its outcome is being determined. Its credits stay held until this time at the latest. */
  readonly hold_until?: string;
}

/** An error on a route of queued model calls. error_type equals X-Service-Error-Type, and code equals X-Service-Error-Reason. */
export interface ModelRequestError {
  /** A human-readable message. */
  readonly detail: string;
  readonly error_type: RouterBucket;
  readonly code?: RequestReason;
}

/** One page of requests, newest first. */
export interface ModelRequestPage {
  /** The entries of this page. */
  readonly data: readonly ModelRequest[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Every request ends as COMPLETED. One that failed or was cancelled then has an error_type. */
export type ModelRequestStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED";

/** A route. */
export interface ModelRoute {
  readonly id: ModelId;
  readonly name: ModelSegment;
  /** Who wrote it. A workspace's own comes before the server's. */
  readonly scope: "workspace" | "server";
  readonly title: string | null;
  readonly description: string | null;
  readonly rule: "order" | "price" | "latency" | "success" | "weight";
  readonly strict: boolean;
  readonly targets: readonly RouteTarget[];
  /** Also the ETag. */
  readonly version: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** Routes, sorted by name. */
export interface ModelRouteList {
  readonly data: readonly ModelRoute[];
}

/** The model's name at the provider: the second half of its id. */
export type ModelSegment = string;

/** Statistics of a model for this workspace. Replays are not counted. */
export interface ModelStats {
  /** provider/model. */
  readonly model: string;
  /** The number of calls. */
  readonly calls: number;
  /** Calls that succeeded. */
  readonly successes: number;
  /** Calls that failed. */
  readonly failures: number;
  /** Successful calls divided by all calls. */
  readonly success_rate: number | null;
  /** Median duration of successful calls, accurate to 5 %; null if there are none. */
  readonly p50_ms: number | null;
  /** 95th percentile of the duration of successful calls, accurate to 5 %; null if there are none. */
  readonly p95_ms: number | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
}

/** Recent model statistics for this workspace. */
export interface ModelStatsList {
  /** How many hours back. */
  readonly hours: number;
  /** The models that were called, most called first. */
  readonly data: readonly ModelStats[];
}

/** Where a workspace goes. */
export interface MoveWorkspace {
  /** The other server's address, such as https://atelier.example. */
  readonly moved_to: string;
  /** true: it is complete there. From then on this server only says where it is. */
  readonly is_done?: boolean;
}

/** A workspace's name. */
export interface NameWorkspace {
  /** 1 to 100 characters after trimming, without line breaks. */
  readonly name: string;
}

/** The token to make. Each restriction is combined with those of the caller: the narrower one applies. */
export interface NewToken {
  /** What it may do. Anything else is refused. */
  readonly capabilities: readonly TokenCapability[];
  /** The models and works it may use. Required with call_models and read_models, unless the caller is a token: then absent means the caller's. */
  readonly models?: readonly string[];
  /** What it and all tokens made from it may spend together. Required with call_models, unless the caller is a token. */
  readonly credits_max?: string;
  /** How long it works: an hour by default, and never longer than what it is made from. */
  readonly expires_in_seconds?: number;
  /** Your own id of the person who uses it, in visible ASCII characters. */
  readonly end_user?: string;
  /** Only pages of these origins may use it, and browsers let them. Absent: any program, and no page that the server does not know. */
  readonly origins?: readonly string[];
  /** It works only from these addresses. */
  readonly addresses?: readonly string[];
  /** What it is for. */
  readonly label?: string;
}

/** An endpoint to add. */
export interface NewWebhookEndpoint {
  /** An https URL of a public host, on port 443. Each address once per workspace. */
  readonly url: string;
  /** What is sent there. */
  readonly types: readonly WebhookEventType[];
  readonly filter?: WebhookEndpointFilter;
  /** For people. */
  readonly description?: string;
}

/** A link with which people without an account can run the work. */
export interface NewWorkLink {
  /** Whom it is for. */
  readonly label?: string;
  /** What all runs through the link may cost together, in credits. */
  readonly budget: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** A registry node. */
export interface Node {
  readonly id: NodeId;
  /** Display name. */
  readonly name: string;
  /** What the node does. Empty if not given. */
  readonly description: string;
  /** Who wrote it. */
  readonly author?: string;
  /** Use tags instead; will be removed in a later version. @deprecated */
  readonly category?: string;
  /** The path of the licence file in the repository, or its text as JSON. */
  readonly license?: string;
  /** URL of the repository. */
  readonly repository?: string;
  /** URL of the icon. */
  readonly icon?: string;
  /** URL of the banner. */
  readonly banner_url?: string;
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
  /** Tags. */
  readonly tags: readonly string[];
  /** Operator tags, only shown to admins. Tags starting with `warning:` also appear in warnings. */
  readonly tags_admin?: readonly string[];
  /** Warnings from the operators, to be shown before installing. Absent if there are none. */
  readonly warnings?: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** Installs, counted once per client and day. */
  readonly downloads: number;
  /** The repository's star count. */
  readonly github_stars?: number;
  /** The average review. */
  readonly rating?: number;
  /** Rank in search results. */
  readonly search_ranking?: number;
  readonly status: NodeStatus;
  /** Why it has this status. */
  readonly status_detail?: string;
  /** Node names this node takes precedence for. */
  readonly preempted_svc_node_names?: readonly string[];
  readonly latest_version?: NodeVersion;
  readonly publisher?: Publisher;
}

/** What the code of a version can do, where, and what is new since another version. */
export interface NodeCapabilities {
  /** The version. */
  readonly version: string;
  /** In words, as the version itself lists them. */
  readonly capabilities: readonly string[];
  /** Every place, by file and line. */
  readonly uses: readonly {
    /** network, processes, files, code, native or environment. */
    readonly kind: string;
    /** Whether it happens when the application loads the node, without anybody running it. */
    readonly at_import: boolean;
    /** What is used, for example requests.get. */
    readonly name: string;
    /** The file. */
    readonly file: string;
    /** The line. Absent for compiled files. */
    readonly line?: number;
    /** The function. Absent at the top of a module. */
    readonly within?: string;
  }[];
  /** The version it is compared with. Absent if there is no earlier one. */
  readonly compared_with?: string;
  /** Places that the other version does not have, new capabilities first. */
  readonly added: readonly {
    /** network, processes, files, code, native or environment. */
    readonly kind: string;
    /** Whether it happens when the application loads the node, without anybody running it. */
    readonly at_import: boolean;
    /** What is used, for example requests.get. */
    readonly name: string;
    /** The file. */
    readonly file: string;
    /** The line. Absent for compiled files. */
    readonly line?: number;
    /** The function. Absent at the top of a module. */
    readonly within?: string;
    /** Whether the other version cannot do this anywhere. */
    readonly is_new_kind: boolean;
    /** In a sentence. */
    readonly text: string;
  }[];
  /** Places that only the other version has. */
  readonly removed: readonly {
    /** network, processes, files, code, native or environment. */
    readonly kind: string;
    /** Whether it happens when the application loads the node, without anybody running it. */
    readonly at_import: boolean;
    /** What is used, for example requests.get. */
    readonly name: string;
    /** The file. */
    readonly file: string;
    /** The line. Absent for compiled files. */
    readonly line?: number;
    /** The function. Absent at the top of a module. */
    readonly within?: string;
  }[];
}

/** The charge for one node's model calls. */
export interface NodeCharge {
  /** The node's id in the job's graph. */
  readonly node_id: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** How many of its calls have ended. */
  readonly calls: number;
  /** The newest of these calls, newest first: each id is found at GET /account/requests/{requestId}. */
  readonly request_ids: readonly string[];
}

/** A node class available here. */
export interface NodeClass {
  /** The class_type in graphs. */
  readonly name: string;
  /** The name editors show. */
  readonly title: string;
  /** Where editors list it. Slashes separate subcategories. */
  readonly category: string;
  /** What it does. Empty if not given. */
  readonly description: string;
  /** Whether it is an output node, which saves or shows something. */
  readonly is_output: boolean;
  /** Whether it is deprecated in favour of something newer. */
  readonly is_deprecated: boolean;
  /** Whether it may still change. */
  readonly is_experimental: boolean;
  /** In the class's own order, required inputs first. */
  readonly inputs: readonly NodeClassInput[];
  /** In order. */
  readonly outputs: readonly NodeClassOutput[];
  readonly runs_on: NodeClassLocation;
}

/** One input of a node class. */
export interface NodeClassInput {
  /** Its name in graphs. */
  readonly name: string;
  /** INT, FLOAT, STRING, BOOLEAN, COMBO, or the type of a socket such as IMAGE. */
  readonly type: string;
  /** Whether a graph must set it. */
  readonly is_required: boolean;
  /** Whether it only accepts a link to another node. */
  readonly is_link: boolean;
  /** Whether it takes one of the caller's files: an asset reference, or the path of an uploaded asset. */
  readonly is_file: boolean;
  /** The initial value in editors. A graph must still set it. */
  readonly default?: unknown;
  /** The minimum. Integers beyond 2^53 are exact. */
  readonly min?: number;
  /** The maximum. Integers beyond 2^53 are exact. */
  readonly max?: number;
  /** The step size in editors. */
  readonly step?: number;
  /** The choices of a COMBO. */
  readonly choices?: readonly unknown[];
  /** Whether the text can have several lines. */
  readonly is_multiline?: boolean;
  /** Whether the integer is a color: 0xRRGGBB. */
  readonly is_color?: boolean;
  /** What it is for. */
  readonly tooltip?: string;
}

/** Where a node class runs. */
export interface NodeClassLocation {
  /** In the server's own engine. */
  readonly engine: boolean;
  /** Ids of the pools that have a worker with this class: the shared pool or a deployment's. */
  readonly pools: readonly string[];
  /** In the application behind this surface. */
  readonly application: boolean;
}

/** One output of a node class. Links refer to it by its index. */
export interface NodeClassOutput {
  /** Its name in editors. */
  readonly name: string;
  /** Its type, such as IMAGE. */
  readonly type: string;
  /** Whether it returns a list of values. */
  readonly is_list: boolean;
}

/** One page of node classes. */
export interface NodeClassPage {
  /** The entries of this page. */
  readonly data: readonly NodeClass[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
  /** The next page, relative to the host. Absent on the last page. */
  readonly next?: string;
}

/** How many nodes are in each state. Exact, no matter how large the graph is. */
export interface NodeCounts {
  /** Nodes in the state waiting. */
  readonly waiting: number;
  /** Nodes in the state running. */
  readonly running: number;
  /** Nodes in the state cached. */
  readonly cached: number;
  /** Nodes in the state done. */
  readonly done: number;
  /** Nodes in the state failed. */
  readonly failed: number;
}

/** One node class that a version of a registry node provides. */
export interface NodeDescriptor {
  /** The node's place in the menu. */
  readonly category?: string;
  /** Deprecated nodes are hidden in the menu. */
  readonly deprecated?: boolean;
  /** What the node does. */
  readonly description?: string;
  /** The node's name for people. */
  readonly display_name?: string;
  /** May change or be removed. */
  readonly experimental?: boolean;
  /** The name of the entry-point function. */
  readonly function?: string;
  /** The input parameters, as a JSON string. */
  readonly input_types?: string;
  /** For each output, whether it is a list. */
  readonly output_is_list?: readonly boolean[];
  /** Whether it ends a workflow, such as a node that saves. */
  readonly output_node?: boolean;
  readonly policy?: NodePolicy;
  /** The outputs' names, as a JSON string. */
  readonly return_names?: string;
  /** The outputs' types, as a JSON string. */
  readonly return_types?: string;
  /** The node's unique name. */
  readonly svc_node_name: string;
}

/** What one part of a graph would cost. */
export interface NodeEstimate {
  /** The node's id in the graph, or run for the job's running time. */
  readonly node_id: string;
  /** The node's class. Absent for the running time. */
  readonly class_type?: string;
  /** The node's title, if the graph has one. */
  readonly title?: string;
  readonly credits: CreditRange;
  /** Whether lowest and highest are equal. */
  readonly is_exact: boolean;
  readonly expected_seconds?: ExpectedSeconds;
}

/** A node's id: letters, digits, dot, underscore and hyphen. Unique regardless of case. */
export type NodeId = string;

/** One page of nodes. */
export interface NodePage {
  readonly nodes: readonly Node[];
  /** The total across all pages. */
  readonly total: number;
  /** The number of this page. */
  readonly page: number;
  /** The page size that was used. */
  readonly limit: number;
  /** How many pages there are. */
  readonly totalPages: number;
}

/** Where workflows may use the node: everywhere, nowhere or only on self-hosted surfaces. */
export type NodePolicy = "NodePolicyActive" | "NodePolicyBanned" | "NodePolicyLocalOnly";

/** The readme that a version's archive contains. */
export interface NodeReadme {
  /** Its name in the archive. */
  readonly file: string;
  /** Its text, without control characters. Usually Markdown. */
  readonly text: string;
  /** Whether the end was left out because the file is long. */
  readonly truncated: boolean;
}

/** waiting: not started. cached: not run; an earlier result was reused. failed: started but not completed, including when the job was canceled or timed out. */
export type NodeState = "waiting" | "running" | "cached" | "done" | "failed";

/** Whether the node is available. */
export type NodeStatus = "NodeStatusActive" | "NodeStatusDeleted" | "NodeStatusBanned";

/** A published version of a node. */
export interface NodeVersion {
  /** A lower-case UUID. */
  readonly id: string;
  readonly node_id: NodeId;
  /** A semantic version. */
  readonly version: string;
  /** What changed. */
  readonly changelog?: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  /** Packages it needs. */
  readonly dependencies: readonly string[];
  /** Whether its publisher has deprecated it. */
  readonly deprecated: boolean;
  /** When it was deprecated; also in the Deprecation header. Absent if it is not. */
  readonly deprecated_at?: string;
  /** When its publisher will remove it; also in the Sunset header. */
  readonly sunset_at?: string;
  /** The URL of the archive. Absent until its upload completes. */
  readonly downloadUrl?: string;
  /** The hash of the archive: blake3: and 64 hexadecimal digits. */
  readonly archive_hash?: string;
  /** Size of the archive in bytes. */
  readonly archive_size?: number;
  readonly status: NodeVersionStatus;
  /** Why it has this status. */
  readonly status_reason?: string;
  /** The state of the descriptor extraction: pending, success, partial or failed. */
  readonly svc_node_extract_status?: string;
  /** Why the extraction is partial or failed: what is computed at run time, with file and line. Absent if there is nothing to say. */
  readonly extract_reasons?: readonly string[];
  /** What its code can do: network, processes, files, code, native, environment; with _at_import if it happens when the application loads it. Absent until its code was read. */
  readonly capabilities?: readonly string[];
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** Tags. */
  readonly tags?: readonly string[];
  /** Operator tags, only shown to admins. */
  readonly tags_admin?: readonly string[];
  /** Warnings from the operators, to be shown before installing; the node's own warnings come first. Absent if there are none. */
  readonly warnings?: readonly string[];
  /** The findings of the checks, only shown to members and admins. */
  readonly findings?: readonly NodeVersionFinding[];
  /** The name of the readme in the archive. Absent if it has none that this reader may see. */
  readonly readme?: string;
  readonly appeal?: NodeVersionAppeal;
}

/** The publisher's appeal while it waits for an operator. Only shown to members and admins. */
export interface NodeVersionAppeal {
  /** Why the publisher thinks that the findings are harmless. */
  readonly reason: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** One finding of the built-in checks in an archive. */
export interface NodeVersionFinding {
  /** The rule's stable code. */
  readonly code: string;
  /** A human-readable description. */
  readonly message: string;
  /** The file with the finding. */
  readonly file?: string;
  /** The line number. */
  readonly line?: number;
  /** That line of the file, at most 200 characters. */
  readonly source?: string;
}

/** Identifies one version. */
export interface NodeVersionIdentifier {
  readonly node_id: string;
  readonly version: string;
}

/** One change of a version's status. */
export interface NodeVersionMove {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  readonly status_before: NodeVersionStatus;
  readonly status_after: NodeVersionStatus;
  /** The reason. */
  readonly reason?: string;
  /** Who changed it. */
  readonly by: "admin" | "publisher" | "checks" | "registry";
  /** The operator's name, only shown to operators. */
  readonly name?: string;
  /** A lower-case UUID. */
  readonly batch_id?: string;
}

/** One page of versions. */
export interface NodeVersionPage {
  readonly versions: readonly NodeVersion[];
  /** The total across all pages. */
  readonly total: number;
  /** The number of this page. */
  readonly page: number;
  /** The page size that was used. */
  readonly pageSize: number;
  /** How many pages there are. */
  readonly totalPages: number;
}

/** A version's findings and status history. */
export interface NodeVersionReview {
  readonly node_version: NodeVersion;
  /** The version of the rules behind the verdict. */
  readonly rule_set?: string;
  readonly checked_at: string | null;
  /** The findings of the checks. */
  readonly findings: readonly NodeVersionFinding[];
  /** Every status change, oldest first. */
  readonly history: readonly NodeVersionMove[];
  readonly capabilities?: NodeCapabilities;
}

/** Whether the version can be installed. */
export type NodeVersionStatus = "NodeVersionStatusActive" | "NodeVersionStatusPending" | "NodeVersionStatusFlagged" | "NodeVersionStatusBanned" | "NodeVersionStatusDeleted";

/** Node class → its description, in the format of the application's GET /object_info. */
export type ObjectInfo = { readonly [name: string]: unknown };

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { readonly [name: string]: unknown };

/** A job output. While the job is kept, its id is also an asset id. */
export interface Output {
  /** A lower-case UUID. */
  readonly id: string;
  /** The node that made it. */
  readonly node_id: string;
  /** The file name without folders. The asset's file_path includes them. */
  readonly name: string;
  /** The kind of file, detected from its bytes. */
  readonly type: "image" | "video" | "audio" | "text" | "file" | "latent";
  /** The media type. */
  readonly content_type: string;
  /** Size in bytes. */
  readonly size_bytes: number;
  /** The hash of the bytes; null until known. */
  readonly hash: BlobHash | null;
  /** The content endpoint. It needs the credential, so do not share it. For a signed URL to share, use the `url` of GET /api/v2/assets/{id} (urls.self) with this output's id. */
  readonly url: string;
  /** The job's expires_at; null on self-hosted surfaces. Not the expiry of a signed URL. */
  readonly url_expires_at: string | null;
  /** The job that made it. */
  readonly job_id?: string | null;
  /** true: made by a preview node such as PreviewImage, so it is not a saved result and is not sent to an output target. Absent for results. */
  readonly is_preview?: boolean;
  readonly urls: ContentUrls;
}

/** The state of the deliveries to the output target. */
export interface OutputDelivery {
  /** Delivered outputs. */
  readonly delivered: number;
  /** Outputs being delivered or retried. */
  readonly pending: number;
  /** Outputs abandoned after ten attempts. */
  readonly failed: number;
  /** The error of the newest failed attempt. */
  readonly last_error: string | null;
}

/** Where to also deliver each output as soon as it exists. Never returned by reads, and ignored when an idempotency key compares bodies. */
export type OutputTarget = {
  readonly kind: "https";
  /** An https URL of a public host with {name} in its path or query, which is replaced with each output's name; it may also contain {job_id}. Outputs are sent with PUT, signed like webhooks. */
  readonly url: string;
} | {
  readonly kind: "s3";
  /** An https URL of a public host. The bucket is added to the path. */
  readonly endpoint: string;
  /** The bucket. */
  readonly bucket: string;
  /** A prefix for each name. */
  readonly prefix?: string;
  /** Defaults to us-east-1. */
  readonly region?: string;
  /** The id of the access key. */
  readonly access_key_id: string;
  /** Stored encrypted. Never in reads, logs or events. */
  readonly secret_access_key: string;
};

/** A task at partner-a: created, running or ended. */
export interface PartnerATaskResult {
  readonly data: {
    /** A lower-case UUID. */
    readonly task_id: string;
    readonly status: PartnerATaskStatus;
    /** URLs or data of the results. Empty until COMPLETED. */
    readonly generated: readonly string[];
  };
}

/** The task's status. */
export type PartnerATaskStatus = "CREATED" | "IN_PROGRESS" | "COMPLETED" | "FAILED";

/** A prompt at partner-b: waiting, running or ended. */
export interface PartnerBPrompt {
  /** The prompt's id. */
  readonly id: string;
  readonly status: PromptStatus;
  /** The submitted text. Empty if there was none. */
  readonly prompt_text: string;
  /** The video. Absent until completed. */
  readonly output_url?: string;
  /** Why the prompt failed. Absent otherwise. */
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** The submitted image or key frames. Empty if there were none. */
  readonly frame_conditioning: {
    readonly image_url?: string;
    readonly keyframes?: Keyframes;
  };
  readonly inference_params: InferenceParams;
  /** The model to use. */
  readonly model_params: {
    readonly model: string;
  };
  /** When it happened. */
  readonly meta: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly completed_at?: string;
    /** Seconds from creation to completion. */
    readonly duration_s?: number;
  };
}

/** Everything this server holds about one person, newest first in each list. */
export interface PersonalData {
  /** Name, e-mail address, the subject at the identity provider, and roles on the installation. */
  readonly profile: readonly { readonly [name: string]: unknown }[];
  /** The person's workspaces and roles, ended ones too. */
  readonly memberships: readonly { readonly [name: string]: unknown }[];
  /** Keys and tokens that the person made. Secrets are not included. */
  readonly keys: readonly { readonly [name: string]: unknown }[];
  /** Browsers, with the address they signed in from. */
  readonly sessions: readonly { readonly [name: string]: unknown }[];
  /** Requests made with the person's keys, by id. */
  readonly requests: readonly { readonly [name: string]: unknown }[];
  /** Jobs submitted with the person's keys, by id. */
  readonly jobs: readonly { readonly [name: string]: unknown }[];
  /** Audit entries by and about the person. */
  readonly audit: readonly { readonly [name: string]: unknown }[];
  /** The lists that have more than the 10,000 rows shown. */
  readonly cut: readonly string[];
}

/** A form with only a button. */
export interface PlainForm {
  /** The form's own token. */
  readonly csrf: string;
}

/** A plan that can be bought. */
export interface PlanOffer {
  /** A lower-case UUID. */
  readonly id: string;
  /** Its name. */
  readonly name: string;
  /** subscription: credits for each paid period. once: credits for one payment. */
  readonly kind: "subscription" | "once";
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly price_minor: number;
  /** An ISO 4217 currency in lower case. */
  readonly currency: string;
  /** Whether credits left over from a period stay when the next one begins. */
  readonly rolls_over: boolean;
  /** The payment provider's page where it is bought for this workspace. Null: ask the operator. */
  readonly checkout_url: string | null;
}

/** What a workspace has and what it can buy. */
export interface PlanOverview {
  /** Newest first. Ended ones are listed for 90 days. */
  readonly current: readonly CurrentPlan[];
  /** Cheapest first. */
  readonly offers: readonly PlanOffer[];
}

/** A run in the playground. */
export interface PlaygroundRun {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** provider/model, or the id of a work. */
  readonly model: string;
  /** The input: a JSON object as text, so that large integers keep their digits. */
  readonly input: string;
  /** The request id from the response. */
  readonly request_id: string | null;
  /** What it cost; null if that is not known. */
  readonly credits: string | null;
  /** The outputs that were saved as assets. */
  readonly asset_ids: readonly string[];
}

/** One page of runs, newest first. */
export interface PlaygroundRunPage {
  /** The entries of this page. */
  readonly data: readonly PlaygroundRun[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** A release of the software. */
export interface ProgramRelease {
  /** The version number, or Unreleased. */
  readonly version: string;
  /** The day of the release. */
  readonly date: string | null;
  /** Its notes, in Markdown. */
  readonly text: string;
}

/** A complete progress snapshot of the job. */
export interface Progress {
  /** Progress of the whole graph from 0 to 1. Never decreases. */
  readonly value: number;
  /** Nodes that have ended. */
  readonly nodes_done: number;
  /** Nodes of the submitted graph. */
  readonly nodes_total: number;
  /** The running node. */
  readonly current_node?: string | null;
  /** Its class. */
  readonly current_node_class?: string | null;
  /** The current step. */
  readonly step?: number | null;
  /** The total number of steps. */
  readonly steps?: number | null;
  /** The progress as text. */
  readonly message?: string | null;
  /** The nodes that the outputs depend on, in graph order. If there are more than 500: the failed, the running and the most recently changed ones. Absent in lists and webhooks, before the first attempt, and if the worker does not report them. */
  readonly nodes?: readonly JobNode[];
  readonly node_counts?: NodeCounts;
}

/** The prompt's status. */
export type PromptStatus = "pending" | "processing" | "completed" | "error";

/** A workspace's own credential for a provider. */
export interface ProviderCredential {
  /** The first part of the provider's model ids. */
  readonly provider: string;
  /** The only hosts it is sent to. */
  readonly hosts: readonly string[];
  /** Whether calls use it now: the provider accepts workspace credentials and is still at these hosts. */
  readonly is_used: boolean;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** The workspace's credentials. Secrets are not included. */
export interface ProviderCredentialList {
  readonly data: readonly ProviderCredential[];
  /** Providers that accept a workspace's own credential here. */
  readonly providers: readonly string[];
}

/** The provider: the first half of the model's id. */
export type ProviderSegment = string;

/** A version to publish, and the metadata of its node. */
export interface PublishNodeVersion {
  /** A publisher token. Not needed with a member's bearer token. */
  readonly personal_access_token?: string;
  readonly node?: {
    /** Display name. */
    readonly name?: string;
    /** Who wrote it. */
    readonly author?: string;
    /** Use tags instead; will be removed in a later version. @deprecated */
    readonly category?: string;
    /** The path of the licence file in the repository, or its text as JSON. */
    readonly license?: string;
    /** URL of the repository: http, https, ssh or git's short form. Empty for none. */
    readonly repository?: string;
    /** URL of the icon, http or https. Empty for none. */
    readonly icon?: string;
    /** URL of the banner, http or https. Empty for none. */
    readonly banner_url?: string;
    /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
    readonly supported_accelerators?: readonly string[];
    /** Operating systems it runs on. */
    readonly supported_os?: readonly string[];
    /** Versions of the application it works with. */
    readonly supported_app_version?: string;
    /** Versions of the application's frontend it works with. */
    readonly supported_app_frontend_version?: string;
    /** Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
    readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
    /** What the node does. */
    readonly description?: string;
    /** Tags. */
    readonly tags?: readonly string[];
    /** The node's id. */
    readonly id?: string;
  };
  readonly node_version: {
    /** A semantic version. 1, 1.2 and v1.2.3 are accepted too. */
    readonly version: string;
    /** What changed. */
    readonly changelog?: string;
    /** Packages it needs. */
    readonly dependencies?: readonly string[];
    /** Tags. */
    readonly tags?: readonly string[];
    /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
    readonly supported_accelerators?: readonly string[];
    /** Operating systems it runs on. */
    readonly supported_os?: readonly string[];
    /** Versions of the application it works with. */
    readonly supported_app_version?: string;
    /** Versions of the application's frontend it works with. */
    readonly supported_app_frontend_version?: string;
  };
}

/** A version of a saved workflow, and what callers may set. */
export interface PublishWork {
  /** A lower-case UUID. */
  readonly workflow_id: string;
  /** Of the saved workflow; the latest by default. */
  readonly version?: number;
  readonly form?: WorkForm;
  /** Its name for people. */
  readonly title?: string;
  /** What it does, for the people who use it. */
  readonly description?: string;
  /** What is new in this version. */
  readonly note?: string;
  /** private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job. */
  readonly visibility?: "private" | "shared" | "public";
  /** Ids of workspaces. */
  readonly shared_with?: readonly string[];
  /** Each is run first, and paid for; if one fails, nothing is published. One run with the defaults if left out; none if empty. */
  readonly examples?: readonly GivenExample[];
  /** The first half of the ids of all works of this workspace. Chosen with the first work and never changed; made from the workspace's name if left out. */
  readonly provider?: string;
}

/** The version, waiting for its archive. */
export interface PublishedNodeVersion {
  readonly node_version: NodeVersion;
  /** PUT the archive here. Returns 200. */
  readonly signedUrl: string;
}

/** Who publishes nodes. */
export interface Publisher {
  readonly id: PublisherId;
  /** Display name. */
  readonly name: string;
  /** What the publisher does. */
  readonly description?: string;
  /** URL of the logo. */
  readonly logo?: string;
  /** URL of the website. */
  readonly website?: string;
  /** Where users find help. */
  readonly support?: string;
  /** URL of the source code. */
  readonly source_code_repo?: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  readonly status: PublisherStatus;
  readonly visibility?: PublisherVisibility;
  /** The people who act for the publisher. */
  readonly members?: readonly PublisherMember[];
}

/** Whether a publisher id is available. */
export interface PublisherAvailability {
  /** Whether the id is free. */
  readonly isAvailable: boolean;
}

/** A publisher's id: lower-case letters, digits and hyphens, starting with a letter. It never changes. */
export type PublisherId = string;

/** Publishers. */
export type PublisherList = readonly Publisher[];

/** A person who acts for a publisher. */
export interface PublisherMember {
  /** The membership's id. */
  readonly id?: string;
  /** What the member may do. An owner may do everything. */
  readonly role?: string;
  readonly user?: {
    /** The person's id. */
    readonly id?: string;
    /** The person's name. */
    readonly name?: string;
    /** Shown to members and admins only. */
    readonly email?: string;
  };
}

/** Whether the publisher may publish. */
export type PublisherStatus = "PublisherStatusActive" | "PublisherStatusBanned";

/** A publishing token, masked. */
export interface PublisherToken {
  /** A lower-case UUID. */
  readonly id: string;
  /** What the token is for. */
  readonly name: string;
  /** A longer description. */
  readonly description?: string;
  /** The first characters, followed by asterisks. */
  readonly token: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

/** Who can see the publisher and its nodes: everyone, or only its workspace and its members. */
export type PublisherVisibility = "public" | "workspace";

/** A budget to set. */
export interface PutBudget {
  /** What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user. */
  readonly scope: "workspace" | "key" | "tag" | "end_user";
  /** The id of the key, the tag as key=value, or the end user. Absent with the scope workspace. */
  readonly subject?: string;
  /** In UTC; a week begins on Monday. */
  readonly period: "day" | "week" | "month";
  /** In credits, as a decimal string with at most six decimal places. */
  readonly amount: string;
  /** At 100 %: refuse calls that could cost more than is left (insufficient_credits), or only send the alert. Defaults to stop. */
  readonly at_limit?: "stop" | "warn";
  /** Where alerts are sent, signed. Absent or null: nowhere. */
  readonly webhook_url?: string | null;
  /** Who gets alerts by e-mail, besides the workspace's owners and billing people, if the server sends mail. Absent: nobody else. */
  readonly emails?: readonly string[];
}

/** A credential to store. */
export interface PutProviderCredential {
  /** The key from the provider, or id:secret for a pair. It is never shown again. */
  readonly credential: string;
}

/** A route to store. */
export interface PutRoute {
  /** The display name. */
  readonly title?: string;
  readonly description?: string;
  /** Which target is asked first. order: as listed, the default. price: the cheapest for this input. latency and success: by this server's own recent calls. weight: in turn, by weight. Targets whose provider keeps failing come last. */
  readonly rule?: "order" | "price" | "latency" | "success" | "weight";
  /** Whether a target is skipped if it would drop an input of the call. */
  readonly strict?: boolean;
  /** The first decides what the route takes and makes. */
  readonly targets: readonly RouteTarget[];
}

/** Whether this process should receive work. */
export interface Readiness {
  /** not_ready comes with status 503. */
  readonly status: "ready" | "not_ready";
  /** What was checked: database, blob store, release state and others. */
  readonly checks: { readonly [name: string]: {
    readonly status: "ok" | "failing";
    /** What is wrong, without addresses or secrets. */
    readonly message?: string;
  } };
}

/** The event is stored. */
export interface ReceivedEvent {
  readonly event_id: string;
  readonly state: "stored" | "applied" | "ignored";
}

/** The caller's registry account. */
export interface RegistryUser {
  /** The person's id. */
  readonly id: string;
  /** The person's e-mail address. */
  readonly email?: string;
  /** The person's name. */
  readonly name?: string;
  /** Whether the person is an operator. */
  readonly isAdmin: boolean;
  /** Whether the person may publish. */
  readonly isApproved: boolean;
}

/** One dated change to what this server offers. */
export interface ReleaseNote {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** What it is about. */
  readonly kind: "model" | "partner_tool" | "badge" | "node_version";
  /** A model's id, a partner's operation, a node's id, or a node's id and version. */
  readonly subject: string;
  /** What happened to it. */
  readonly change: "added" | "changed" | "deprecated" | "removed";
  /** Since when it is deprecated. */
  readonly deprecated_at: string | null;
  /** When it is or was removed. */
  readonly sunset_at: string | null;
}

/** Changes to what this server offers, and releases of the software. */
export interface ReleaseNoteList {
  /** Changes to this server, newest first. */
  readonly server: readonly ReleaseNote[];
  /** Releases of the software, newest first. */
  readonly program: readonly ProgramRelease[];
}

/** An image and how to relight it. */
export interface RelightRequest {
  /** The image to relight: base64 or an http(s) URL. */
  readonly image: string;
  /** Guides the light. (phrase:1.3) emphasises a phrase by a factor from 1 to 1.4. */
  readonly prompt?: string;
  /** Takes the light from this image (base64 or URL); cannot be combined with a lightmap. */
  readonly transfer_light_from_reference_image?: string;
  /** Takes the light from this map (base64 or URL); cannot be combined with a reference image. */
  readonly transfer_light_from_lightmap?: string;
  /** 0 stays closest to the original, 100 transfers all the light. */
  readonly light_transfer_strength?: number;
  /** Blends the result with the original according to the strength. */
  readonly interpolate_from_original?: boolean;
  /** Lets the prompt or reference image change the background. */
  readonly change_background?: boolean;
  /** The style of the result. */
  readonly style?: "standard" | "darker_but_realistic" | "clean" | "smooth" | "brighter" | "contrasted_n_hdr" | "just_composition";
  /** Keeps texture and fine details. */
  readonly preserve_details?: boolean;
  readonly advanced_settings?: RelightSettings;
  /** Called on every status change of the task. Must be https on port 443. */
  readonly webhook_url?: string;
}

/** Advanced relighting settings. */
export interface RelightSettings {
  /** White level. */
  readonly whites?: number;
  /** Black level. */
  readonly blacks?: number;
  /** Brightness. */
  readonly brightness?: number;
  /** Contrast. */
  readonly contrast?: number;
  /** Saturation. */
  readonly saturation?: number;
  /** The partner's engine to use. */
  readonly engine?: "automatic" | "balanced" | "cool" | "real" | "illusio" | "fairy" | "colorful_anime" | "hard_transform" | "softy";
  /** How strongly the light is transferred. */
  readonly transfer_light_a?: "automatic" | "low" | "medium" | "normal" | "high" | "high_on_faces";
  /** The curve used to transfer the light. */
  readonly transfer_light_b?: "automatic" | "composition" | "straight" | "smooth_in" | "smooth_out" | "smooth_both" | "reverse_both" | "soft_in" | "soft_out" | "soft_mid" | "strong_mid" | "style_shift" | "strong_shift";
  /** The same settings give the same result. */
  readonly fixed_generation?: boolean;
}

/** What was removed along with the member. */
export interface RemovedMember {
  /** The person's keys, revoked at the same time. */
  readonly revoked_keys: readonly string[];
}

/** What was removed along with the account. */
export interface RemovedServiceAccount {
  /** Its keys, revoked at the same time. */
  readonly revoked_keys: readonly string[];
}

/** The receivers on this machine to allow. */
export interface ReplaceWebhookTargets {
  /** The complete list. An empty list closes all. */
  readonly targets: readonly string[];
}

/** What the workspace keeps of a request. */
export interface RequestBodies {
  /** A lower-case UUID. */
  readonly request_id: string;
  /** Whether the workspace keeps bodies now. */
  readonly keeping: boolean;
  /** When they were kept; null if they are not. */
  readonly kept_at: string | null;
  /** When they are deleted; null if they are not kept. */
  readonly expires_at: string | null;
  /** What the caller sent; null if it is not kept. */
  readonly input: RequestBody | null;
  /** What the call was answered; null if it is not kept. */
  readonly answer: RequestBody | null;
  /** The status of the answer. */
  readonly status: number | null;
}

/** The input or the answer of a request, as it is kept. */
export interface RequestBody {
  /** Of a file, and of a body that was too large, only type, size and hash are kept. */
  readonly kind: "json" | "text" | "file" | "too_large";
  /** Its media type; null if there was none. */
  readonly content_type: string | null;
  /** Its size as it was sent. */
  readonly bytes: number;
  /** The SHA-256 of the bytes as they were sent. */
  readonly sha256: string;
  /** Its text, without secrets and files. JSON is text too, so that large integers keep their digits. */
  readonly text: string | null;
  /** What was removed before it was kept: at most the first 100. */
  readonly removed: readonly {
    /** Where it was: a JSON pointer, or an empty text if that is not known. */
    readonly at: string;
    readonly what: "secret" | "file";
  }[];
}

/** Whether a workspace keeps bodies, and how long. */
export interface RequestBodyKeeping {
  readonly enabled: boolean;
  /** How long each body is kept. */
  readonly keep_hours: number;
  /** The operator's bound. 0: this server keeps no bodies. */
  readonly keep_hours_max: number;
  /** The largest body of which the text is kept. */
  readonly body_bytes_max: number;
  /** When this was last changed; null: never. */
  readonly changed_at: string | null;
  /** How many requests have bodies now. */
  readonly kept_requests: number;
  /** How much they take up, encrypted. */
  readonly kept_bytes: number;
}

/** The reason, if the error type alone does not say. */
export type RequestReason = "cancelled" | "queue_timeout" | "request_not_found" | "queue_backlog_full" | "cancel_refused" | "already_completed";

/** How long a workspace keeps its files and its history. */
export interface Retention {
  /** After how many days files that jobs made are deleted, unless something still needs them. Null: as long as the server keeps them. */
  readonly outputs_days: number | null;
  /** After how many days files that were uploaded, or kept from answers of models, are deleted, unless something still needs them. Null: as long as the server keeps them. */
  readonly uploads_days: number | null;
  /** After how many days ended jobs with their workflows, errors, playground runs, and the tags and end users of requests are deleted; the lines of the books stay. Null: as long as the server keeps them. */
  readonly history_days: number | null;
  /** The operator's bound: the fewest days that can be set. */
  readonly days_min: number;
  /** The operator's bound: nothing is kept longer. Null: no bound, and null can be set. */
  readonly days_max: number | null;
  /** When it was last changed; null: never. */
  readonly changed_at: string | null;
  /** From when on the last change applies: a day after it was made. */
  readonly applies_at: string | null;
}

/** What would be deleted if these days applied now. */
export interface RetentionEstimate {
  /** Files that jobs made. */
  readonly outputs: {
    /** How many. */
    readonly things: number;
    /** How large their files are together. */
    readonly bytes: number;
  };
  /** Files that were uploaded or kept. */
  readonly uploads: {
    /** How many. */
    readonly things: number;
    /** How large their files are together. */
    readonly bytes: number;
  };
  /** Jobs, errors, playground runs, and requests with tags or an end user. */
  readonly history: {
    /** How many. */
    readonly things: number;
    /** How large their files are together. */
    readonly bytes: number;
  };
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly applies_at: string;
}

/** How to rotate a key. */
export interface RotateKey {
  /** How long the old key keeps working alongside the new one. 24 hours by default; 0 ends it now. */
  readonly overlap_seconds?: number;
}

/** How to rotate the secret. */
export interface RotateWebhookSecret {
  /** How long the old secret keeps signing alongside the new one. 24 hours by default; 0 ends it now. */
  readonly overlap_seconds?: number;
}

/** How the route's inputs become those of a target. The route takes the inputs of its first target; anything not named here keeps its name and value. */
export interface RouteInputs {
  /** The route's name of an input → the target's. */
  readonly rename?: { readonly [name: string]: string };
  /** Inputs that this target always gets, by its own names. */
  readonly constants?: { readonly [name: string]: unknown };
  /** Inputs that this target does not get. X-Service-Dropped-Params names those that a call had. */
  readonly drop?: readonly string[];
  /** For each input: the route's value → the target's. A call with another value does not go to this target. */
  readonly choices?: { readonly [name: string]: { readonly [name: string]: unknown } };
}

/** A model that a route may call. */
export interface RouteTarget {
  readonly model: ModelId;
  /** own: only with the workspace's own credential. server: only with the server's. Absent: the workspace's own if it has one. */
  readonly credential?: "own" | "server";
  /** Its share under the rule weight. 1 if absent. */
  readonly weight?: number;
  readonly inputs?: RouteInputs;
}

/** The error types of the model router. A closed set. */
export type RouterBucket = "invalid_input" | "content_policy_violation" | "provider_error" | "provider_timeout" | "insufficient_credits" | "model_not_found" | "unauthorized" | "forbidden" | "concurrency_limit_exceeded" | "client_disconnected" | "internal_error" | "deadline_exceeded" | "not_enabled" | "service_unavailable" | "rate_limited";

/** An error of the model router. error_type equals X-Service-Error-Type. */
export interface RouterError {
  /** A human-readable message. */
  readonly detail: string;
  readonly error_type: RouterBucket;
}

/** Why a call was not started: the fields that violate the input schema or, with error_type, that it could cost more than X-Service-Max-Credits. */
export type RouterRefusal = RouterValidationError | RouterError;

/** One rejected field of a model input. */
export interface RouterValidationEntry {
  /** The path of the rejected field, starting with body. Array positions are integers. */
  readonly loc: readonly (string | number)[];
  /** What is wrong with the field, as text. */
  readonly msg: string;
  /** The specific reason. More may be added; do not match exhaustively. */
  readonly type: string;
  readonly ctx?: { readonly [name: string]: unknown };
  /** The rejected value, if it is echoed. */
  readonly input?: unknown;
}

/** A model input that violates the model's input schema. */
export interface RouterValidationError {
  /** One entry per rejected field. */
  readonly detail: readonly RouterValidationEntry[];
}

/** A workflow to save: a document or the workflow of a job. */
export interface SaveWorkflow {
  /** 1 to 100 characters after trimming, without slashes or line breaks. */
  readonly name: string;
  /** Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it. */
  readonly folder?: string;
  /** Search tags. Stored in lower case, without duplicates. */
  readonly tags?: readonly string[];
  /** Why this version was made; shown in its history. */
  readonly note?: string;
  /** The workflow, in either format. Stored byte for byte, including members this server does not know. */
  readonly document?: { readonly [name: string]: unknown };
  /** Instead of a document: use the workflow of this job. */
  readonly job_id?: string;
}

/** A form to save with a workflow. */
export interface SaveWorkflowForm {
  readonly form: WorkForm;
  /** Why, for people who read the history. */
  readonly note?: string;
}

/** A new version: a document, the workflow of a job, or an earlier version. */
export interface SaveWorkflowVersion {
  /** Why this version was made; shown in its history. */
  readonly note?: string;
  /** The workflow, in either format. Stored byte for byte, including members this server does not know. */
  readonly document?: { readonly [name: string]: unknown };
  /** Instead of a document: use the workflow of this job. */
  readonly job_id?: string;
  /** Instead of a document: restore this version. */
  readonly restore?: number;
}

/** A workflow saved in the workspace. */
export interface SavedWorkflow {
  /** A lower-case UUID. */
  readonly id: string;
  /** Unique in its folder among workflows that are not archived. */
  readonly name: string;
  /** Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it. */
  readonly folder: string;
  /** Search tags. Stored in lower case, without duplicates. */
  readonly tags: readonly string[];
  /** The latest version. */
  readonly version: number;
  /** editor: the graph editor's format. api: nodes by id, as jobs run it. */
  readonly format: "editor" | "api";
  /** Number of nodes in the latest version. */
  readonly nodes: number;
  /** Size of the latest version in bytes. */
  readonly bytes: number;
  /** When it was archived; null if it is not. */
  readonly archived_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
  /** Jobs are matched by their label `workflow`, whose value is the id of the saved workflow. Null if there is none. */
  readonly last_job: WorkflowRun | null;
}

/** One page of saved workflows, most recently changed first. */
export interface SavedWorkflowList {
  /** The entries of this page. */
  readonly data: readonly SavedWorkflow[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Where a test event goes. */
export interface SendTestWebhook {
  /** An https URL of a public host, on port 443. */
  readonly url: string;
}

/** An e-mail about the workspace. */
export interface SentMail {
  /** A lower-case UUID. */
  readonly id: string;
  /** What it reports: budget.threshold or spending.odd. */
  readonly type: string;
  /** The address. */
  readonly to: string;
  readonly subject: string;
  /** sent: the mail server accepted it. failed: the server refused it for good, or no attempt succeeded in three days. */
  readonly status: "waiting" | "sent" | "failed";
  readonly attempts: number;
  /** What the mail server said last, or why it said nothing. */
  readonly last_answer: string | null;
  /** Null unless it waits. */
  readonly next_attempt_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  readonly sent_at: string | null;
}

/** E-mails about the workspace. */
export interface SentMailList {
  /** The newest 100. */
  readonly data: readonly SentMail[];
}

/** A program with a name of its own in a workspace. */
export interface ServiceAccount {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  readonly role: MemberRole;
  /** The person who created it, if known. */
  readonly created_by: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** The workspace's service accounts, oldest first. */
export interface ServiceAccountList {
  readonly data: readonly ServiceAccount[];
}

/** Whether the workspace's queue is paused. */
export interface SetAccountQueue {
  /** true pauses, false resumes. Sending the current state changes nothing. */
  readonly paused: boolean;
}

/** Whether the caller wants alerts by e-mail. */
export interface SetAlertMail {
  /** False: no mail about this workspace to the caller's own address. */
  readonly wanted: boolean;
}

/** A note. Empty text deletes it. */
export interface SetAssetNote {
  /** Plain text. */
  readonly text: string;
}

/** How many calls may be made. Two nulls remove the limits. */
export interface SetCallLimits {
  /** Calls that may begin in a minute; null for any number. */
  readonly calls_per_minute: number | null;
  /** Calls that may be open at once, queued ones included; null for any number. */
  readonly concurrency: number | null;
}

/** How much one key may spend. */
export interface SetKeyCaps {
  /** Credits per UTC day, 0 or more; null for no cap. */
  readonly daily_credits_max: string | null;
  /** Credits per UTC month, 0 or more; null for no cap. */
  readonly monthly_credits_max: string | null;
}

/** Whether the workspace's spending is watched. */
export interface SetOddSpending {
  /** Whether odd hours are reported. */
  readonly watched: boolean;
  /** In credits: less in an hour is never odd. Absent or null: 200. */
  readonly at_least?: string | null;
}

/** Whether to keep bodies, and how long. */
export interface SetRequestBodyKeeping {
  /** Turning it off deletes everything that is kept. */
  readonly enabled: boolean;
  /** How long each body is kept, at most keep_hours_max. A shorter time also applies to what is already kept. Default: unchanged, at first 72. */
  readonly keep_hours?: number;
}

/** How long a workspace keeps its files and its history. */
export interface SetRetention {
  /** After how many days files that jobs made are deleted, unless something still needs them. Null: as long as the server keeps them. */
  readonly outputs_days: number | null;
  /** After how many days files that were uploaded, or kept from answers of models, are deleted, unless something still needs them. Null: as long as the server keeps them. */
  readonly uploads_days: number | null;
  /** After how many days ended jobs with their workflows, errors, playground runs, and the tags and end users of requests are deleted; the lines of the books stay. Null: as long as the server keeps them. */
  readonly history_days: number | null;
}

/** A sign-in link that works once. */
export interface SignInLink {
  readonly url: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** What a sign-in link would do. */
export interface SignInLook {
  /** Who would be signed in. */
  readonly person: {
    readonly name: string;
  };
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** A portrait to enhance in creative mode. */
export interface SkinEnhancerCreativeRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much to sharpen the result. */
  readonly sharpen?: number;
  /** How much grain to add. */
  readonly smart_grain?: number;
  /** Called on every status change of the task. Must be https on port 443. */
  readonly webhook_url?: string;
}

/** A portrait to enhance in faithful mode. */
export interface SkinEnhancerFaithfulRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much to sharpen the result. */
  readonly sharpen?: number;
  /** How much grain to add. */
  readonly smart_grain?: number;
  /** Called on every status change of the task. Must be https on port 443. */
  readonly webhook_url?: string;
  /** How much skin detail to keep. */
  readonly skin_detail?: number;
}

/** A portrait to enhance in flexible mode. */
export interface SkinEnhancerFlexibleRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much to sharpen the result. */
  readonly sharpen?: number;
  /** How much grain to add. */
  readonly smart_grain?: number;
  /** Called on every status change of the task. Must be https on port 443. */
  readonly webhook_url?: string;
  /** What the enhancer optimises for. */
  readonly optimized_for?: "enhance_skin" | "improve_lighting" | "enhance_everything" | "transform_to_real" | "no_make_up";
}

/** An hour in which a workspace spent far more than usual. */
export interface SpendingAlert {
  /** When the hour began. */
  readonly hour: string;
  /** What the workspace spent in it. */
  readonly spent: string;
  /** Spent on average in the same hour of the past weeks. */
  readonly average: string;
  /** The most spent in the same hour of one of them. */
  readonly highest: string;
  /** How many weeks it was compared with. */
  readonly weeks: number;
  /** Counts the workspace's odd hours. */
  readonly sequence: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
}

/** A file to be uploaded. */
export interface StorageRequest {
  /** The file's name. */
  readonly file_name: string;
  /** The media type of the file. Guessed from the file name if missing. */
  readonly content_type?: string;
  /** SHA-256 of the bytes. A known file needs no upload. */
  readonly file_hash?: string;
}

/** Where to upload the file and where to download it. */
export interface StorageTicket {
  /** PUT the bytes here. */
  readonly upload_url: string;
  /** Where the bytes are after the upload. Pass this to the partner. */
  readonly download_url: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** true: the server already has the bytes, so no upload is needed. */
  readonly existing_file: boolean;
}

/** What to run: a workflow, or a work with its inputs. */
export interface SubmitJob {
  /** In API format, or as the editor saves it if this server knows all of its node classes. */
  readonly workflow?: WorkflowGraph | EditorGraph;
  readonly work?: ModelId;
  /** The inputs of the work, as its openapi.json describes them. Refused without a work. */
  readonly inputs?: { readonly [name: string]: unknown };
  /** Called on every status change. Must be https on port 443. */
  readonly webhook_url?: string;
  readonly metadata?: JobMetadata;
  /** Higher runs first. Only orders the caller's own jobs. */
  readonly priority?: number;
  readonly output_target?: OutputTarget;
  /** Only passed to the running attempt. Never in reads, logs or events. */
  readonly extra_data?: {
    /** The key that partner nodes use. */
    readonly api_key_service?: string;
  };
}

/** A workflow to start from. */
export interface Template {
  /** The file's name without its ending. */
  readonly name: string;
  /** From the operator's own folder, or one of the public templates that the operator installed. */
  readonly source: "operator" | "installed";
  /** Its name for people; made from the file's name if nothing else is known. */
  readonly title: string;
  /** What it makes. */
  readonly description: string | null;
  /** The group it belongs to. */
  readonly category: string | null;
  /** Words for it. */
  readonly tags: readonly string[];
  /** Whether there is a picture of what it makes. */
  readonly has_picture: boolean;
  /** Whether nothing is missing except files to load. Its estimate says what it costs, or why it would be refused. */
  readonly runs_here: boolean;
  readonly needs: TemplateNeeds;
  /** Files it loads, which you replace by your own. */
  readonly files: readonly string[];
}

/** Templates. Empty if there are none. */
export interface TemplateList {
  /** The operator's first; in the order of the folder's index, then by name. */
  readonly data: readonly Template[];
}

/** What a template needs that this server does not have. */
export interface TemplateNeeds {
  /** Node classes. */
  readonly classes: readonly string[];
  /** Weights, by file name. */
  readonly weights: readonly string[];
  /** Providers of models that this workspace cannot call, for lack of a credential or a release. */
  readonly providers: readonly string[];
}

/** The file as it is: a graph in the API format or in the editor's. */
export type TemplateWorkflow = { readonly [name: string]: unknown };

/** A text, with or without an image, to make a video from. */
export interface TextToVideoRequest {
  /** What the video should show. */
  readonly prompt_text?: string;
  /** The image the video starts from: an http or https URL. */
  readonly image_url?: string;
  readonly inference_params?: InferenceParams;
  /** Called on every status change of the prompt. Must be https on port 443. */
  readonly webhook_url?: string;
}

/** What a token may do: call models and works and read its own requests; read the catalog; upload files; read files by id; make further tokens. */
export type TokenCapability = "call_models" | "read_models" | "upload_assets" | "read_assets" | "derive_tokens";

/** The node's translations. */
export interface TranslationsOfNode {
  /** Translations by language: at most 100 languages in total, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly data: { readonly [name: string]: { readonly [name: string]: unknown } };
}

/** Changes to a descriptor. Omitted fields stay as they are. Only admins can change policy. */
export interface UpdateDescriptor {
  /** The node's place in the menu. */
  readonly category?: string;
  /** Deprecated nodes are hidden in the menu. */
  readonly deprecated?: boolean;
  /** What the node does. */
  readonly description?: string;
  /** The node's name for people. */
  readonly display_name?: string;
  /** May change or be removed. */
  readonly experimental?: boolean;
  /** The name of the entry-point function. */
  readonly function?: string;
  /** The input parameters, as a JSON string. */
  readonly input_types?: string;
  /** For each output, whether it is a list. */
  readonly output_is_list?: readonly boolean[];
  /** Whether it ends a workflow, such as a node that saves. */
  readonly output_node?: boolean;
  readonly policy?: NodePolicy;
  /** The outputs' names, as a JSON string. */
  readonly return_names?: string;
  /** The outputs' types, as a JSON string. */
  readonly return_types?: string;
}

/** A key's new name. */
export interface UpdateKey {
  /** 1 to 100 characters after trimming, without line breaks. */
  readonly name: string;
}

/** A new role. */
export interface UpdateMember {
  readonly role: MemberRole;
}

/** The fields to change. Omitted fields stay as they are. Id and publisher cannot change. */
export interface UpdateNode {
  /** Display name. */
  readonly name?: string;
  /** Who wrote it. */
  readonly author?: string;
  /** Use tags instead; will be removed in a later version. @deprecated */
  readonly category?: string;
  /** The path of the licence file in the repository, or its text as JSON. */
  readonly license?: string;
  /** URL of the repository: http, https, ssh or git's short form. Empty for none. */
  readonly repository?: string;
  /** URL of the icon, http or https. Empty for none. */
  readonly icon?: string;
  /** URL of the banner, http or https. Empty for none. */
  readonly banner_url?: string;
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
  /** What the node does. */
  readonly description?: string;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** The fields to change. Omitted fields stay as they are. The archive cannot change. */
export interface UpdateNodeVersion {
  /** What changed. */
  readonly changelog?: string;
  /** Deprecates the version. false undoes that and clears the dates. */
  readonly deprecated?: boolean;
  /** When a deprecated version will be removed. Shown to people who install it. */
  readonly sunset_at?: string;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** The fields to change. Omitted fields stay as they are. */
export interface UpdatePublisher {
  /** Display name. */
  readonly name?: string;
  /** What the publisher does. */
  readonly description?: string;
  /** URL of the logo, http or https. Empty for none. */
  readonly logo?: string;
  /** URL of the website, http or https. Empty for none. */
  readonly website?: string;
  /** Where users find help: an http or https URL, an e-mail address, or plain text without markup. */
  readonly support?: string;
  /** URL of the source code, or git's short form. Empty for none. */
  readonly source_code_repo?: string;
  readonly visibility?: PublisherVisibility;
}

/** What to change. Absent members stay; an empty filter sends all events of the types. */
export interface UpdateWebhookEndpoint {
  /** An https URL of a public host, on port 443. Each address once per workspace. */
  readonly url?: string;
  /** What is sent there. */
  readonly types?: readonly WebhookEventType[];
  readonly filter?: WebhookEndpointFilter;
  /** For people. */
  readonly description?: string;
}

/** What was stored and, for a node archive, the verdict on it. */
export interface UploadedArchive {
  /** Bytes that are stored. */
  readonly size_bytes: number;
  readonly status?: NodeVersionStatus;
  /** Of a node archive: what the checks found in it. */
  readonly findings?: readonly NodeVersionFinding[];
}

/** Usage on one day. */
export interface UsageDay {
  /** A UTC day. */
  readonly day: string;
  /** With by=subject: the subject of the sum. */
  readonly subject?: string;
  /** All calls except replays. */
  readonly calls: number;
  /** Calls that failed. */
  readonly failures: number;
  /** Responses replayed for the same key. */
  readonly replays: number;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
}

/** Usage per day. */
export interface UsageDayList {
  /** Days with usage, newest first. */
  readonly data: readonly UsageDay[];
  /** The total. */
  readonly total: {
    /** The number of calls. */
    readonly calls: number;
    /** Failures. */
    readonly failures: number;
    /** Replays. */
    readonly replays: number;
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly credits: string;
  };
}

/** One page of usage, newest row first. */
export interface UsagePage {
  /** The entries of this page. */
  readonly data: readonly UsageRow[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Usage in one interval. */
export interface UsagePoint {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** The group of the point. Absent with by=none. */
  readonly key?: string;
  /** All calls except replays. */
  readonly calls: number;
  /** Calls that failed. */
  readonly failures: number;
  /** Responses replayed for the same key. */
  readonly replays: number;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** Median duration, accurate to 5 %; null if not requested. */
  readonly p50_ms: number | null;
  /** 95th percentile of the duration, accurate to 5 %; null if not requested. */
  readonly p95_ms: number | null;
}

/** One usage row. */
export interface UsageRow {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** The request id from the response. */
  readonly request_id: string | null;
  /** The call. For a replay, the call it repeats. */
  readonly call_id: string | null;
  /** The key that made the request; null for a person. */
  readonly api_key_id: string | null;
  /** The tags of the call: X-Service-Tags, or the labels of its job. */
  readonly tags: { readonly [name: string]: string } | null;
  /** Your own id of the person the call was for. */
  readonly end_user: string | null;
  /** What was called: model:provider/model, partner:operation or node:class. */
  readonly subject: string;
  /** `succeeded`, or an error code. */
  readonly outcome: string;
  /** The HTTP status of the response, if there was one. */
  readonly status: number | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** Whether the response replays an earlier one with the same key. Replays are free. */
  readonly replayed: boolean;
  /** From request to response, in milliseconds. */
  readonly total_ms: number;
  /** The provider's share of that time, if one was called. */
  readonly provider_ms: number | null;
  /** Set if the call failed because a provider or partner refused the account it was called with: which one. */
  readonly refused_by: string | null;
  /** With `refused_by`: its status. */
  readonly provider_status: number | null;
  /** With `refused_by`: its message, without the credential. */
  readonly provider_words: string | null;
  /** With `refused_by`: who can fix it. */
  readonly advice: string | null;
}

/** Usage over time. */
export interface UsageSeries {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** The length of one point, aligned to UTC. */
  readonly step: "minute" | "hour" | "day";
  /** What the points are grouped by. */
  readonly by: "none" | "subject" | "outcome" | "api_key_id" | "family" | "tag" | "end_user";
  /** Points with usage, oldest first. */
  readonly data: readonly UsagePoint[];
  /** The total of each group, largest first and `other` last. Empty with by=none. */
  readonly groups: readonly {
    /** The group. `person` stands for requests made without a key, `(none)` for those without the tag or end user. */
    readonly key: string;
    /** All calls except replays. */
    readonly calls: number;
    /** Calls that failed. */
    readonly failures: number;
    /** Responses replayed for the same key. */
    readonly replays: number;
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly credits: string;
  }[];
  /** The total for the requested range. */
  readonly total: {
    /** All calls except replays. */
    readonly calls: number;
    /** Calls that failed. */
    readonly failures: number;
    /** Responses replayed for the same key. */
    readonly replays: number;
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly credits: string;
    /** Median duration, accurate to 5 %; null if not requested. */
    readonly p50_ms: number | null;
    /** 95th percentile of the duration, accurate to 5 %; null if not requested. */
    readonly p95_ms: number | null;
  };
}

/** Why a queued job may not start even when it is next: no connected worker can run its graph. It starts by itself when one connects. */
export interface WaitingFor {
  /** What it waits for: a worker that can run its graph. */
  readonly reason: "worker";
  /** Node classes of its graph that no connected worker has. All of its classes if each is available somewhere but no worker has them all. */
  readonly node_classes: readonly string[];
  /** Model files of its graph that no connected worker has. */
  readonly models: readonly string[];
  /** When a worker that could run it was last connected; null if unknown. */
  readonly last_seen_at: string | null;
}

/** One delivery attempt. */
export interface WebhookAttempt {
  readonly number: number;
  /** Triggered by a person, outside the schedule. */
  readonly manual: boolean;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  readonly duration_ms: number;
  /** The receiver's HTTP status; null if it did not respond. */
  readonly status: number | null;
  /** Why the attempt failed. */
  readonly error: string | null;
}

/** The record of one delivery. */
export interface WebhookDelivery {
  /** A lower-case UUID. */
  readonly id: string;
  /** The task, prompt or job it is about. */
  readonly subject_id: string;
  /** The sequence number of the change. */
  readonly sequence: number;
  /** What happened, such as job.succeeded, partner_task.completed or webhook.test. Also in the body. */
  readonly type: string;
  /** Where it goes. */
  readonly url: string;
  /** The endpoint that it is for; null if its address was given with the thing itself. */
  readonly endpoint_id: string | null;
  readonly status: WebhookDeliveryStatus;
  /** The number of attempts. */
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly next_attempt_at: string | null;
  /** The receiver's latest HTTP status. */
  readonly last_status: number | null;
  /** Why the last attempt failed. */
  readonly last_error: string | null;
  /** How long the last attempt took. */
  readonly last_duration_ms: number | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When the receiver accepted it. */
  readonly delivered_at: string | null;
}

/** One delivery with its body and its attempts. */
export interface WebhookDeliveryDetail {
  /** A lower-case UUID. */
  readonly id: string;
  /** The task, prompt or job it is about. */
  readonly subject_id: string;
  /** The sequence number of the change. */
  readonly sequence: number;
  /** What happened, such as job.succeeded, partner_task.completed or webhook.test. Also in the body. */
  readonly type: string;
  /** Where it goes. */
  readonly url: string;
  /** The endpoint that it is for; null if its address was given with the thing itself. */
  readonly endpoint_id: string | null;
  readonly status: WebhookDeliveryStatus;
  /** The number of attempts. */
  readonly attempts: number;
  /** When the next attempt is due. */
  readonly next_attempt_at: string | null;
  /** The receiver's latest HTTP status. */
  readonly last_status: number | null;
  /** Why the last attempt failed. */
  readonly last_error: string | null;
  /** How long the last attempt took. */
  readonly last_duration_ms: number | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When the receiver accepted it. */
  readonly delivered_at: string | null;
  /** The body of every attempt, as text. */
  readonly body: string;
  /** Every attempt, oldest first. */
  readonly attempt_log: readonly WebhookAttempt[];
}

/** One page of deliveries, newest first. */
export interface WebhookDeliveryPage {
  /** The entries of this page. */
  readonly data: readonly WebhookDelivery[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** The state of the delivery. */
export type WebhookDeliveryStatus = "pending" | "sending" | "delivered" | "dead" | "gone";

/** An address that gets events by type. */
export interface WebhookEndpoint {
  /** A lower-case UUID. */
  readonly id: string;
  /** Where events go. */
  readonly url: string;
  readonly description: string;
  /** What is sent there. */
  readonly types: readonly WebhookEventType[];
  readonly filter: WebhookEndpointFilter;
  /** active: events are sent. failing: its receiver failed five times in a row and is tried once a minute. disabled: its receiver took nothing for five days, so sending has stopped. paused: a person paused it. While disabled or paused, events become dead deliveries that can be redelivered. */
  readonly status: "active" | "failing" | "disabled" | "paused";
  /** Why it is not active, and what to do; null if it is active. */
  readonly status_detail: string | null;
  /** The newest delivery to it. */
  readonly last_delivery: {
    /** A lower-case UUID. */
    readonly id: string;
    /** What happened. */
    readonly type: string;
    /** How it went. */
    readonly status: "pending" | "delivered" | "dead" | "gone";
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
  } | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When a person paused it. */
  readonly paused_at: string | null;
}

/** Sends only events that match all members. Each member must apply to every type of the endpoint. */
export interface WebhookEndpointFilter {
  /** A tag as key=value: of the job, the model request or the partner task. */
  readonly tag?: string;
  /** A model (provider/name) or all of a provider; for partner tasks, partner/operation or all of a partner. */
  readonly model?: string;
  /** The id of a deployment: its jobs and its scaling signal. */
  readonly deployment?: string;
}

/** The endpoints of a workspace, oldest first. */
export interface WebhookEndpointList {
  readonly data: readonly WebhookEndpoint[];
}

/** What happened. job.queued: a job waits again, for another attempt. */
export type WebhookEventType = "job.queued" | "job.running" | "job.succeeded" | "job.failed" | "job.canceling" | "job.canceled" | "job.expired" | "model_request.completed" | "partner_task.running" | "partner_task.completed" | "partner_task.failed" | "budget.threshold" | "spending.odd" | "deployment.scale" | "node_version.published" | "node_version.flagged" | "node_version.banned";

/** A receiver whose last delivery failed. */
export interface WebhookReceiver {
  /** Scheme, host and port. */
  readonly receiver: string;
  /** Consecutive failures. */
  readonly failures: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly failing_since: string;
  /** After five failures: when the next attempt is allowed. */
  readonly resting_until: string | null;
  /** After five days without a success: when deliveries stopped. */
  readonly disabled_at: string | null;
}

/** Receivers whose last delivery failed, longest-failing first. Empty if all is well. */
export interface WebhookReceiverList {
  readonly data: readonly WebhookReceiver[];
}

/** The secret that signs a workspace's deliveries. */
export interface WebhookSecret {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops signing; null if it is the current one. */
  readonly signs_until: string | null;
  /** Only shown on creation. Store it. */
  readonly secret: string;
}

/** The workspace's webhook secrets, newest first. Their values are not included. */
export interface WebhookSecretList {
  readonly data: readonly {
    /** A lower-case UUID. */
    readonly id: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** When it stops signing; null if it is the current one. */
    readonly signs_until: string | null;
  }[];
}

/** Receivers on this machine that webhooks may reach. Only development servers have any. */
export interface WebhookTargets {
  /** Whether this is a development server, where targets can be allowed. */
  readonly may_open: boolean;
  /** Set by ATELIER_WEBHOOK_TARGETS at startup. */
  readonly configured: readonly string[];
  /** Allowed at run time. */
  readonly opened: readonly string[];
}

/** A published workflow that is called like a model. */
export interface Work {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
  readonly name: string;
  /** Null if it has none. */
  readonly title: string | null;
  /** Null if it has none. */
  readonly description: string | null;
  /** The version that the id without .v3 stands for. */
  readonly version: number;
  /** How many versions there are. */
  readonly versions: number;
  /** The saved workflow of that version; null if it was deleted. */
  readonly workflow_id: string | null;
  /** private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job. */
  readonly visibility: "private" | "shared" | "public";
  /** Ids of workspaces. */
  readonly shared_with: readonly string[];
  /** The asset of a picture made by an example; null if there is none. */
  readonly cover: string | null;
  /** Since when callers should move on; null if it is not deprecated. */
  readonly deprecated_at: string | null;
  /** From when on it answers 404; null if no end is planned. */
  readonly sunset_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** How two versions of a work differ. */
export interface WorkDiff {
  /** Counts from 1, without gaps. */
  readonly from: number;
  /** Counts from 1, without gaps. */
  readonly to: number;
  /** Changes of the form, as sentences. */
  readonly form: readonly string[];
  /** Changes of the graph. */
  readonly changes: readonly WorkflowChange[];
  /** True if both the form and the graph are the same. */
  readonly is_same: boolean;
}

/** An example that ran when the version was published. */
export interface WorkExample {
  /** Null if it has none. */
  readonly title: string | null;
  readonly inputs: { readonly [name: string]: unknown };
  /** A lower-case UUID. */
  readonly job_id: string;
  /** What it made, kept with the version. */
  readonly assets: readonly string[];
}

/** What callers may set and what they get, in the order in which people see it. */
export interface WorkForm {
  /** May be empty. */
  readonly inputs: readonly WorkInput[];
  /** At least one. */
  readonly outputs: readonly WorkOutput[];
}

/** One input of a form: a value of a node that callers may change. */
export interface WorkInput {
  /** Lower-case letters, digits and _; begins with a letter. Each name once. */
  readonly name: string;
  /** The node's id in the API format. */
  readonly node: string;
  /** The input of the node that it sets. */
  readonly input: string;
  readonly kind: WorkInputKind;
  /** Further inputs of nodes that get the same value, as one widget of a subgraph can feed several nodes. */
  readonly also?: readonly {
    /** The node's id in the API format. */
    readonly node: string;
    /** The input of the node that it sets. */
    readonly input: string;
  }[];
  /** What people see; the name if left out. */
  readonly label?: string;
  /** What it does, for the people who use it. */
  readonly description?: string;
  /** Inputs of a group are shown together. */
  readonly group?: string;
  /** Callers must give it. Otherwise the default is used; false if left out. */
  readonly required?: boolean;
  /** Used if the caller gives nothing. The value in the graph if left out. */
  readonly default?: unknown;
  /** The least number, or the fewest characters of a text. Integers of any size are exact. */
  readonly minimum?: number;
  /** The greatest number, or the most characters of a text. Integers of any size are exact. */
  readonly maximum?: number;
  /** Numbers are multiples of this, counted from the minimum. Integers of any size are exact. */
  readonly step?: number;
  /** The values of a choice. */
  readonly choices?: readonly (string | number)[];
  /** The text may have several lines. */
  readonly multiline?: boolean;
  /** For integers: a random one if the caller gives nothing. The answer says which. */
  readonly random?: boolean;
}

/** What the input takes. A picture, mask, sound, video or file is given as the id of an asset, a https URL or a data URI. */
export type WorkInputKind = "text" | "number" | "integer" | "choice" | "boolean" | "color" | "picture" | "mask" | "sound" | "film" | "file";

/** A link to a work, with a budget and an end. */
export interface WorkLink {
  /** A lower-case UUID. */
  readonly id: string;
  /** Whom it is for. */
  readonly label: string | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly budget: string;
  /** What its runs have cost so far. */
  readonly spent: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** When it was ended by hand; null if it was not. */
  readonly ended_at: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** The links of a work, the newest first. */
export interface WorkLinkList {
  readonly data: readonly WorkLink[];
}

/** A page of the workspace's works, by name. */
export interface WorkList {
  /** The entries of this page. */
  readonly data: readonly Work[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** What a worker needs to run the version, recorded when it was published. */
export interface WorkNeeds {
  readonly node_classes: readonly {
    readonly name: string;
    /** A hash of the class's inputs and outputs. */
    readonly signature: string;
  }[];
  /** Models of the router that its nodes call. */
  readonly models: readonly {
    readonly id: ModelId;
    /** Null for models that only exist in the server's process. */
    readonly definition_version: number | null;
  }[];
  /** Files that it loads. */
  readonly files: readonly {
    readonly name: string;
    /** Null for files that only workers have. */
    readonly sha256: string | null;
  }[];
  /** Versions of other works that it contains. */
  readonly works: readonly ModelId[];
}

/** One output of a form: what an output node makes. */
export interface WorkOutput {
  /** Lower-case letters, digits and _; begins with a letter. Each name once. */
  readonly name: string;
  /** The node's id in the API format. */
  readonly node: string;
  /** What people see; the name if left out. */
  readonly label?: string;
  /** What it does, for the people who use it. */
  readonly description?: string;
}

/** One version of a work. It never changes. */
export interface WorkVersion {
  readonly id: ModelId;
  /** Counts from 1, without gaps. */
  readonly version: number;
  /** Null if the saved workflow was deleted. */
  readonly workflow_id: string | null;
  /** The version of the saved workflow. */
  readonly workflow_version: number;
  readonly form: WorkForm;
  readonly needs: WorkNeeds;
  readonly examples: readonly WorkExample[];
  /** What is new in it. */
  readonly note: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** Who published it. */
  readonly created_by: WorkflowAuthor | null;
}

/** A page of versions, the latest first. */
export interface WorkVersionList {
  /** The entries of this page. */
  readonly data: readonly WorkVersion[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Who saved a version. */
export interface WorkflowAuthor {
  /** A signed-in person or an API key. */
  readonly kind: "person" | "key";
  /** A lower-case UUID. */
  readonly id: string;
  /** Null if the person or key was deleted. */
  readonly name: string | null;
}

/** One difference between two versions. */
export interface WorkflowChange {
  /** What happened to the node. */
  readonly kind: "node_added" | "node_removed" | "class_changed" | "title_changed" | "input_added" | "input_removed" | "input_changed" | "link_changed";
  /** The node's id. Inside a subgraph it is prefixed with the subgraph's id and a colon. */
  readonly node_id: string;
  /** The node's class. The newer one if it changed. */
  readonly class_type: string;
  /** The node's title, if it has one. */
  readonly title: string | null;
  /** The input that differs. */
  readonly input: string | null;
  /** Its earlier value as JSON, or the node it came from. */
  readonly before: string | null;
  /** Its later value as JSON, or the node it comes from. */
  readonly after: string | null;
  /** The change as a sentence. */
  readonly words: string;
}

/** How two versions differ. */
export interface WorkflowDiff {
  /** Starts at 1, without gaps. */
  readonly from: number;
  /** Starts at 1, without gaps. */
  readonly to: number;
  /** By node, in the order of the newer version. */
  readonly changes: readonly WorkflowChange[];
  /** false if there are more changes than listed. */
  readonly is_complete: boolean;
  /** true if the workflows behave the same. The documents may still differ in positions, colours or notes. */
  readonly is_same: boolean;
}

/** An error of the v2 workflow API. */
export interface WorkflowError {
  readonly error: {
    /** A stable code to branch on. New ones may be added. */
    readonly code: string;
    /** A human-readable message. */
    readonly message: string;
    /** Details: node_errors by node id for a rejected graph, missing_ids for missing assets. */
    readonly details?: { readonly [name: string]: unknown } | null;
  };
}

/** The form of a saved workflow, and what else it could contain. */
export interface WorkflowForm {
  /** The version that was read. */
  readonly version: number;
  readonly form: WorkForm;
  /** saved: with the version, in its document. published: of the latest work made from this workflow. app_mode: as the editor's app mode saved it in the document. inferred: prompts, seeds, sizes and files that we found. */
  readonly source: "saved" | "published" | "app_mode" | "inferred";
  /** Every value of every node that could be an input. */
  readonly inputs: readonly WorkInput[];
  /** Every output node. */
  readonly outputs: readonly WorkOutput[];
  /** What could not be read, in words. */
  readonly problems: readonly string[];
}

/** A workflow in API format: nodes by id. */
export type WorkflowGraph = { readonly [name: string]: GraphNode };

/** Whether the v2 API is up. */
export interface WorkflowHealth {
  /** degraded: jobs are accepted but cannot run now. */
  readonly status: "healthy" | "degraded";
  /** The server's version. */
  readonly version?: string;
  /** The application's URL, on a self-hosted surface. */
  readonly upstream?: string;
  /** The last known state of the application. It is not contacted for this request. */
  readonly upstream_state?: "unknown" | "up" | "down";
}

/** The v2 entry point. Links are relative to the host. */
export interface WorkflowIndex {
  readonly version: "v2";
  readonly urls: WorkflowUrls;
}

/** The latest successful job of this workflow. */
export interface WorkflowRun {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly finished_at: string;
  /** The asset of its first image. */
  readonly picture: string | null;
}

/** Links. Absent for what this surface does not have. */
export interface WorkflowUrls {
  /** This index. */
  readonly self: string;
  /** GET lists jobs, POST submits a workflow. */
  readonly jobs: string;
  /** POST here to cancel several jobs. */
  readonly cancel_jobs: string;
  /** GET lists assets, POST uploads one. */
  readonly assets: string;
  /** POST here to create an asset from a known hash. */
  readonly assets_from_hash: string;
  /** POST here to import a file from the application behind this surface. */
  readonly assets_from_path?: string;
  /** POST here to start a resumable upload. */
  readonly uploads: string;
  /** The available node classes. */
  readonly node_classes: string;
  /** POST here to convert an editor workflow to API format. */
  readonly convert_workflow: string;
  /** The newest executed graph. */
  readonly executed_workflow?: string;
  /** The health of v2. */
  readonly health: string;
  /** The OpenAPI document of this surface. */
  readonly openapi: string;
}

/** One version of a saved workflow. It never changes. */
export interface WorkflowVersion {
  /** Starts at 1, without gaps. */
  readonly version: number;
  /** editor: the graph editor's format. api: nodes by id, as jobs run it. */
  readonly format: "editor" | "api";
  /** Number of nodes. */
  readonly nodes: number;
  /** Size of the document in bytes. */
  readonly bytes: number;
  /** SHA-256 of the document's bytes. */
  readonly sha256: string;
  /** Why it was made. */
  readonly note: string | null;
  /** The version it restores, if any. */
  readonly restored_from: number | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** Who saved it; null for the server itself. */
  readonly created_by: WorkflowAuthor | null;
}

/** One page of versions, latest first. */
export interface WorkflowVersionList {
  /** The entries of this page. */
  readonly data: readonly WorkflowVersion[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Who owns keys, credits, entitlements, jobs and assets. */
export interface Workspace {
  /** A lower-case UUID. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly role?: WorkspaceRole;
  readonly credits?: {
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly available: string;
    /** An amount of credits, as a decimal string with at most six decimal places. */
    readonly held: string;
  };
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** The workspaces the caller can act in, with the role in each. */
export interface WorkspaceList {
  readonly data: readonly Workspace[];
}

/** Whether a workspace is here, moving, or moved. */
export interface WorkspaceMove {
  /** moving: no new work; what runs ends, and everything can be read. moved: every other call answers workspace_moved. */
  readonly state: "here" | "moving" | "moved";
  /** Where it goes, or went. */
  readonly moved_to: string | null;
  /** When that began. */
  readonly since: string | null;
  /** What still runs here, counted by its name. Empty: the last export can be made. */
  readonly open: { readonly [name: string]: number };
}

/** What a person may do: viewers read, members use, billing sets budgets, owners manage, operators run the service. */
export type WorkspaceRole = "viewer" | "member" | "billing" | "owner" | "operator";
