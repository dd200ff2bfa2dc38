// Generated from the contract by `npm run openapi`; a test compares them. What the server sends and accepts, as plain types.

/** A model call that was taken into the queue; its credits are held. */
export interface AcceptedModelRequest {
  /** A UUID, lower case. */
  readonly request_id: string;
  readonly status: ModelRequestStatus;
  /** How many requests of the workspace wait before it; only while IN_QUEUE. */
  readonly queue_position?: number;
  /** How far it is. */
  readonly status_url: string;
  /** The result, once it has completed. */
  readonly response_url: string;
  /** Where a PUT cancels it. */
  readonly cancel_url: string;
}

/** Who the caller is: a key or a person, in which workspace, as what. */
export interface Account {
  readonly workspace: Workspace;
  readonly role: MemberRole;
  readonly scopes: readonly KeyScope[];
  readonly person?: AccountPerson;
  /** Whether the person may also use the admin side of this installation. */
  readonly is_operator: boolean;
  /** The browser session that the caller is, or that the token was made from. */
  readonly session: {
    /** A UUID, lower case. */
    readonly id: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  } | null;
  readonly key?: AccountKey;
}

/** An API key as its workspace sees it. */
export interface AccountKey {
  /** A UUID, lower case. */
  readonly id: string;
  /** What the key is for. */
  readonly name: string;
  /** The beginning of the key, enough to recognise it. */
  readonly hint: string;
  /** What the key may reach. */
  readonly scopes: readonly KeyScope[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** When it was used last, about. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it works. */
  readonly revoked_at: string | null;
  /** Credits it may spend a day. */
  readonly daily_credits_max?: string | null;
  /** Credits it may spend a month. */
  readonly monthly_credits_max?: string | null;
  readonly role: MemberRole;
  /** The person who made it, if known. */
  readonly created_by: string | null;
}

/** The keys that work and the hundred revoked last, newest first. */
export interface AccountKeyList {
  readonly data: readonly AccountKey[];
}

/** A person in a workspace. */
export interface AccountMember {
  /** A UUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** For people to recognise each other; nothing is sent to it. */
  readonly email: string | null;
  readonly role: MemberRole;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly joined_at: string;
  /** Whether they ever signed in; until then an owner can make a new link for them. */
  readonly has_signed_in?: boolean;
}

/** Everybody in the workspace, the longest first. */
export interface AccountMemberList {
  readonly data: readonly AccountMember[];
}

/** A model as people choose it: what it makes and what it costs. */
export interface AccountModel {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
  /** Its name for people. */
  readonly title?: string;
  /** What it makes, from what. */
  readonly description?: string;
  /** What it makes; absent where its definition does not say. */
  readonly kind?: "image" | "video" | "audio" | "text" | "other";
  /** Since when callers should move on; also in Deprecation. */
  readonly deprecated_at?: string;
  /** From when on it answers 404; also in Sunset. */
  readonly sunset_at?: string;
  /** When the operator's live check of this very definition last succeeded; null: never. A definition that was only written from documentation has none. */
  readonly verified: string | null;
  /** What a call costs in credits, in words; 0 is free. */
  readonly price: string;
}

/** Every model that the workspace can call. */
export interface AccountModelList {
  /** In bytewise order of ids. */
  readonly data: readonly AccountModel[];
}

/** A person who signs in. */
export interface AccountPerson {
  /** A UUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** For people to recognise each other; nothing is sent to it. */
  readonly email: string | null;
}

/** The workspace's queue of jobs, over all pools. */
export interface AccountQueue {
  /** True: jobs are taken and wait; what runs goes on, nothing more is begun. */
  readonly paused: boolean;
  /** Since when it is paused; null while it is not. */
  readonly paused_at: string | null;
  /** Jobs that wait. */
  readonly queued: number;
  /** Jobs that run. */
  readonly running: number;
}

/** One request, whole. */
export interface AccountRequest {
  /** As it was asked for: of the request, its call or the queued request. */
  readonly request_id: string;
  /** What was asked for: model:provider/model, partner:operation, node:class; of a request that was refused before any call, its method and path. */
  readonly subject: string;
  /** As the caller saw it: `succeeded`, or the word for what went wrong; null while it is under way. */
  readonly outcome: string | null;
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
  /** The answer repeats an earlier one under the same key. */
  readonly replayed: boolean;
  /** From the request to its answer; null while it is under way. */
  readonly total_ms: number | null;
  /** The provider's part of it, if one was asked. */
  readonly provider_ms: number | null;
  /** The key that asked; null for a person. */
  readonly api_key_id: string | null;
  /** The name of that key. */
  readonly key_name: string | null;
  /** Null where the answer was no error, or it is kept no more. */
  readonly error_answer: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    readonly status: number;
    /** The bucket of the router, or the code of the other areas. */
    readonly code: string;
    readonly message: string;
    readonly method: string;
    /** What is secret in it is cut. */
    readonly path: string;
    /** The rejected fields, twenty at most. */
    readonly fields: readonly {
      readonly loc: readonly (string | number)[];
      readonly msg: string;
    }[];
  } | null;
  /** How the provider was asked, where that did not go well at once. */
  readonly attempts: readonly {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    readonly ms: number;
    /** `submit`: it was asked to begin. `poll`: it was asked how it stands. */
    readonly step: "submit" | "poll";
    /** The provider's; null: no answer came. */
    readonly status: number | null;
    /** Its first words, without secrets and addresses, or why no answer came. */
    readonly words: string | null;
  }[];
  /** What it used, the newest first; with replays, twenty at most. */
  readonly rows: readonly UsageRow[];
  /** Null where none was begun. */
  readonly call: {
    /** A UUID, lower case. */
    readonly id: string;
    /** `unknown`: what became of it can never be known; nothing was charged. */
    readonly state: "open" | "finished" | "unknown";
    /** What became of the call itself, which may be more than its caller saw: a lost answer is 502, and the call can succeed later. Null while it is open. */
    readonly outcome: string | null;
    /** provider/model; null for anything else. */
    readonly model: string | null;
    /** What was set aside for it. */
    readonly held: string | null;
    /** What it cost; null while it is open. */
    readonly charged: string | null;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** Null while it is open. */
    readonly ended_at: string | null;
    /** The key it was sent under; null for none, or one of ours. */
    readonly idempotency_key: string | null;
    /** Until when a repeat under that key gets the recorded answer. */
    readonly key_answers_until: string | null;
  } | null;
  /** Null where it was not queued, or a day after it has completed. */
  readonly queued: ModelRequest | null;
  /** Null where no partner was asked. */
  readonly partner_task: {
    /** A UUID, lower case. */
    readonly id: string;
    readonly partner: string;
    readonly operation: string;
    /** How far it is. */
    readonly state: "created" | "running" | "completed" | "failed";
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** Null while it is open. */
    readonly ended_at: string | null;
  } | null;
  /** The job that made the call. */
  readonly job_id: string | null;
  /** The node of that job. */
  readonly node_id: string | null;
  /** The lines of the journal that it wrote. */
  readonly credit_lines: readonly CreditLine[];
  /** How often its answer was repeated. */
  readonly replays: number;
  /** Null where none is recorded. */
  readonly answer: {
    /** A repeat gets these bytes. */
    readonly stored: boolean;
    readonly status: number;
    /** Of the bytes. */
    readonly content_type: string | null;
    readonly bytes: number;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  } | null;
}

/** A browser that is signed in. */
export interface AccountSession {
  /** A UUID, lower case. */
  readonly id: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_seen_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** What the browser said of itself when it signed in. */
  readonly user_agent: string | null;
  /** The network address it signed in from. */
  readonly address: string | null;
  /** By a one-time link, or at the OpenID Connect issuer. */
  readonly signed_in_by: "link" | "oidc";
  /** Whether it is the one that asks. */
  readonly is_current: boolean;
}

/** The person's browsers, the newest first. */
export interface AccountSessionList {
  readonly data: readonly AccountSession[];
}

/** Somebody who has an account here, by id; or a new person, who gets a one-time sign-in link. */
export type AddMember = {
  /** A UUID, lower case. */
  readonly person_id: string;
  readonly role?: MemberRole;
} | {
  /** 1 to 100 characters once trimmed, without line breaks. */
  readonly name: string;
  /** An e-mail address, for people to recognise each other; nothing is sent to it. */
  readonly email?: string | null;
  readonly role?: MemberRole;
  /** For how many hours the sign-in link works. */
  readonly link_hours?: number;
};

/** The new member. */
export interface AddedMember {
  /** A UUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** For people to recognise each other; nothing is sent to it. */
  readonly email: string | null;
  readonly role: MemberRole;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly joined_at: string;
  /** Whether they ever signed in; until then an owner can make a new link for them. */
  readonly has_signed_in?: boolean;
  /** For a new person: works once, for three days unless link_hours says otherwise. Hand it over; it is shown this one time. */
  readonly sign_in?: {
    readonly url: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly expires_at: string;
  };
}

/** What to estimate: a workflow, in the body that would submit it. Nothing is stored, held or billed. */
export interface AskEstimate {
  /** In API format, or as the editor saves it where every node class of it is known. */
  readonly workflow: WorkflowGraph | EditorGraph;
  /** Told by us on every status change: https, on the port of https. */
  readonly webhook_url?: string;
  readonly metadata?: JobMetadata;
  /** Larger first; orders only the caller's own jobs. */
  readonly priority?: number;
  readonly output_target?: OutputTarget;
  /** Given to the running attempt only; in no read, log or event. */
  readonly extra_data?: {
    /** The key that partner nodes use. */
    readonly api_key_service?: string;
  };
}

/** A stored file. */
export interface Asset {
  /** A UUID, lower case. */
  readonly id: string;
  /** What the bytes hash to; null until it is known. */
  readonly hash: BlobHash | null;
  /** How many bytes it has. */
  readonly size_bytes: number;
  /** The media type. */
  readonly content_type: string;
  /** What kind of thing it is, told by its bytes. */
  readonly kind?: "image" | "video" | "audio" | "text" | "file" | "latent";
  /** The name it was placed under, as given. */
  readonly file_path?: string | null;
  /** The tags it was given. */
  readonly tags?: readonly string[];
  /** On creation only: false when the bytes were already here. */
  readonly created_new?: boolean;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** The bytes, by an address that carries its own rights: it can be shared, and works without credential until url_expires_at. On self-hosted surfaces, which sign nothing, the content endpoint under normal authentication. */
  readonly url: string;
  /** When url stops working; null when it does not carry its own rights. */
  readonly url_expires_at: string | null;
  /** When the record goes; null or absent: never. */
  readonly expires_at?: string | null;
  /** The job that made it; absent for uploads. */
  readonly job_id?: string | null;
  readonly urls: ContentUrls;
}

/** A new record over bytes the workspace has already. */
export interface AssetFromHash {
  readonly hash: BlobHash;
  /** The name to place it under. */
  readonly file_path?: string | null;
  /** Tags of printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it; it only ever extends what is promised already. */
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
  /** Tags of printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it; it only ever extends what is promised already. */
  readonly expires_in?: number | null;
}

/** One page of assets, newest first. */
export interface AssetPage {
  /** The entries of this page. */
  readonly data: readonly Asset[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
  /** The next page, relative to the host; absent on the last page. */
  readonly next?: string;
}

/** Tags to add and to remove; one that is in both is removed. */
export interface AssetTags {
  /** Tags of printable characters. */
  readonly add?: readonly string[];
  /** Tags of printable characters. */
  readonly remove?: readonly string[];
}

/** A multipart form; its parts may come in any order. */
export interface AssetUpload {
  /** The media type. */
  readonly content_type: string;
  /** A bare name, or a path below a known root. */
  readonly file_path: string;
  readonly expected_hash?: BlobHash;
  /** Tags of printable characters. */
  readonly tags?: readonly string[];
  /** Seconds to keep it; it only ever extends what is promised already. */
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

/** Everything the expression looks at; all three lists are always present. */
export interface BadgeDependencies {
  /** Widgets whose values the price reads. */
  readonly widgets: readonly BadgeWidget[];
  /** Input slots of which the price reads whether they are connected. */
  readonly inputs: readonly string[];
  /** Growable input groups of which the price reads how many members are connected. */
  readonly input_groups: readonly string[];
}

/** Every node that has a badge for this version and platform, by node id. A node not listed has none. */
export type BadgeMap = { readonly [name: string]: Badge };

/** Where the client runs its workflows. */
export type BadgePlatform = "cloud" | "local";

/** A widget whose value the price reads. */
export interface BadgeWidget {
  /** The widget's name; a dotted name stays one flat key. */
  readonly name: string;
  /** The widget's io type, such as INT, FLOAT, BOOLEAN or COMBO. */
  readonly type: string;
}

/** Facts about billing, never prices. */
export interface BillingFacts {
  /** Whether a call that the model refuses on policy grounds still costs. Read unknown as possibly. */
  readonly charges_on_policy_rejection: "yes" | "no" | "unknown";
}

/** blake3: and 64 hexadecimal digits. */
export type BlobHash = string;

/** An answer for every version asked for, in the same order. */
export interface BulkNodeVersions {
  readonly node_versions: readonly {
    readonly identifier: NodeVersionIdentifier;
    readonly status: "success" | "not_found" | "error";
    readonly node_version?: NodeVersion;
    /** Why it could not be answered. */
    readonly error_message?: string;
  }[];
}

/** Versions to look up in one call. */
export interface BulkNodeVersionsRequest {
  readonly node_versions: readonly NodeVersionIdentifier[];
}

/** Jobs to cancel in one call: all of them known, or none is canceled. */
export interface CancelJobs {
  /** Jobs to cancel. */
  readonly job_ids: readonly string[];
}

/** Whether this call canceled the job. */
export interface CanceledJob {
  /** True when this call began the cancel; false when it had ended or begun. */
  readonly cancelled: boolean;
}

/** Which jobs this call canceled. */
export interface CanceledJobs {
  /** The jobs this call began to cancel; ended ones are left out. */
  readonly cancelled: readonly string[];
}

/** A released model as the catalog lists it. */
export interface CatalogEntry {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
}

/** One page of the catalog, in bytewise order of ids. */
export interface CatalogPage {
  /** The entries of this page. */
  readonly data: readonly CatalogEntry[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** What to change; members that are left out stay. */
export interface ChangeSavedWorkflow {
  /** 1 to 100 characters once trimmed, without a slash or a line break. */
  readonly name?: string;
  /** Names joined by slashes, at most 8 deep; empty for the top. A folder exists while something is in it. */
  readonly folder?: string;
  /** Words to find it by. Kept in lower case, each once. */
  readonly tags?: readonly string[];
  /** Archived workflows leave the list and free their name. */
  readonly archived?: boolean;
}

/** Proof that the caller owns the node's repository. */
export interface ClaimNode {
  /** A code-host token that proves rights on the repository. */
  readonly GH_TOKEN: string;
}

/** Public facts of the server that serves the console. */
export interface ConsoleConfig {
  /** The server's version. */
  readonly version: string;
  /** `cloud`: everything is there. `self_hosted`: the v2 API beside one's own application, and no account. */
  readonly surface: "cloud" | "self_hosted";
  /** How calls are let in: by a person's session, by a token that the operator set, or without a credential. */
  readonly auth: "session" | "token" | "none";
  /** What stands before paths in the examples. */
  readonly base_url: string;
  /** The origin of bytes that users made; null where they come from the same. */
  readonly content_url: string | null;
  /** The ways to sign in. */
  readonly sign_in: {
    /** One-time links are taken. */
    readonly links: boolean;
    /** Sign-in with an OpenID provider, where one is set. */
    readonly oidc: {
      /** What people know the provider by. */
      readonly name: string;
      /** Where signing in there begins. */
      readonly url: string;
    } | null;
  };
}

/** Where to go from here, relative to the host. */
export interface ContentUrls {
  /** The record. */
  readonly self: string;
  /** The bytes, under the caller's credential. */
  readonly content: string;
  /** A small picture of it, under the caller's credential; absent where none can be made. */
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

/** What a new key is for and what it may reach. */
export interface CreateKey {
  /** 1 to 100 characters once trimmed, without line breaks. */
  readonly name: string;
  /** At most the caller's own. Absent: all of the caller's but account. */
  readonly scopes?: readonly KeyScope[];
  readonly role?: MemberRole;
  /** Absent or null: never. */
  readonly expires_at?: string | null;
}

/** A node to create. Fields the server owns are ignored. */
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
  /** URL of the repository: http, https, ssh, or as git writes one; empty: none. */
  readonly repository?: string;
  /** URL of the icon, http or https; empty: none. */
  readonly icon?: string;
  /** URL of the banner, http or https; empty: none. */
  readonly banner_url?: string;
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** The node's texts in other languages, by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
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
  /** URL of the logo, http or https; empty: none. */
  readonly logo?: string;
  /** URL of the web site, http or https; empty: none. */
  readonly website?: string;
  /** Where users find help: an http, https or e-mail address, or plain words without markup. */
  readonly support?: string;
  /** URL of the source code, or as git writes one; empty: none. */
  readonly source_code_repo?: string;
  readonly visibility?: PublisherVisibility;
}

/** A person who shall act for the publisher. */
export interface CreatePublisherMember {
  /** Whom to invite. */
  readonly email: string;
  /** What they may do. */
  readonly role?: "owner" | "member";
}

/** A token for publishing. */
export interface CreatePublisherToken {
  /** What the token is for. */
  readonly name: string;
  /** More about it. */
  readonly description?: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at?: string;
}

/** A new API key. */
export interface CreatedAccountKey {
  /** A UUID, lower case. */
  readonly id: string;
  /** What the key is for. */
  readonly name: string;
  /** The beginning of the key, enough to recognise it. */
  readonly hint: string;
  /** What the key may reach. */
  readonly scopes: readonly KeyScope[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** When it was used last, about. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it works. */
  readonly revoked_at: string | null;
  /** Credits it may spend a day. */
  readonly daily_credits_max?: string | null;
  /** Credits it may spend a month. */
  readonly monthly_credits_max?: string | null;
  readonly role: MemberRole;
  /** The person who made it, if known. */
  readonly created_by: string | null;
  /** The key itself, shown this one time. */
  readonly secret: string;
}

/** A new token. */
export interface CreatedPublisherToken {
  /** A UUID, lower case. */
  readonly id: string;
  /** The token itself, shown this one time. */
  readonly token: string;
}

/** What a workspace can spend, and what its open calls hold of it for now. */
export interface CreditBalance {
  /** An amount of credits as a decimal text with at most six places. */
  readonly available: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly held: string;
  /** Calls at the providers now. */
  readonly in_flight: number;
}

/** One line of the journal. Lines are never changed, only added. */
export interface CreditLine {
  /** The call, top-up or withdrawal. */
  readonly transaction_id: string;
  /** fund: topped up; settle: charged; refund: given back; withdraw: taken out; hold and release: set aside for an open call, and back. */
  readonly kind: "fund" | "hold" | "settle" | "release" | "refund" | "withdraw";
  /** An amount of credits as a decimal text with at most six places. */
  readonly amount: string;
  /** By how much the line changed what the workspace owns (available and held together). */
  readonly change: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
}

/** One page of the journal, the newest line first. */
export interface CreditLinePage {
  /** The entries of this page. */
  readonly data: readonly CreditLine[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** Between which amounts a charge lies, both included. */
export interface CreditRange {
  /** The least that a run of this input is charged when it succeeds. What fails, is answered under a known key, or is known from a run before may cost less, down to nothing. Credits, as a decimal text. */
  readonly lowest: string;
  /** The most that it can be charged, whatever the provider reports. Credits, as a decimal text. */
  readonly highest: string;
}

/** Where the next page begins. Hand it back unread; do not keep it beyond the walk it came from. */
export type Cursor = string;

/** One page of the descriptors of a version. */
export interface DescriptorPage {
  readonly svc_nodes: readonly NodeDescriptor[];
  /** How many pages there are. */
  readonly totalNumberOfPages: number;
}

/** One page of descriptors over all nodes. */
export interface DescriptorSearchPage {
  readonly svc_nodes: readonly NodeDescriptor[];
  /** How many there are on all pages. */
  readonly total: number;
}

/** Where the copy goes. */
export interface DuplicateWorkflow {
  /** 1 to 100 characters once trimmed, without a slash or a line break. */
  readonly name: string;
  /** Names joined by slashes, at most 8 deep; empty for the top. A folder exists while something is in it. */
  readonly folder?: string;
  /** Counts from 1, without gaps. */
  readonly version?: number;
}

/** What the caller may do. */
export interface EditPermission {
  /** Whether the caller may change it. */
  readonly canEdit: boolean;
}

/** A workflow as the editor saves it. */
export interface EditorGraph {
  readonly nodes: readonly { readonly [name: string]: unknown }[];
}

/** How many sessions ended. */
export interface EndedSessions {
  readonly ended: number;
}

/** What went wrong in the same way. */
export interface ErrorGroup {
  /** The word for what went wrong. */
  readonly outcome: string;
  /** What was asked for. */
  readonly subject: string;
  /** The HTTP status of the answers. */
  readonly status: number | null;
  /** How often. */
  readonly count: number;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly first_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
  /** The last request of it. */
  readonly last_request_id: string | null;
}

/** Failures by kind. */
export interface ErrorGroupList {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** The most frequent first. */
  readonly data: readonly ErrorGroup[];
  /** Over everything that was asked for. */
  readonly total: {
    /** Failures. */
    readonly count: number;
    /** Groups, also those that are not listed. */
    readonly groups: number;
    /** An amount of credits as a decimal text with at most six places. */
    readonly credits: string;
  };
}

/** How long it took before, by this server's own past runs. It promises nothing. */
export interface ExpectedSeconds {
  /** Half of them took at most this many seconds. */
  readonly median: number;
  /** Nine out of ten took at most this many seconds. */
  readonly p90: number;
  /** How many runs were looked at. */
  readonly count: number;
}

/** Something that goes by what was asked for. */
export interface FoundThing {
  /** What it is. */
  readonly kind: "job" | "request" | "asset" | "model" | "node" | "key" | "delivery" | "publisher" | "node_class";
  /** What it is read by. */
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** More, for people. */
  readonly subtitle: string | null;
  /** When it came about. */
  readonly at: string | null;
}

/** What goes by it. */
export interface FoundThings {
  /** The nearest first. */
  readonly data: readonly FoundThing[];
}

/** A failure of price badges, the partner proxy, the registry and the rest. */
export interface GenericError {
  /** A stable snake_case code to branch on. */
  readonly error: string;
  /** What went wrong, for people. */
  readonly message: string;
  /** Particulars, such as every field that was refused. */
  readonly details?: unknown;
}

/** What a run of this graph would cost now, as a fresh run. */
export interface GraphEstimate {
  readonly credits: CreditRange;
  /** What a submission sets aside of the workspace's balance. It equals highest, except where only the run decides which model is called or how often, or another key pays: there each call sets aside its own. Credits, as a decimal text. */
  readonly hold: string;
  /** Whether lowest and highest are the same amount. */
  readonly is_exact: boolean;
  readonly expected_seconds?: ExpectedSeconds;
  /** Every node that will run and calls a model, in the order of the graph, and the running time where it costs. Nodes that are not named cost nothing. */
  readonly nodes: readonly NodeEstimate[];
}

/** One node of a graph. */
export interface GraphNode {
  /** The node's class. */
  readonly class_type: string;
  /** Values, links as [node id, output index], or asset references (__type core/ASSET with info.id). */
  readonly inputs: { readonly [name: string]: unknown };
  readonly _meta?: { readonly [name: string]: unknown };
}

/** The process answers; nothing else was asked. */
export interface Health {
  readonly status: "ok";
  /** On /health with a challenge: HMAC-SHA256 in base64url under the proof_key of server.json in the data folder, over `atelier-health`, the Host in lower case and the challenge, joined by line feeds. */
  readonly proof?: string;
}

/** An image or key frames to make a video of. */
export interface ImageToVideoRequest {
  /** What the video shows. */
  readonly prompt_text?: string;
  /** An image the video begins from: an http or https URL. */
  readonly image_url?: string;
  readonly inference_params?: InferenceParams;
  /** Told by us on every status change of the prompt: https, on the port of https. */
  readonly webhook_url?: string;
  readonly keyframes?: Keyframes;
}

/** What this server is and where its documents are. */
export interface Index {
  /** The program's name. */
  readonly name: string;
  /** The server's version. */
  readonly version: string;
  readonly urls: {
    /** The OpenAPI document. */
    readonly openapi: string;
    /** The API reference, for people. */
    readonly docs: string;
    /** The description for language models. */
    readonly llms: string;
    /** Whether the process can do its work. */
    readonly ready: string;
  };
}

/** How the video is computed. */
export interface InferenceParams {
  /** Adds guidance towards quality. */
  readonly add_quality_guidance?: boolean;
  /** How much is taken from the cache. */
  readonly caching_coefficient?: number;
  /** Steps without cache at the end. */
  readonly caching_cooldown?: number;
  /** Steps without cache at the beginning. */
  readonly caching_warmup?: number;
  /** Where guidance is clipped. */
  readonly clip_value?: number;
  /** Which frame the image conditions. */
  readonly conditioning_frame_index?: number;
  /** Steps in which guidance fades. */
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
  /** Any 64-bit integer; equal seeds give equal noise. Random if absent. */
  readonly seed?: number;
  /** Shift of the time steps. */
  readonly shift_value?: number;
  /** Denoising steps. */
  readonly steps?: number;
  /** Lets guidance change over the steps. */
  readonly use_guidance_schedule?: boolean;
  /** Whether negative_prompt is used. */
  readonly use_negative_prompts?: boolean;
  /** Transforms the time steps. */
  readonly use_timestep_transform?: boolean;
  /** Steps in which guidance grows. */
  readonly warmup_steps?: number;
  /** Width in pixels. */
  readonly width?: number;
}

/** A self-contained OpenAPI document of one model: the very document its input is validated against. */
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
  /** For how many hours the sign-in link works. */
  readonly link_hours?: number;
}

/** One run of a workflow. */
export interface Job {
  /** A UUID, lower case. */
  readonly id: string;
  readonly status: JobState;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it began to run. */
  readonly started_at: string | null;
  /** When it ended. */
  readonly completed_at: string | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** How many jobs are ahead, while queued. */
  readonly queue_position: number | null;
  readonly waiting_for?: WaitingFor;
  readonly progress: Progress | null;
  /** What it has made so far; grows while it runs. */
  readonly outputs: readonly Output[];
  readonly error: JobError | null;
  /** Durations such as queue_ms and execution_ms; null until known. */
  readonly metrics?: { readonly [name: string]: number | null };
  /** True when at least one node was not run again. */
  readonly outputs_reused?: boolean;
  readonly metadata?: JobMetadata;
  /** What the submission carried; 0 if nothing. */
  readonly priority?: number;
  readonly output_delivery?: OutputDelivery;
  readonly urls: JobUrls;
}

/** What one job was charged. */
export interface JobCharge {
  /** A UUID, lower case. */
  readonly job_id: string;
  /** What the workspace was charged for the job: its running time and the models that its nodes called; null until it has ended. */
  readonly credits: string | null;
}

/** What several jobs were charged. */
export interface JobChargeList {
  /** In the order in which they were asked for; unknown jobs are left out. */
  readonly data: readonly JobCharge[];
}

/** What one job was charged, and for what. */
export interface JobCharges {
  /** A UUID, lower case. */
  readonly job_id: string;
  /** What the workspace was charged for the job: its running time and the models that its nodes called; null until it has ended. */
  readonly credits: string | null;
  /** What its running time was charged; null until it has ended. */
  readonly running_time: string | null;
  /** Nodes whose model calls have ended, by id, also while the job runs. Calls that another workspace's key paid for are not this workspace's and not here. */
  readonly nodes: readonly NodeCharge[];
}

/** Why a job failed. It stands in the job; reading the job still answers 200. */
export interface JobError {
  /** A stable code, such as node_execution_error. */
  readonly code: string;
  /** What went wrong, for people. */
  readonly message: string;
  /** The node that failed. */
  readonly node_id?: string | null;
  /** Its class. */
  readonly class_type?: string | null;
  /** Where it failed, when that may be told. */
  readonly traceback?: string | null;
}

/** What the caller keeps with the job, given back in the form it came in: a text of at most 1024 bytes of UTF-8, or a map of at most 16 labels. A key has 1 to 40 of A–Z, a–z, 0–9, `_`, `-` and `.`, a value at most 256 bytes. Others are refused with metadata_invalid. */
export type JobMetadata = string | { readonly [name: string]: string };

/** How one node of the graph is doing in the job's newest attempt. */
export interface JobNode {
  /** The node's id in the submitted graph. */
  readonly node_id: string;
  /** Its class. */
  readonly class_type: string;
  /** What the graph calls it (_meta.title); absent if nothing. */
  readonly title?: string;
  readonly state: NodeState;
  /** Share of the node; it never falls. */
  readonly progress: number;
  /** When it began to run, in milliseconds after its worker took the attempt; absent if it did not run or the worker does not tell. */
  readonly began_ms?: number;
  /** How long it ran, so far or in all; null if it did not run. */
  readonly ms: number | null;
}

/** One page of jobs, newest first. */
export interface JobPage {
  /** The entries of this page. */
  readonly data: readonly Job[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
  /** The next page, relative to the host; absent on the last page. */
  readonly next?: string;
}

/** How far the job is. */
export type JobState = "queued" | "running" | "canceling" | "succeeded" | "failed" | "canceled" | "expired";

/** Where to go from here, relative to the host. */
export interface JobUrls {
  /** The job. */
  readonly self: string;
  /** Its event stream. */
  readonly events: string;
  /** POST here to cancel it. */
  readonly cancel: string;
  /** The executed graph. */
  readonly workflow: string;
  /** Its newest preview picture. */
  readonly preview: string;
}

/** The graph that a job executed. */
export interface JobWorkflow {
  readonly workflow: { readonly [name: string]: unknown };
  /** api: the graph as executed; save: the editor's version. */
  readonly format: "api" | "save";
}

/** One message of JSON-RPC 2.0. */
export interface JsonRpcMessage {
  readonly jsonrpc: "2.0";
}

/** Something a model made, by the address it answered with. */
export interface KeepModelOutput {
  /** The X-Service-Request-Id of the answer that held the address, or the id of the queued request. Only an answer under an Idempotency-Key, and one of the queue, is on record. */
  readonly request_id: string;
  /** As that answer held it among its results, character by character. It is fetched from the provider's own hosts, or as a public https address. */
  readonly url: string;
  /** The file's name in the gallery. */
  readonly name: string;
  /** Tags of the asset. */
  readonly tags?: readonly string[];
}

/** What was kept, and as which asset. */
export interface KeptModelOutput {
  /** A UUID, lower case. */
  readonly asset_id: string;
  /** False when the workspace had these bytes already. */
  readonly created_new: boolean;
}

/** How much one key may spend, and what it has spent. */
export interface KeyCaps {
  /** A UUID, lower case. */
  readonly key_id: string;
  /** Credits it may spend on a UTC day; null: no cap. */
  readonly daily_credits_max: string | null;
  /** Credits it may spend in a UTC month; null: no cap. */
  readonly monthly_credits_max: string | null;
  /** An amount of credits as a decimal text with at most six places. */
  readonly spent_today: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly spent_this_month: string;
  /** The most that its open calls can still cost; it counts against the caps. */
  readonly held: string;
}

/** What a key may reach: the model router, the partner proxy, the registry, v2 workflows, or the account itself. */
export type KeyScope = "models" | "partners" | "registry" | "workflows" | "account";

/** The public keys of this installation's identity issuer (JWKS). */
export interface KeySet {
  readonly keys: readonly { readonly [name: string]: unknown }[];
}

/** Images by the frame they stand at. */
export type Keyframes = { readonly [name: string]: {
  readonly image_url: string;
} };

/** Owners manage the workspace, its members and all its keys; members use it and manage their own keys. */
export type MemberRole = "owner" | "member";

/** One model, with what only its own address tells. */
export interface ModelDetail {
  readonly id: ModelId;
  readonly provider: ProviderSegment;
  readonly model: ModelSegment;
  readonly billing: BillingFacts;
  /** Where the input schema document is; absent when none was authored. */
  readonly input_schema_url?: string;
  /** Its name for people. */
  readonly title?: string;
  /** What it makes, from what. */
  readonly description?: string;
  /** What it makes; absent where its definition does not say. */
  readonly kind?: "image" | "video" | "audio" | "text" | "other";
  /** Since when callers should move on; also in Deprecation. */
  readonly deprecated_at?: string;
  /** From when on it answers 404; also in Sunset. */
  readonly sunset_at?: string;
  /** When the operator's live check of this very definition last succeeded; null: never. A definition that was only written from documentation has none. */
  readonly verified: string | null;
}

/** What a call of this model with this input would cost now. */
export interface ModelEstimate {
  readonly model: ModelId;
  readonly credits: CreditRange;
  /** What is set aside of the balance while the call runs; it equals highest. Credits, as a decimal text. */
  readonly hold: string;
  /** Whether lowest and highest are the same amount. */
  readonly is_exact: boolean;
  readonly expected_seconds?: ExpectedSeconds;
}

/** Provider and model joined by one slash. */
export type ModelId = string;

/** The partner's native input, forwarded byte for byte. Its shape is in the model's openapi.json. */
export type ModelInput = { readonly [name: string]: unknown };

/** The partner's native output, byte for byte. */
export type ModelOutput = { readonly [name: string]: unknown };

/** How a queued model call stands. */
export interface ModelRequest {
  /** A UUID, lower case. */
  readonly request_id: string;
  readonly status: ModelRequestStatus;
  /** How many requests of the workspace wait before it; only while IN_QUEUE. */
  readonly queue_position?: number;
  /** How far it is. */
  readonly status_url: string;
  /** The result, once it has completed. */
  readonly response_url: string;
  /** Where a PUT cancels it. */
  readonly cancel_url: string;
  readonly model: ModelId;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at?: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly completed_at?: string;
  readonly error_type?: RouterBucket;
  readonly code?: RequestReason;
  /** With error_type: what went wrong, for people; a list where the provider rejected fields. */
  readonly detail?: string | readonly RouterValidationEntry[];
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits_used?: string;
  /** Only while the process that ran it is gone and its outcome is being found out: until then, at the latest, its credits stay held. */
  readonly hold_until?: string;
}

/** A failure on a route of queued model calls; error_type equals X-Service-Error-Type, and code X-Service-Error-Reason. */
export interface ModelRequestError {
  /** What went wrong, for people. */
  readonly detail: string;
  readonly error_type: RouterBucket;
  readonly code?: RequestReason;
}

/** One page of requests, the newest first. */
export interface ModelRequestPage {
  /** The entries of this page. */
  readonly data: readonly ModelRequest[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** COMPLETED is the end of every request; one that failed or was cancelled carries error_type then. */
export type ModelRequestStatus = "IN_QUEUE" | "IN_PROGRESS" | "COMPLETED";

/** The model's name at its provider; the second half of its id. */
export type ModelSegment = string;

/** How a model did for this workspace; replays are not counted. */
export interface ModelStats {
  /** provider/model. */
  readonly model: string;
  /** Calls. */
  readonly calls: number;
  /** Those that succeeded. */
  readonly successes: number;
  /** Those that did not. */
  readonly failures: number;
  /** Successes by calls. */
  readonly success_rate: number | null;
  /** Half of the successes took at most this long, to within 5 %; null without any. */
  readonly p50_ms: number | null;
  /** 19 of 20 successes took at most this long, to within 5 %; null without any. */
  readonly p95_ms: number | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
}

/** How models did for this workspace lately. */
export interface ModelStatsList {
  /** How far back. */
  readonly hours: number;
  /** Models that were called, the most called first. */
  readonly data: readonly ModelStats[];
}

/** A workspace's name. */
export interface NameWorkspace {
  /** 1 to 100 characters once trimmed, without line breaks. */
  readonly name: string;
}

/** A node of the registry. */
export interface Node {
  readonly id: NodeId;
  /** Display name. */
  readonly name: string;
  /** What the node does; empty when not told. */
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
  /** The node's texts in other languages, by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
  /** Tags. */
  readonly tags: readonly string[];
  /** Tags of the operators; shown to admins alone. One that begins with `warning:` is also in warnings. */
  readonly tags_admin?: readonly string[];
  /** What the operators warn of before installing it; absent: of nothing. */
  readonly warnings?: readonly string[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** Installs, counted once per client and day. */
  readonly downloads: number;
  /** Stars of the repository. */
  readonly github_stars?: number;
  /** Average of the reviews. */
  readonly rating?: number;
  /** Sorts search results. */
  readonly search_ranking?: number;
  readonly status: NodeStatus;
  /** Why it has this status. */
  readonly status_detail?: string;
  /** Node names that belong to this node first. */
  readonly preempted_svc_node_names?: readonly string[];
  readonly latest_version?: NodeVersion;
  readonly publisher?: Publisher;
}

/** What the model calls of one node were charged. */
export interface NodeCharge {
  /** The node's id in the job's graph. */
  readonly node_id: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
  /** How many of its calls have ended. */
  readonly calls: number;
}

/** A node class that graphs can use here. */
export interface NodeClass {
  /** What a graph writes as class_type. */
  readonly name: string;
  /** What editors show. */
  readonly title: string;
  /** Where editors list it; a slash parts a sub-category. */
  readonly category: string;
  /** What it does; empty when it does not say. */
  readonly description: string;
  /** Whether a graph can end in it: it saves or shows something. */
  readonly is_output: boolean;
  /** Whether something newer should be used. */
  readonly is_deprecated: boolean;
  /** Whether it may still change. */
  readonly is_experimental: boolean;
  /** In the order of the class, required ones first. */
  readonly inputs: readonly NodeClassInput[];
  /** In order. */
  readonly outputs: readonly NodeClassOutput[];
  readonly runs_on: NodeClassLocation;
}

/** One input of a node class. */
export interface NodeClassInput {
  /** What a graph calls it. */
  readonly name: string;
  /** INT, FLOAT, STRING, BOOLEAN, COMBO, or the type of a socket such as IMAGE. */
  readonly type: string;
  /** Whether a graph must give it. */
  readonly is_required: boolean;
  /** Whether only a link to another node can be given. */
  readonly is_link: boolean;
  /** Whether it names a file of the caller's: an asset reference, or the path of an uploaded asset. */
  readonly is_file: boolean;
  /** What editors begin with; a graph must still give it. */
  readonly default?: unknown;
  /** The least; integers beyond 2^53 are exact. */
  readonly min?: number;
  /** The most; integers beyond 2^53 are exact. */
  readonly max?: number;
  /** What editors go up and down by. */
  readonly step?: number;
  /** What can be chosen, of a COMBO. */
  readonly choices?: readonly unknown[];
  /** Whether a text may have several lines. */
  readonly is_multiline?: boolean;
  /** What it is for. */
  readonly tooltip?: string;
}

/** Where a node class runs. */
export interface NodeClassLocation {
  /** In the server's own engine. */
  readonly engine: boolean;
  /** Pools with a worker that has it: the shared one's id or a deployment's. */
  readonly pools: readonly string[];
  /** In the application that this surface stands in front of. */
  readonly application: boolean;
}

/** One output of a node class; links name it by its index. */
export interface NodeClassOutput {
  /** What editors call it. */
  readonly name: string;
  /** Its type, such as IMAGE. */
  readonly type: string;
  /** Whether it gives several values, one by one. */
  readonly is_list: boolean;
}

/** One page of node classes. */
export interface NodeClassPage {
  /** The entries of this page. */
  readonly data: readonly NodeClass[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
  /** The next page, relative to the host; absent on the last page. */
  readonly next?: string;
}

/** How many nodes are in each state: exact, however large the graph is. */
export interface NodeCounts {
  /** Nodes that are waiting. */
  readonly waiting: number;
  /** Nodes that are running. */
  readonly running: number;
  /** Nodes that are cached. */
  readonly cached: number;
  /** Nodes that are done. */
  readonly done: number;
  /** Nodes that are failed. */
  readonly failed: number;
}

/** One node class that a version of a registry node provides. */
export interface NodeDescriptor {
  /** Where the node stands in the menu. */
  readonly category?: string;
  /** Deprecated nodes are hidden in the menu. */
  readonly deprecated?: boolean;
  /** What the node does. */
  readonly description?: string;
  /** May change or vanish. */
  readonly experimental?: boolean;
  /** The name of the entry-point function. */
  readonly function?: string;
  /** The input parameters, as JSON text. */
  readonly input_types?: string;
  /** For each output whether it is a list. */
  readonly output_is_list?: readonly boolean[];
  readonly policy?: NodePolicy;
  /** The outputs' names, as JSON text. */
  readonly return_names?: string;
  /** The outputs' types, as JSON text. */
  readonly return_types?: string;
  /** The node's unique name. */
  readonly svc_node_name: string;
}

/** What one part of a graph would cost. */
export interface NodeEstimate {
  /** The node's id in the graph; run for the running time of the job. */
  readonly node_id: string;
  /** The node's class; absent for the running time. */
  readonly class_type?: string;
  /** The node's title, where the graph gives it one. */
  readonly title?: string;
  readonly credits: CreditRange;
  /** Whether lowest and highest are the same amount. */
  readonly is_exact: boolean;
  readonly expected_seconds?: ExpectedSeconds;
}

/** A node's id: letters, digits, dot, underscore and hyphen; unique whatever the case. */
export type NodeId = string;

/** One page of nodes. */
export interface NodePage {
  readonly nodes: readonly Node[];
  /** How many there are on all pages. */
  readonly total: number;
  /** The number of this page. */
  readonly page: number;
  /** Page size served. */
  readonly limit: number;
  /** How many pages there are. */
  readonly totalPages: number;
}

/** Where workflows may use the node: everywhere, nowhere, or only on self-hosted surfaces. */
export type NodePolicy = "NodePolicyActive" | "NodePolicyBanned" | "NodePolicyLocalOnly";

/** waiting: not begun. cached: not run, an earlier result was used. failed: it began and was not completed, also because the job was canceled or ran out of time. */
export type NodeState = "waiting" | "running" | "cached" | "done" | "failed";

/** Whether the node is offered. */
export type NodeStatus = "NodeStatusActive" | "NodeStatusDeleted" | "NodeStatusBanned";

/** A published version of a node. */
export interface NodeVersion {
  /** A UUID, lower case. */
  readonly id: string;
  readonly node_id: NodeId;
  /** A semantic version. */
  readonly version: string;
  /** What changed. */
  readonly changelog?: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  /** Packages it needs. */
  readonly dependencies: readonly string[];
  /** Its publisher advises against it. */
  readonly deprecated: boolean;
  /** Since when; also in Deprecation. Absent: it is not. */
  readonly deprecated_at?: string;
  /** When its publisher takes it away; also in Sunset. */
  readonly sunset_at?: string;
  /** Where the archive is; absent until its upload completed. */
  readonly downloadUrl?: string;
  /** What the archive's bytes are: blake3: and 64 hexadecimal digits. */
  readonly archive_hash?: string;
  /** Bytes of the archive. */
  readonly archive_size?: number;
  readonly status: NodeVersionStatus;
  /** Why it has this status. */
  readonly status_reason?: string;
  /** How far the extraction of descriptors is: pending, success or failed. */
  readonly svc_node_extract_status?: string;
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
  /** Tags of the operators; shown to admins alone. */
  readonly tags_admin?: readonly string[];
  /** What the operators warn of before installing it, the node's own warnings first; absent: of nothing. */
  readonly warnings?: readonly string[];
  /** What the checks found; shown to members and admins. */
  readonly findings?: readonly NodeVersionFinding[];
}

/** One thing the built-in checks found in an archive. */
export interface NodeVersionFinding {
  /** A stable code of the rule. */
  readonly code: string;
  /** What was found, for people. */
  readonly message: string;
  /** The file it was found in. */
  readonly file?: string;
  /** The line it was found at. */
  readonly line?: number;
}

/** Names one version. */
export interface NodeVersionIdentifier {
  readonly node_id: string;
  readonly version: string;
}

/** One change of a version's status. */
export interface NodeVersionMove {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  readonly status_before: NodeVersionStatus;
  readonly status_after: NodeVersionStatus;
  /** Why. */
  readonly reason?: string;
  /** Who moved it. */
  readonly by: "admin" | "publisher" | "checks" | "registry";
  /** What the operator is called; shown to operators. */
  readonly name?: string;
  /** A UUID, lower case. */
  readonly batch_id?: string;
}

/** One page of versions. */
export interface NodeVersionPage {
  readonly versions: readonly NodeVersion[];
  /** How many there are on all pages. */
  readonly total: number;
  /** The number of this page. */
  readonly page: number;
  /** Page size served. */
  readonly pageSize: number;
  /** How many pages there are. */
  readonly totalPages: number;
}

/** How a version came to its status. */
export interface NodeVersionReview {
  readonly node_version: NodeVersion;
  /** The version of the rules that gave the verdict. */
  readonly rule_set?: string;
  readonly checked_at: string | null;
  /** What the checks found. */
  readonly findings: readonly NodeVersionFinding[];
  /** Every change of its status, oldest first. */
  readonly history: readonly NodeVersionMove[];
}

/** Whether the version can be installed. */
export type NodeVersionStatus = "NodeVersionStatusActive" | "NodeVersionStatusPending" | "NodeVersionStatusFlagged" | "NodeVersionStatusBanned" | "NodeVersionStatusDeleted";

/** Node class → its description, as the application's own GET /object_info has it. */
export type ObjectInfo = { readonly [name: string]: unknown };

/** An OpenAPI 3.1 document. */
export type OpenApiDocument = { readonly [name: string]: unknown };

/** Something a job made. Its id is also an asset id while the job is kept. */
export interface Output {
  /** A UUID, lower case. */
  readonly id: string;
  /** The node that made it. */
  readonly node_id: string;
  /** The file's name, without folders; the asset's file_path has them. */
  readonly name: string;
  /** What kind of thing it is, told by its bytes. */
  readonly type: "image" | "video" | "audio" | "text" | "file" | "latent";
  /** The media type. */
  readonly content_type: string;
  /** How many bytes it has. */
  readonly size_bytes: number;
  /** What the bytes hash to; null until it is known. */
  readonly hash: BlobHash | null;
  /** The content endpoint: it needs the credential and is not for sharing. A signed address that can be shared is the `url` of GET /api/v2/assets/{id} (urls.self), with this output's id. */
  readonly url: string;
  /** The job's expires_at; null on self-hosted surfaces. Not the expiry of a signed URL. */
  readonly url_expires_at: string | null;
  /** The job that made it. */
  readonly job_id?: string | null;
  /** True: a node that only shows made it (PreviewImage and its kin), so it is no saved result; an output target is not sent it. Absent: a result. */
  readonly is_preview?: boolean;
  readonly urls: ContentUrls;
}

/** How the deliveries to the output target stand. */
export interface OutputDelivery {
  /** Outputs that are there. */
  readonly delivered: number;
  /** Outputs that are on their way or tried again. */
  readonly pending: number;
  /** Outputs that were given up after ten attempts. */
  readonly failed: number;
  /** What the newest failed attempt came to. */
  readonly last_error: string | null;
}

/** Where each output is also put as soon as the job has it. Never read back, and not part of what a key compares. */
export type OutputTarget = {
  readonly kind: "https";
  /** An https URL of a public host with {name} in its path or query, in place of which each output's name comes; {job_id} may stand there too. PUT here, signed like webhooks. */
  readonly url: string;
} | {
  readonly kind: "s3";
  /** https and a public host; the bucket comes in the path. */
  readonly endpoint: string;
  /** The bucket. */
  readonly bucket: string;
  /** Stands before each name. */
  readonly prefix?: string;
  /** us-east-1 if left out. */
  readonly region?: string;
  /** Who writes there. */
  readonly access_key_id: string;
  /** Sealed; in no read, log or event. */
  readonly secret_access_key: string;
};

/** A task at partner-a: begun, running or ended. */
export interface PartnerATaskResult {
  readonly data: {
    /** A UUID, lower case. */
    readonly task_id: string;
    readonly status: PartnerATaskStatus;
    /** URLs or data of the results; empty until COMPLETED. */
    readonly generated: readonly string[];
  };
}

/** How far the task is. */
export type PartnerATaskStatus = "CREATED" | "IN_PROGRESS" | "COMPLETED" | "FAILED";

/** A prompt at partner-b: waiting, running or ended. */
export interface PartnerBPrompt {
  /** The prompt's id. */
  readonly id: string;
  readonly status: PromptStatus;
  /** The text as it was sent; empty when there was none. */
  readonly prompt_text: string;
  /** The video; absent until completed. */
  readonly output_url?: string;
  /** Why the prompt failed; absent otherwise. */
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** The image or key frames as they were sent; empty when there were none. */
  readonly frame_conditioning: {
    readonly image_url?: string;
    readonly keyframes?: Keyframes;
  };
  readonly inference_params: InferenceParams;
  /** Which model works. */
  readonly model_params: {
    readonly model: string;
  };
  /** When it happened. */
  readonly meta: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly completed_at?: string;
    /** Seconds from creation to the end. */
    readonly duration_s?: number;
  };
}

/** A form with nothing but a button. */
export interface PlainForm {
  /** The form's own token. */
  readonly csrf: string;
}

/** A release of the program itself. */
export interface ProgramRelease {
  /** Its number, or Unreleased. */
  readonly version: string;
  /** The day of the release. */
  readonly date: string | null;
  /** Its notes, in Markdown. */
  readonly text: string;
}

/** A whole picture of how far the job is. */
export interface Progress {
  /** Share of the whole graph; it never falls. */
  readonly value: number;
  /** Nodes that ended. */
  readonly nodes_done: number;
  /** Nodes of the submitted graph. */
  readonly nodes_total: number;
  /** The node that runs. */
  readonly current_node?: string | null;
  /** Its class. */
  readonly current_node_class?: string | null;
  /** The step it is at. */
  readonly step?: number | null;
  /** How many steps it has. */
  readonly steps?: number | null;
  /** The same for people. */
  readonly message?: string | null;
  /** The nodes that the outputs need, in the order of the graph. Of a graph with more than 500: those that failed, that run, and that changed last. Absent in lists and webhooks, while no attempt has begun, and where the worker does not tell. */
  readonly nodes?: readonly JobNode[];
  readonly node_counts?: NodeCounts;
}

/** How far the prompt is. */
export type PromptStatus = "pending" | "processing" | "completed" | "error";

/** That a workspace has a credential of its own at a provider. */
export interface ProviderCredential {
  /** The first segment of the provider's model ids. */
  readonly provider: string;
  /** Where it is sent, and nowhere else. */
  readonly hosts: readonly string[];
  /** Whether calls go under it now: the provider takes a workspace's own, and is at these hosts. */
  readonly is_used: boolean;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** The workspace's credentials, without their text. */
export interface ProviderCredentialList {
  readonly data: readonly ProviderCredential[];
  /** Providers that take a workspace's own credential here. */
  readonly providers: readonly string[];
}

/** Who serves the model; the first half of its id. */
export type ProviderSegment = string;

/** A version to publish, and what its node says about itself. */
export interface PublishNodeVersion {
  /** A publisher token; not needed with a bearer credential of a member. */
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
    /** URL of the repository: http, https, ssh, or as git writes one; empty: none. */
    readonly repository?: string;
    /** URL of the icon, http or https; empty: none. */
    readonly icon?: string;
    /** URL of the banner, http or https; empty: none. */
    readonly banner_url?: string;
    /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
    readonly supported_accelerators?: readonly string[];
    /** Operating systems it runs on. */
    readonly supported_os?: readonly string[];
    /** Versions of the application it works with. */
    readonly supported_app_version?: string;
    /** Versions of the application's frontend it works with. */
    readonly supported_app_frontend_version?: string;
    /** The node's texts in other languages, by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
    readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
    /** What the node does. */
    readonly description?: string;
    /** Tags. */
    readonly tags?: readonly string[];
    /** The node's id. */
    readonly id?: string;
  };
  readonly node_version: {
    /** A semantic version; 1, 1.2 and v1.2.3 are read as such. */
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

/** The version, waiting for its archive. */
export interface PublishedNodeVersion {
  readonly node_version: NodeVersion;
  /** PUT the archive here; it answers 200. */
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
  /** URL of the web site. */
  readonly website?: string;
  /** Where users find help. */
  readonly support?: string;
  /** URL of the source code. */
  readonly source_code_repo?: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  readonly status: PublisherStatus;
  readonly visibility?: PublisherVisibility;
  /** The people who act for the publisher. */
  readonly members?: readonly PublisherMember[];
}

/** Whether a publisher id can be taken. */
export interface PublisherAvailability {
  /** Whether the id is free. */
  readonly isAvailable: boolean;
}

/** A publisher's id: lower-case letters, digits and hyphens, beginning with a letter. It never changes. */
export type PublisherId = string;

/** Publishers. */
export type PublisherList = readonly Publisher[];

/** A person who acts for a publisher. */
export interface PublisherMember {
  /** The membership's id. */
  readonly id?: string;
  /** What the member may do; owner may do everything. */
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

/** A token for publishing, masked. */
export interface PublisherToken {
  /** A UUID, lower case. */
  readonly id: string;
  /** What the token is for. */
  readonly name: string;
  /** More about it. */
  readonly description?: string;
  /** The first characters and asterisks. */
  readonly token: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly createdAt: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
}

/** Who sees the publisher and its nodes: everybody, or only its workspace and its members. */
export type PublisherVisibility = "public" | "workspace";

/** A credential to store. */
export interface PutProviderCredential {
  /** The key as the provider gave it; id:secret where it gave a pair. It is never shown again. */
  readonly credential: string;
}

/** Whether this process should be given work. */
export interface Readiness {
  /** not_ready is answered 503. */
  readonly status: "ready" | "not_ready";
  /** What was looked at: database, blob store, release state and others. */
  readonly checks: { readonly [name: string]: {
    readonly status: "ok" | "failing";
    /** What is wrong, without addresses or secrets. */
    readonly message?: string;
  } };
}

/** The caller as the registry knows them. */
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

/** One dated change of what this server offers. */
export interface ReleaseNote {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** What it is about. */
  readonly kind: "model" | "partner_tool" | "badge" | "node_version";
  /** A model's id, a partner's operation, a node's id, or a node's id and version. */
  readonly subject: string;
  /** What happened to it. */
  readonly change: "added" | "changed" | "deprecated" | "removed";
  /** Since when it is deprecated. */
  readonly deprecated_at: string | null;
  /** When it goes, or went. */
  readonly sunset_at: string | null;
}

/** What this server offers, and what the program brought. */
export interface ReleaseNoteList {
  /** Changes of this server, newest first. */
  readonly server: readonly ReleaseNote[];
  /** Releases of the program, newest first. */
  readonly program: readonly ProgramRelease[];
}

/** An image and how to light it anew. */
export interface RelightRequest {
  /** The image to relight: base64 or an http(s) URL. */
  readonly image: string;
  /** Guides the light. (phrase:1.3) stresses a phrase by a number from 1 to 1.4. */
  readonly prompt?: string;
  /** Takes the light from this image (base64 or URL); not together with a lightmap. */
  readonly transfer_light_from_reference_image?: string;
  /** Takes the light from this map (base64 or URL); not together with a reference image. */
  readonly transfer_light_from_lightmap?: string;
  /** 0 stays closest to the original, 100 carries all light over. */
  readonly light_transfer_strength?: number;
  /** The result is drawn towards the original by the strength. */
  readonly interpolate_from_original?: boolean;
  /** The background may change by prompt or reference image. */
  readonly change_background?: boolean;
  /** The look of the result. */
  readonly style?: "standard" | "darker_but_realistic" | "clean" | "smooth" | "brighter" | "contrasted_n_hdr" | "just_composition";
  /** Keeps texture and small details. */
  readonly preserve_details?: boolean;
  readonly advanced_settings?: RelightSettings;
  /** Told by us on every status change of the task: https, on the port of https. */
  readonly webhook_url?: string;
}

/** Finer controls of relighting. */
export interface RelightSettings {
  /** Level of the whites. */
  readonly whites?: number;
  /** Level of the blacks. */
  readonly blacks?: number;
  /** Brightness. */
  readonly brightness?: number;
  /** Contrast. */
  readonly contrast?: number;
  /** Saturation. */
  readonly saturation?: number;
  /** Which of the partner's engines works. */
  readonly engine?: "automatic" | "balanced" | "cool" | "real" | "illusio" | "fairy" | "colorful_anime" | "hard_transform" | "softy";
  /** How strongly the light is carried over. */
  readonly transfer_light_a?: "automatic" | "low" | "medium" | "normal" | "high" | "high_on_faces";
  /** Along which curve the light is carried over. */
  readonly transfer_light_b?: "automatic" | "composition" | "straight" | "smooth_in" | "smooth_out" | "smooth_both" | "reverse_both" | "soft_in" | "soft_out" | "soft_mid" | "strong_mid" | "style_shift" | "strong_shift";
  /** Equal settings give an equal result. */
  readonly fixed_generation?: boolean;
}

/** What the removal took along. */
export interface RemovedMember {
  /** The person's keys, revoked in the same moment. */
  readonly revoked_keys: readonly string[];
}

/** The receivers on this machine to open. */
export interface ReplaceWebhookTargets {
  /** All of them; an empty list closes every one. */
  readonly targets: readonly string[];
}

/** Why, in the queue's own words, where the bucket alone does not tell. */
export type RequestReason = "cancelled" | "queue_timeout" | "request_not_found" | "queue_backlog_full" | "cancel_refused" | "already_completed";

/** How to replace a key. */
export interface RotateKey {
  /** How long the old key goes on working beside the new one; 24 hours if absent, 0 ends it now. */
  readonly overlap_seconds?: number;
}

/** How to replace the secret. */
export interface RotateWebhookSecret {
  /** How long the old secret goes on signing beside the new one; 24 hours if absent, 0 ends it now. */
  readonly overlap_seconds?: number;
}

/** The closed set of failure kinds of the model router. */
export type RouterBucket = "invalid_input" | "content_policy_violation" | "provider_error" | "provider_timeout" | "insufficient_credits" | "model_not_found" | "unauthorized" | "forbidden" | "concurrency_limit_exceeded" | "client_disconnected" | "internal_error" | "deadline_exceeded" | "not_enabled" | "service_unavailable" | "rate_limited";

/** A failure of the model router; error_type equals X-Service-Error-Type. */
export interface RouterError {
  /** What went wrong, for people. */
  readonly detail: string;
  readonly error_type: RouterBucket;
}

/** Why a call was not begun: the fields that violate the input schema, or, with error_type, that it could cost more than X-Service-Max-Credits. */
export type RouterRefusal = RouterValidationError | RouterError;

/** One rejected field of a model input. */
export interface RouterValidationEntry {
  /** The way to the rejected field, beginning with body; array positions are integers. */
  readonly loc: readonly (string | number)[];
  /** What is wrong with the field, for people. */
  readonly msg: string;
  /** The specific reason. An open set that grows; do not match it exhaustively. */
  readonly type: string;
  readonly ctx?: { readonly [name: string]: unknown };
  /** The refused value, when it is echoed. */
  readonly input?: unknown;
}

/** A model input that violates the model's input schema. */
export interface RouterValidationError {
  /** One entry per rejected field. */
  readonly detail: readonly RouterValidationEntry[];
}

/** A workflow to keep: a document or the workflow of a job. */
export interface SaveWorkflow {
  /** 1 to 100 characters once trimmed, without a slash or a line break. */
  readonly name: string;
  /** Names joined by slashes, at most 8 deep; empty for the top. A folder exists while something is in it. */
  readonly folder?: string;
  /** Words to find it by. Kept in lower case, each once. */
  readonly tags?: readonly string[];
  /** Why this version was made, for the people who read its history. */
  readonly note?: string;
  /** The workflow, in either format. Kept byte for byte, including members this server does not know. */
  readonly document?: { readonly [name: string]: unknown };
  /** Instead of a document: take the workflow of this job. */
  readonly job_id?: string;
}

/** A new version: a document, the workflow of a job, or an earlier version. */
export interface SaveWorkflowVersion {
  /** Why this version was made, for the people who read its history. */
  readonly note?: string;
  /** The workflow, in either format. Kept byte for byte, including members this server does not know. */
  readonly document?: { readonly [name: string]: unknown };
  /** Instead of a document: take the workflow of this job. */
  readonly job_id?: string;
  /** Instead of a document: repeat this version. */
  readonly restore?: number;
}

/** A workflow that the workspace keeps. */
export interface SavedWorkflow {
  /** A UUID, lower case. */
  readonly id: string;
  /** Unique in its folder among workflows that are not archived. */
  readonly name: string;
  /** Names joined by slashes, at most 8 deep; empty for the top. A folder exists while something is in it. */
  readonly folder: string;
  /** Words to find it by. Kept in lower case, each once. */
  readonly tags: readonly string[];
  /** The latest version. */
  readonly version: number;
  /** editor: as the graph editor saves it. api: nodes by id, as jobs run it. */
  readonly format: "editor" | "api";
  /** Nodes in the latest version. */
  readonly nodes: number;
  /** Bytes of the latest version. */
  readonly bytes: number;
  /** When it was archived; null if it is not. */
  readonly archived_at: string | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
  /** Jobs are counted by their label `workflow`, whose value is the id of the saved workflow. Null if there is none. */
  readonly last_job: WorkflowRun | null;
}

/** A page of saved workflows, last changed first. */
export interface SavedWorkflowList {
  /** The entries of this page. */
  readonly data: readonly SavedWorkflow[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** Where a test event goes. */
export interface SendTestWebhook {
  /** An https URL of a public host, on the port of https. */
  readonly url: string;
}

/** Whether the workspace's queue is paused. */
export interface SetAccountQueue {
  /** True pauses, false resumes; as it is already changes nothing. */
  readonly paused: boolean;
}

/** How much one key may spend. */
export interface SetKeyCaps {
  /** Credits a UTC day, 0 or more; null: no cap. */
  readonly daily_credits_max: string | null;
  /** Credits a UTC month, 0 or more; null: no cap. */
  readonly monthly_credits_max: string | null;
}

/** A sign-in link that works once. */
export interface SignInLink {
  readonly url: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** What a sign-in link would do. */
export interface SignInLook {
  /** Who would be signed in. */
  readonly person: {
    readonly name: string;
  };
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** A portrait to enhance with a free hand. */
export interface SkinEnhancerCreativeRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much the result is sharpened. */
  readonly sharpen?: number;
  /** How much grain the result gets. */
  readonly smart_grain?: number;
  /** Told by us on every status change of the task: https, on the port of https. */
  readonly webhook_url?: string;
}

/** A portrait to enhance close to the original. */
export interface SkinEnhancerFaithfulRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much the result is sharpened. */
  readonly sharpen?: number;
  /** How much grain the result gets. */
  readonly smart_grain?: number;
  /** Told by us on every status change of the task: https, on the port of https. */
  readonly webhook_url?: string;
  /** How much detail of the skin stays. */
  readonly skin_detail?: number;
}

/** A portrait to enhance towards a chosen aim. */
export interface SkinEnhancerFlexibleRequest {
  /** The portrait: base64 or a public https URL. */
  readonly image: string;
  /** How much the result is sharpened. */
  readonly sharpen?: number;
  /** How much grain the result gets. */
  readonly smart_grain?: number;
  /** Told by us on every status change of the task: https, on the port of https. */
  readonly webhook_url?: string;
  /** What the enhancer looks at most. */
  readonly optimized_for?: "enhance_skin" | "improve_lighting" | "enhance_everything" | "transform_to_real" | "no_make_up";
}

/** A file that is about to be uploaded. */
export interface StorageRequest {
  /** The file's name. */
  readonly file_name: string;
  /** The media type the bytes will have; without it the file's name tells. */
  readonly content_type?: string;
  /** SHA-256 of the bytes; a known file needs no upload. */
  readonly file_hash?: string;
}

/** Where to put the file and where to find it. */
export interface StorageTicket {
  /** PUT the bytes here. */
  readonly upload_url: string;
  /** Where the bytes are afterwards; hand this to a partner. */
  readonly download_url: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
  /** True: the bytes are already here, nothing needs to be uploaded. */
  readonly existing_file: boolean;
}

/** A workflow to run. The member inputs is reserved and refused. */
export interface SubmitJob {
  /** In API format, or as the editor saves it where every node class of it is known. */
  readonly workflow: WorkflowGraph | EditorGraph;
  /** Told by us on every status change: https, on the port of https. */
  readonly webhook_url?: string;
  readonly metadata?: JobMetadata;
  /** Larger first; orders only the caller's own jobs. */
  readonly priority?: number;
  readonly output_target?: OutputTarget;
  /** Given to the running attempt only; in no read, log or event. */
  readonly extra_data?: {
    /** The key that partner nodes use. */
    readonly api_key_service?: string;
  };
}

/** A text, with or without an image, to make a video of. */
export interface TextToVideoRequest {
  /** What the video shows. */
  readonly prompt_text?: string;
  /** An image the video begins from: an http or https URL. */
  readonly image_url?: string;
  readonly inference_params?: InferenceParams;
  /** Told by us on every status change of the prompt: https, on the port of https. */
  readonly webhook_url?: string;
}

/** The node's texts in other languages. */
export interface TranslationsOfNode {
  /** The node's texts, by language: at most 100 languages in all, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly data: { readonly [name: string]: { readonly [name: string]: unknown } };
}

/** What changes in a descriptor; absent fields stay. Only admins change policy. */
export interface UpdateDescriptor {
  /** Where the node stands in the menu. */
  readonly category?: string;
  /** Deprecated nodes are hidden in the menu. */
  readonly deprecated?: boolean;
  /** What the node does. */
  readonly description?: string;
  /** May change or vanish. */
  readonly experimental?: boolean;
  /** The name of the entry-point function. */
  readonly function?: string;
  /** The input parameters, as JSON text. */
  readonly input_types?: string;
  /** For each output whether it is a list. */
  readonly output_is_list?: readonly boolean[];
  readonly policy?: NodePolicy;
  /** The outputs' names, as JSON text. */
  readonly return_names?: string;
  /** The outputs' types, as JSON text. */
  readonly return_types?: string;
}

/** A new role. */
export interface UpdateMember {
  readonly role: MemberRole;
}

/** What changes; absent fields stay. Id and publisher never change. */
export interface UpdateNode {
  /** Display name. */
  readonly name?: string;
  /** Who wrote it. */
  readonly author?: string;
  /** Use tags instead; will be removed in a later version. @deprecated */
  readonly category?: string;
  /** The path of the licence file in the repository, or its text as JSON. */
  readonly license?: string;
  /** URL of the repository: http, https, ssh, or as git writes one; empty: none. */
  readonly repository?: string;
  /** URL of the icon, http or https; empty: none. */
  readonly icon?: string;
  /** URL of the banner, http or https; empty: none. */
  readonly banner_url?: string;
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
  /** The node's texts in other languages, by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters. */
  readonly translations?: { readonly [name: string]: { readonly [name: string]: unknown } };
  /** What the node does. */
  readonly description?: string;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** What changes; absent fields stay. The archive never does. */
export interface UpdateNodeVersion {
  /** What changed. */
  readonly changelog?: string;
  /** Advises against the version; false takes it back, with its dates. */
  readonly deprecated?: boolean;
  /** When a deprecated version is taken away; told to those who install it. */
  readonly sunset_at?: string;
  /** Tags. */
  readonly tags?: readonly string[];
}

/** What changes; absent fields stay. */
export interface UpdatePublisher {
  /** Display name. */
  readonly name?: string;
  /** What the publisher does. */
  readonly description?: string;
  /** URL of the logo, http or https; empty: none. */
  readonly logo?: string;
  /** URL of the web site, http or https; empty: none. */
  readonly website?: string;
  /** Where users find help: an http, https or e-mail address, or plain words without markup. */
  readonly support?: string;
  /** URL of the source code, or as git writes one; empty: none. */
  readonly source_code_repo?: string;
  readonly visibility?: PublisherVisibility;
}

/** What was stored and, for a node archive, the verdict on it. */
export interface UploadedArchive {
  /** Bytes that are stored. */
  readonly size_bytes: number;
  readonly status?: NodeVersionStatus;
  /** Of a node archive: what the checks found in it. */
  readonly findings?: readonly NodeVersionFinding[];
}

/** What was used on one day. */
export interface UsageDay {
  /** A UTC day. */
  readonly day: string;
  /** With by=subject: whose sum it is. */
  readonly subject?: string;
  /** Everything asked for but replays. */
  readonly calls: number;
  /** Those of the calls that did not succeed. */
  readonly failures: number;
  /** Answers repeated under their key. */
  readonly replays: number;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
}

/** Usage summed by the day. */
export interface UsageDayList {
  /** Days with any use, the newest first. */
  readonly data: readonly UsageDay[];
  /** The sum over all of it. */
  readonly total: {
    /** Calls. */
    readonly calls: number;
    /** Failures. */
    readonly failures: number;
    /** Replays. */
    readonly replays: number;
    /** An amount of credits as a decimal text with at most six places. */
    readonly credits: string;
  };
}

/** One page of usage, the newest row first. */
export interface UsagePage {
  /** The entries of this page. */
  readonly data: readonly UsageRow[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** What was used from one moment to the next. */
export interface UsagePoint {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** Whose point it is; absent with by=none. */
  readonly key?: string;
  /** Everything asked for but replays. */
  readonly calls: number;
  /** Those of the calls that did not succeed. */
  readonly failures: number;
  /** Answers repeated under their key. */
  readonly replays: number;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
  /** Half of the calls took at most this long, to within 5 %; null where it was not asked for. */
  readonly p50_ms: number | null;
  /** 19 of 20 calls took at most this long, to within 5 %; null where it was not asked for. */
  readonly p95_ms: number | null;
}

/** One use of something. */
export interface UsageRow {
  /** A UUID, lower case. */
  readonly id: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** The request it belongs to, as its answer named it. */
  readonly request_id: string | null;
  /** The call; a replay names the call it repeats. */
  readonly call_id: string | null;
  /** The key that asked; null for a person. */
  readonly api_key_id: string | null;
  /** What was asked for: model:provider/model, partner:operation, node:class. */
  readonly subject: string;
  /** `succeeded`, or the word for what went wrong. */
  readonly outcome: string;
  /** The HTTP status of the answer, if there was one. */
  readonly status: number | null;
  /** An amount of credits as a decimal text with at most six places. */
  readonly credits: string;
  /** The answer repeats an earlier one under the same key; it cost nothing. */
  readonly replayed: boolean;
  /** From the request to its answer, in milliseconds. */
  readonly total_ms: number;
  /** The provider's part of it, if one was asked. */
  readonly provider_ms: number | null;
  /** With a call that failed because a provider or partner did not accept the account it was asked with: which one. */
  readonly refused_by: string | null;
  /** With `refused_by`: its status. */
  readonly provider_status: number | null;
  /** With `refused_by`: what it said, without the credential. */
  readonly provider_words: string | null;
  /** With `refused_by`: who can mend that. */
  readonly advice: string | null;
}

/** Usage over time. */
export interface UsageSeries {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** How long a point is, in UTC. */
  readonly step: "minute" | "hour" | "day";
  /** What is summed apart. */
  readonly by: "none" | "subject" | "outcome" | "api_key_id" | "family";
  /** Points with any use, the oldest first. */
  readonly data: readonly UsagePoint[];
  /** The sums of the groups, the largest first and `other` last; empty with by=none. */
  readonly groups: readonly {
    /** The group; `person` for what no key asked. */
    readonly key: string;
    /** Everything asked for but replays. */
    readonly calls: number;
    /** Those of the calls that did not succeed. */
    readonly failures: number;
    /** Answers repeated under their key. */
    readonly replays: number;
    /** An amount of credits as a decimal text with at most six places. */
    readonly credits: string;
  }[];
  /** Over everything that was asked for. */
  readonly total: {
    /** Everything asked for but replays. */
    readonly calls: number;
    /** Those of the calls that did not succeed. */
    readonly failures: number;
    /** Answers repeated under their key. */
    readonly replays: number;
    /** An amount of credits as a decimal text with at most six places. */
    readonly credits: string;
    /** Half of the calls took at most this long, to within 5 %; null where it was not asked for. */
    readonly p50_ms: number | null;
    /** 19 of 20 calls took at most this long, to within 5 %; null where it was not asked for. */
    readonly p95_ms: number | null;
  };
}

/** Why a queued job does not run although its turn may have come: no worker that is here can run its graph. It begins by itself when one comes. */
export interface WaitingFor {
  /** What it waits for: a worker that can run its graph. */
  readonly reason: "worker";
  /** Node classes of its graph that no worker has that is here; all of its classes where workers have each of them and none has all. */
  readonly node_classes: readonly string[];
  /** Files of weights in its graph that no worker has that is here. */
  readonly models: readonly string[];
  /** When a worker that could run it was here last; null: none is remembered. */
  readonly last_seen_at: string | null;
}

/** One attempt of a delivery. */
export interface WebhookAttempt {
  readonly number: number;
  /** Asked for by a person; outside the schedule. */
  readonly manual: boolean;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  readonly duration_ms: number;
  /** What the receiver answered; null: nothing. */
  readonly status: number | null;
  /** Why it does not count as taken. */
  readonly error: string | null;
}

/** The record of one delivery. */
export interface WebhookDelivery {
  /** A UUID, lower case. */
  readonly id: string;
  /** The task, prompt or job it tells about. */
  readonly subject_id: string;
  /** Which change of it. */
  readonly sequence: number;
  /** What happened: job.succeeded, partner_task.completed, webhook.test. The body carries it too. */
  readonly type: string;
  /** Where it goes. */
  readonly url: string;
  readonly status: WebhookDeliveryStatus;
  /** How often it was tried. */
  readonly attempts: number;
  /** When it is tried again. */
  readonly next_attempt_at: string | null;
  /** What the receiver answered last. */
  readonly last_status: number | null;
  /** Why the last attempt failed. */
  readonly last_error: string | null;
  /** How long the last attempt took. */
  readonly last_duration_ms: number | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When the receiver took it. */
  readonly delivered_at: string | null;
}

/** One delivery with its body and its attempts. */
export interface WebhookDeliveryDetail {
  /** A UUID, lower case. */
  readonly id: string;
  /** The task, prompt or job it tells about. */
  readonly subject_id: string;
  /** Which change of it. */
  readonly sequence: number;
  /** What happened: job.succeeded, partner_task.completed, webhook.test. The body carries it too. */
  readonly type: string;
  /** Where it goes. */
  readonly url: string;
  readonly status: WebhookDeliveryStatus;
  /** How often it was tried. */
  readonly attempts: number;
  /** When it is tried again. */
  readonly next_attempt_at: string | null;
  /** What the receiver answered last. */
  readonly last_status: number | null;
  /** Why the last attempt failed. */
  readonly last_error: string | null;
  /** How long the last attempt took. */
  readonly last_duration_ms: number | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When the receiver took it. */
  readonly delivered_at: string | null;
  /** The body that every attempt sends, as text. */
  readonly body: string;
  /** Every attempt, the first one first. */
  readonly attempt_log: readonly WebhookAttempt[];
}

/** One page of deliveries, newest first. */
export interface WebhookDeliveryPage {
  /** The entries of this page. */
  readonly data: readonly WebhookDelivery[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** How far the delivery is. */
export type WebhookDeliveryStatus = "pending" | "sending" | "delivered" | "dead" | "gone";

/** A receiver that failed last time. */
export interface WebhookReceiver {
  /** Scheme, host and port. */
  readonly receiver: string;
  /** How often it failed in a row. */
  readonly failures: number;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly failing_since: string;
  /** After five failures: when the next attempt may be made. */
  readonly resting_until: string | null;
  /** After five days without a success: since when nothing is sent to it. */
  readonly disabled_at: string | null;
}

/** Receivers that failed last time, the longest first; none: all is well. */
export interface WebhookReceiverList {
  readonly data: readonly WebhookReceiver[];
}

/** What a workspace's deliveries are signed with. */
export interface WebhookSecret {
  /** A UUID, lower case. */
  readonly id: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops signing; null: it is the current one. */
  readonly signs_until: string | null;
  /** Shown when it is made; keep it. */
  readonly secret: string;
}

/** The workspace's webhook secrets without their text, newest first. */
export interface WebhookSecretList {
  readonly data: readonly {
    /** A UUID, lower case. */
    readonly id: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly created_at: string;
    /** When it stops signing; null: it is the current one. */
    readonly signs_until: string | null;
  }[];
}

/** Receivers on this machine that webhooks may reach. Only a server for development has any. */
export interface WebhookTargets {
  /** Whether this server is for development, so that targets can be opened. */
  readonly may_open: boolean;
  /** Named by ATELIER_WEBHOOK_TARGETS at the start. */
  readonly configured: readonly string[];
  /** Opened while the server runs. */
  readonly opened: readonly string[];
}

/** Who saved a version. */
export interface WorkflowAuthor {
  /** A signed-in person or an API key. */
  readonly kind: "person" | "key";
  /** A UUID, lower case. */
  readonly id: string;
  /** Null if the person or key is gone. */
  readonly name: string | null;
}

/** One difference between two versions. */
export interface WorkflowChange {
  /** What happened to the node. */
  readonly kind: "node_added" | "node_removed" | "class_changed" | "title_changed" | "input_added" | "input_removed" | "input_changed" | "link_changed";
  /** The node's id; inside a subgraph, after the id of the subgraph and a colon. */
  readonly node_id: string;
  /** The node's class; the later one if it changed. */
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
  /** Counts from 1, without gaps. */
  readonly from: number;
  /** Counts from 1, without gaps. */
  readonly to: number;
  /** By node, in the order of the later version. */
  readonly changes: readonly WorkflowChange[];
  /** False if there are more changes than are listed. */
  readonly is_complete: boolean;
  /** True if the nodes do the same. The documents may still differ in positions, colours or notes. */
  readonly is_same: boolean;
}

/** A failure of the v2 workflow API. */
export interface WorkflowError {
  readonly error: {
    /** A stable code to branch on; new ones may be added. */
    readonly code: string;
    /** What went wrong, for people. */
    readonly message: string;
    /** Particulars: node_errors by node id for a refused graph, missing_ids for missing assets. */
    readonly details?: { readonly [name: string]: unknown } | null;
  };
}

/** A workflow in API format: nodes by id. */
export type WorkflowGraph = { readonly [name: string]: GraphNode };

/** Whether the v2 API answers. */
export interface WorkflowHealth {
  /** degraded: jobs are taken but cannot run now. */
  readonly status: "healthy" | "degraded";
  /** The server's version. */
  readonly version?: string;
  /** Where the application is, on a self-hosted surface. */
  readonly upstream?: string;
  /** How the application was last seen; it is not asked now. */
  readonly upstream_state?: "unknown" | "up" | "down";
}

/** Where v2 begins here: links relative to the host. */
export interface WorkflowIndex {
  readonly version: "v2";
  readonly urls: WorkflowUrls;
}

/** The latest job that ran it and succeeded. */
export interface WorkflowRun {
  /** A UUID, lower case. */
  readonly id: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly finished_at: string;
  /** The asset of its first picture. */
  readonly picture: string | null;
}

/** Where to go from here; what this surface does not have is absent. */
export interface WorkflowUrls {
  /** This index. */
  readonly self: string;
  /** GET lists jobs, POST submits a workflow. */
  readonly jobs: string;
  /** POST here to cancel several jobs. */
  readonly cancel_jobs: string;
  /** GET lists assets, POST uploads one. */
  readonly assets: string;
  /** POST here what the workspace has already, by its hash. */
  readonly assets_from_hash: string;
  /** POST here a file of the application beside this surface. */
  readonly assets_from_path?: string;
  /** POST here to begin a resumable upload. */
  readonly uploads: string;
  /** What graphs can be made of. */
  readonly node_classes: string;
  /** POST here an editor's workflow to have it in API format. */
  readonly convert_workflow: string;
  /** The newest executed graph. */
  readonly executed_workflow?: string;
  /** Whether v2 answers. */
  readonly health: string;
  /** The OpenAPI document of this surface. */
  readonly openapi: string;
}

/** One version of a saved workflow. It never changes. */
export interface WorkflowVersion {
  /** Counts from 1, without gaps. */
  readonly version: number;
  /** editor: as the graph editor saves it. api: nodes by id, as jobs run it. */
  readonly format: "editor" | "api";
  /** Nodes in it. */
  readonly nodes: number;
  /** Bytes of the document. */
  readonly bytes: number;
  /** SHA-256 of the document's bytes. */
  readonly sha256: string;
  /** Why it was made. */
  readonly note: string | null;
  /** The version it repeats, if it was restored. */
  readonly restored_from: number | null;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** Who saved it; null if the server did. */
  readonly created_by: WorkflowAuthor | null;
}

/** A page of versions, the latest first. */
export interface WorkflowVersionList {
  /** The entries of this page. */
  readonly data: readonly WorkflowVersion[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** Who owns keys, credits, entitlements, jobs and assets. */
export interface Workspace {
  /** A UUID, lower case. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly role?: WorkspaceRole;
  readonly credits?: {
    /** An amount of credits as a decimal text with at most six places. */
    readonly available: string;
    /** An amount of credits as a decimal text with at most six places. */
    readonly held: string;
  };
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** The workspaces the caller can act in, with the role in each. */
export interface WorkspaceList {
  readonly data: readonly Workspace[];
}

/** What a person may do: owners manage, members use, operators run the service. */
export type WorkspaceRole = "owner" | "member" | "operator";
