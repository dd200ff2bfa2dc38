// Made from the contract by `npm run openapi`; a test compares. The operations as the console calls them.
import type {
  AcceptedModelRequest,
  Account,
  AccountKey,
  AccountKeyList,
  AccountMember,
  AccountMemberList,
  AccountModelList,
  AccountQueue,
  AccountRequest,
  AccountSessionList,
  AddMember,
  AddedMember,
  AskEstimate,
  Asset,
  AssetFromHash,
  AssetFromPath,
  AssetPage,
  AssetTags,
  Badge,
  BadgeMap,
  BadgePlatform,
  BlobHash,
  BulkNodeVersions,
  BulkNodeVersionsRequest,
  CancelJobs,
  CanceledJob,
  CanceledJobs,
  CatalogPage,
  ChangeSavedWorkflow,
  ClaimNode,
  ConsoleConfig,
  ConvertWorkflow,
  ConvertedWorkflow,
  CreateKey,
  CreateNode,
  CreatePublisher,
  CreatePublisherMember,
  CreatePublisherToken,
  CreatedAccountKey,
  CreatedPublisherToken,
  CreditBalance,
  CreditLinePage,
  Cursor,
  DescriptorPage,
  DescriptorSearchPage,
  DuplicateWorkflow,
  EditPermission,
  EndedSessions,
  ErrorGroupList,
  FoundThings,
  GraphEstimate,
  Health,
  ImageToVideoRequest,
  Index,
  InputSchemaDocument,
  InviteAgain,
  Job,
  JobChargeList,
  JobCharges,
  JobPage,
  JobState,
  JobWorkflow,
  JsonRpcMessage,
  KeepModelOutput,
  KeptModelOutput,
  KeyCaps,
  KeySet,
  ModelDetail,
  ModelEstimate,
  ModelId,
  ModelInput,
  ModelOutput,
  ModelRequest,
  ModelRequestPage,
  ModelRequestStatus,
  ModelSegment,
  ModelStatsList,
  NameWorkspace,
  Node,
  NodeClass,
  NodeClassPage,
  NodeDescriptor,
  NodeId,
  NodePage,
  NodeStatus,
  NodeVersion,
  NodeVersionPage,
  NodeVersionReview,
  NodeVersionStatus,
  ObjectInfo,
  OpenApiDocument,
  PartnerATaskResult,
  PartnerBPrompt,
  ProviderCredential,
  ProviderCredentialList,
  ProviderSegment,
  PublishNodeVersion,
  PublishedNodeVersion,
  Publisher,
  PublisherAvailability,
  PublisherId,
  PublisherList,
  PublisherMember,
  PublisherToken,
  PutProviderCredential,
  Readiness,
  RegistryUser,
  ReleaseNoteList,
  RelightRequest,
  RemovedMember,
  ReplaceWebhookTargets,
  RotateKey,
  RotateWebhookSecret,
  SaveWorkflow,
  SaveWorkflowVersion,
  SavedWorkflow,
  SavedWorkflowList,
  SendTestWebhook,
  SetAccountQueue,
  SetKeyCaps,
  SignInLink,
  SignInLook,
  SkinEnhancerCreativeRequest,
  SkinEnhancerFaithfulRequest,
  SkinEnhancerFlexibleRequest,
  StorageRequest,
  StorageTicket,
  SubmitJob,
  TextToVideoRequest,
  TranslationsOfNode,
  UpdateDescriptor,
  UpdateMember,
  UpdateNode,
  UpdateNodeVersion,
  UpdatePublisher,
  UploadedArchive,
  UsageDayList,
  UsagePage,
  UsageSeries,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryStatus,
  WebhookReceiverList,
  WebhookSecret,
  WebhookSecretList,
  WebhookTargets,
  WorkflowDiff,
  WorkflowHealth,
  WorkflowIndex,
  WorkflowVersion,
  WorkflowVersionList,
  Workspace,
  WorkspaceList,
} from "@atelier/sdk";
import type { Operation } from "../operation.ts";

/** A person of this installation as operators see them. */
export interface AdminPerson {
  /** A UUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** For people to recognise each other; nothing is sent to it. */
  readonly email: string | null;
  /** Whether they may use the admin side. */
  readonly is_operator: boolean;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** One page of all people. */
export interface AdminPersonPage {
  /** The entries of this page. */
  readonly data: readonly AdminPerson[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** A provider as operators see it. */
export interface AdminProvider {
  /** The provider's name. */
  readonly provider: string;
  /** Where the definition that counts comes from. Admin stands before file, file before built_in. */
  readonly source: "admin" | "file" | "built_in";
  /** Where further definitions of the same provider come from; they do not count. */
  readonly hidden_sources: readonly string[];
  /** The version of the definition; with source admin it is the ETag. Null for the sandbox. */
  readonly version: number | null;
  /** When an operator wrote it; null for other sources. */
  readonly updated_at: string | null;
  /** False: stored by another release of the server, not served by this one. */
  readonly readable: boolean;
  /** The name of the setting that holds the credential; null: it needs none. The value is never shown. */
  readonly credential_setting: string | null;
  /** Whether the process that answers has the credential, for every host of the definition. */
  readonly credential_configured: boolean;
  /** Its models. */
  readonly models: readonly ModelRelease[];
}

/** All providers. */
export interface AdminProviderList {
  /** Every provider, in order of names. */
  readonly data: readonly AdminProvider[];
}

/** A provider with its definition. */
export interface AdminProviderRecord {
  /** The provider's name. */
  readonly provider: string;
  /** Where the definition that counts comes from. Admin stands before file, file before built_in. */
  readonly source: "admin" | "file" | "built_in";
  /** Where further definitions of the same provider come from; they do not count. */
  readonly hidden_sources: readonly string[];
  /** The version of the definition; with source admin it is the ETag. Null for the sandbox. */
  readonly version: number | null;
  /** When an operator wrote it; null for other sources. */
  readonly updated_at: string | null;
  /** False: stored by another release of the server, not served by this one. */
  readonly readable: boolean;
  /** The name of the setting that holds the credential; null: it needs none. The value is never shown. */
  readonly credential_setting: string | null;
  /** Whether the process that answers has the credential, for every host of the definition. */
  readonly credential_configured: boolean;
  /** Its models. */
  readonly models: readonly ModelRelease[];
  /** The whole definition; null when not readable. */
  readonly definition: unknown;
}

/** An operator's token as it is listed. The token itself is stored nowhere, only a hash of it. */
export interface AdminToken {
  /** A UUID; `environment` for the token that is set by ATELIER_ADMIN_TOKEN. */
  readonly id: string;
  /** Who or what uses it; the audit names it. */
  readonly name: string;
  /** When it was made; null for `environment`. */
  readonly created_at: string | null;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** When it was used last, about; null: never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it works. */
  readonly revoked_at: string | null;
}

/** All operators' tokens. */
export interface AdminTokenList {
  /** Every token, revoked ones included, the newest first. */
  readonly data: readonly AdminToken[];
}

/** A workspace as operators see it. */
export interface AdminWorkspace {
  /** A UUID, lower case. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** One page of all workspaces. */
export interface AdminWorkspacePage {
  /** The entries of this page. */
  readonly data: readonly AdminWorkspace[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** One line of the append-only audit. */
export interface AuditEntry {
  /** A UUID, lower case. */
  readonly id: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** Who did it. */
  readonly actor: {
    readonly kind: "person" | "api_key" | "admin_token" | "system";
    /** Who, by id or by name. */
    readonly id: string;
    /** Who, for people. */
    readonly name?: string;
  };
  /** What was done, as thing.verb. */
  readonly action: string;
  /** What it was done to. */
  readonly subject: {
    readonly kind: string;
    readonly id: string;
  };
  /** The workspace it concerns, if one. */
  readonly workspace_id: string | null;
  /** How it was; null when it did not exist. Secrets never stand here. */
  readonly before: unknown;
  /** How it is now; null when it is gone. */
  readonly after: unknown;
  /** The request that did it. */
  readonly request_id: string | null;
}

/** One page of the audit, the newest entry first. */
export interface AuditPage {
  /** The entries of this page. */
  readonly data: readonly AuditEntry[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** A process of the service that was seen within the last minute. */
export interface BackgroundProcess {
  /** A UUID, lower case. */
  readonly id: string;
  /** Which process: its command, machine and process id. */
  readonly name: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
  readonly works: readonly BackgroundWork[];
  /** One sentence for each work that fails or stands still. */
  readonly problems: readonly string[];
}

/** Every process of the service, the oldest first. */
export interface BackgroundProcessList {
  readonly data: readonly BackgroundProcess[];
}

/** One thing that a process does again and again. */
export interface BackgroundWork {
  /** Whose work it is and what it does, as owner: work. */
  readonly name: string;
  /** From the end of one round to the beginning of the next. */
  readonly every_seconds: number;
  /** Whether a round is under way. */
  readonly is_running: boolean;
  /** Rounds since the process started. */
  readonly rounds: number;
  /** Rounds that failed since the process started. */
  readonly failures: number;
  /** The newest round that ended; absent before the first. */
  readonly last?: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly started_at: string;
    readonly duration_ms: number;
    readonly result: "succeeded" | "failed";
    /** With failed: what went wrong. */
    readonly problem?: string;
  };
}

/** One thing the write-time check has to say about a badge. */
export interface BadgeFinding {
  /** An error keeps the badge from being stored. */
  readonly severity: "error" | "warning";
  /** A stable code; syntax errors carry the expression library's own. */
  readonly code: string;
  /** What is wrong and how to mend it, for people. */
  readonly message: string;
  /** The character of expr it was found at. */
  readonly position?: number;
  /** The piece of expr it was found at. */
  readonly token?: string;
  /** The member of the row it is about, as a JSON pointer. */
  readonly path?: string;
}

/** The price badge of one node, to be proven. */
export interface BadgeInput {
  /** The language of expr. */
  readonly engine: "jsonata";
  /** Everything the expression looks at; all three lists are always present. */
  readonly depends_on: {
    readonly widgets: readonly {
      readonly name: string;
      readonly type: string;
    }[];
    readonly inputs: readonly string[];
    readonly input_groups: readonly string[];
  };
  /** A JSONata expression over widgets, inputs and inputGroups that gives a price. */
  readonly expr: string;
}

/** What a badge's expression gives. */
export type BadgePrice = FixedPrice | RangePrice | ListPrice | TextPrice;

/** A state of the node that the expression is evaluated in. */
export interface BadgeProbe {
  readonly widgets?: { readonly [name: string]: unknown };
  readonly inputs?: { readonly [name: string]: {
    readonly connected: boolean;
  } };
  readonly inputGroups?: { readonly [name: string]: number };
}

/** A stored badge with the versions and platforms it is for. */
export interface BadgeRow {
  /** A UUID, lower case. */
  readonly id: string;
  /** The node the badge belongs to. */
  readonly node_id: string;
  /** The platforms the badge is shown on. */
  readonly platforms: readonly BadgePlatform[];
  readonly from_version: BadgeVersion;
  readonly badge: Badge;
  /** The first version the badge is no longer for; null: open. */
  readonly until_version: BadgeVersion | null;
  /** True: shown to nobody any more, whatever the version. */
  readonly ended: boolean;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** A badge to store. Rows of one node and platform may not overlap in their versions. */
export interface BadgeRowInput {
  /** The node the badge belongs to: without blanks around it. */
  readonly node_id: string;
  /** The platforms the badge is shown on. */
  readonly platforms: readonly BadgePlatform[];
  readonly from_version: BadgeVersion;
  readonly badge: BadgeInput;
  /** The first version the badge is no longer for; null or absent leaves the end open. */
  readonly until_version?: BadgeVersion | null;
}

/** One page of stored badges, by node id and version. */
export interface BadgeRowPage {
  /** The entries of this page. */
  readonly data: readonly BadgeRow[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** The badge evaluated in one state of the node. */
export interface BadgeSample {
  readonly probe: BadgeProbe;
  /** The price, or null when there was none. */
  readonly price: BadgePrice | null;
  /** The badge as a client would show it. */
  readonly label: string | null;
  readonly error?: {
    /** Why there was no price. */
    readonly code: string;
    /** The same for people. */
    readonly message: string;
  };
}

/** A client version, exactly major.minor.patch. */
export type BadgeVersion = string;

/** Why something is banned. */
export interface BanReason {
  /** Why; told to the publisher. */
  readonly reason?: string;
}

/** The workspace that the browser looks at from now on. */
export interface ChooseWorkspace {
  /** A UUID, lower case. */
  readonly workspace_id: string;
}

/** A wish for an operator's token. */
export interface CreateAdminToken {
  /** Display name. */
  readonly name: string;
  /** When it stops working; absent or null: never. */
  readonly expires_at?: string | null;
}

/** A wish for a deployment. Absent: no workers kept, at most one, one job each, open to every workspace. */
export interface CreateDeployment {
  /** Display name. */
  readonly name: string;
  readonly environment: DeploymentEnvironmentWish;
  /** Workers that an autoscaler keeps without any work; 0 scales to zero. */
  readonly workers_min?: number;
  /** Workers that an autoscaler never exceeds. */
  readonly workers_max?: number;
  /** Unfinished jobs that one worker is wanted for. */
  readonly jobs_per_worker?: number;
  /** The only workspace whose keys may use it; null: every workspace of this server. */
  readonly workspace_id?: string | null;
  /** An https URL of a public host. Told whenever workers_wanted changes, signed with the secret of workspace_id, which it needs. */
  readonly scale_webhook_url?: string | null;
}

/** A wish for a worker's token. */
export interface CreateWorkerToken {
  /** For people. */
  readonly name: string;
  /** Absent: the shared pool alone. */
  readonly pool_ids?: readonly string[];
  /** When it stops working; absent or null: never. */
  readonly expires_at?: string | null;
}

/** A wish for a workspace. */
export interface CreateWorkspaceAsAdmin {
  /** Display name. */
  readonly name: string;
  /** The person who will own it. */
  readonly owner_id: string;
}

/** A new operator's token. */
export interface CreatedAdminToken {
  /** A UUID; `environment` for the token that is set by ATELIER_ADMIN_TOKEN. */
  readonly id: string;
  /** Who or what uses it; the audit names it. */
  readonly name: string;
  /** When it was made; null for `environment`. */
  readonly created_at: string | null;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** When it was used last, about; null: never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null: it works. */
  readonly revoked_at: string | null;
  /** The token itself, shown this one time. */
  readonly secret: string;
}

/** A new worker's token. */
export interface CreatedWorkerToken {
  /** A UUID, lower case. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The pools whose jobs it may take: the shared one, or a deployment's id. */
  readonly pool_ids: readonly string[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** Its last use, to the minute. */
  readonly last_used_at: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** The token itself, shown this one time. */
  readonly secret: string;
}

/** Credits were moved; the balance is the one of now. */
export interface CreditMove {
  /** A UUID, lower case. */
  readonly transaction_id: string;
  /** A UUID, lower case. */
  readonly workspace_id: string;
  /** An amount of credits as a decimal text with at most six places. */
  readonly amount: string;
  readonly credits: CreditBalance;
}

/** A dedicated deployment and how it stands. */
export interface Deployment {
  /** A UUID, lower case. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly environment: DeploymentEnvironment;
  /** Workers that an autoscaler keeps without any work; 0 scales to zero. */
  readonly workers_min: number;
  /** Workers that an autoscaler never exceeds. */
  readonly workers_max: number;
  /** Unfinished jobs that one worker is wanted for. */
  readonly jobs_per_worker: number;
  /** The only workspace whose keys may use it; null: every workspace of this server. */
  readonly workspace_id: string | null;
  /** An https URL of a public host. Told whenever workers_wanted changes, signed with the secret of workspace_id, which it needs. */
  readonly scale_webhook_url: string | null;
  /** provisioning: no matching worker is there, submissions are 429 deployment_not_ready. */
  readonly state: "provisioning" | "ready" | "stopped";
  /** Why it is not ready, in words; null when it is. */
  readonly reason: string | null;
  /** How many workers it needs now, between workers_min and workers_max; 0 when stopped. */
  readonly workers_wanted: number;
  /** Who reported within the last minute. */
  readonly workers: readonly DeploymentWorker[];
  /** Jobs that wait or run; counted no further than workers_max needs. */
  readonly unfinished_jobs: number;
  /** How it is addressed. */
  readonly urls: {
    /** What stands before /api/v2 on this host. */
    readonly mount: string;
    /** Its own address; null where none is set up. */
    readonly host: string | null;
  };
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** What every worker of the deployment has to be. A worker that differs is given no job. */
export interface DeploymentEnvironment {
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The engine's version that a worker must report; null: any. */
  readonly engine_version: string | null;
  /** The node classes that graphs may use, by name; null: every class that the engine knows. */
  readonly node_classes: { readonly [name: string]: string } | null;
  readonly settings: DeploymentSettings;
}

/** What every worker is to be. Absent: any version, every class that the engine knows, no bounds. */
export interface DeploymentEnvironmentWish {
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The engine's version that a worker must report; null: any. */
  readonly engine_version?: string | null;
  /** The node classes that graphs may use, by name; null: every class that the engine knows. */
  readonly node_classes?: { readonly [name: string]: string } | null;
  readonly settings?: DeploymentSettings;
}

/** One page of all deployments. */
export interface DeploymentPage {
  /** The entries of this page. */
  readonly data: readonly Deployment[];
  /** False on the last page; a short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size actually served. */
  readonly limit: number;
}

/** Bounds of a run; what is absent is as the worker's own settings say. */
export interface DeploymentSettings {
  /** How long one graph may run. */
  readonly job_seconds_max?: number;
  /** How much memory one graph may take. */
  readonly job_memory_megabytes_max?: number;
}

/** A worker that reported lately. */
export interface DeploymentWorker {
  /** A UUID, lower case. */
  readonly id: string;
  /** As the worker calls itself. */
  readonly name: string;
  /** Jobs it runs at once. */
  readonly slots: number;
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The version of its engine. */
  readonly engine_version: string;
  /** Whether it is what the environment says. */
  readonly matches: boolean;
  /** Why it does not match; at most 20. */
  readonly problems: readonly string[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
}

/** Nothing more needs to be said. */
export interface EmptyBody {
}

/** With until_version the badge ends at that version; without it, at once and for every version. */
export interface EndBadgeRow {
  readonly until_version?: BadgeVersion;
}

/** All descriptors of a version, as an extractor found them. */
export interface ExtractedDescriptors {
  /** False: the extraction failed. */
  readonly success?: boolean;
  /** The extractor's own word for the outcome. */
  readonly status?: string;
  /** Why it failed. */
  readonly reason?: string;
  readonly cloud_build_info?: { readonly [name: string]: unknown };
  /** Descriptors by name. */
  readonly nodes?: { readonly [name: string]: UpdateDescriptor };
}

/** One amount. */
export interface FixedPrice {
  readonly type: "usd";
  /** US dollars. */
  readonly usd: number;
  readonly format?: PriceFormat;
}

/** A short-lived operator token. */
export interface GeneratedToken {
  readonly token: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** A person's token for one workspace, good for 15 minutes. */
export interface IdentityToken {
  /** A cloud identity JWT for Authorization: Bearer. */
  readonly token: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** One of several amounts; they are alternatives, not a sum. */
export interface ListPrice {
  readonly type: "list_usd";
  readonly usd: readonly number[];
  readonly format?: PriceFormat;
}

/** Whether a model is released and served. */
export interface ModelRelease {
  /** The model's canonical id, provider/model. */
  readonly id: string;
  /** What counts: the operator's word, else the definition's. */
  readonly released: boolean;
  /** What an operator said; null: the definition's own word counts. */
  readonly release_override: boolean | null;
  /** Whether it is listed and runs: released, not past its sunset, and the credential is configured. */
  readonly served: boolean;
  /** Since when callers are asked to move on. */
  readonly deprecated_at: string | null;
  /** From when on it is gone. */
  readonly sunset_at: string | null;
  /** When `atelier models check --live` last succeeded with this definition; null: never. */
  readonly verified: string | null;
}

/** How many credits to put in or take out. */
export interface MoveCredits {
  /** An amount of credits above 0, as a decimal text with at most six places. */
  readonly amount: string;
  /** Why; the audit keeps it. */
  readonly note?: string;
}

/** A worker that is here now. */
export interface PoolWorker {
  /** A UUID, lower case. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** What runs its graphs. */
  readonly engine: "embedded" | "application";
  /** The engine's version. */
  readonly version: string;
  /** How many jobs it takes at once. */
  readonly slots: number;
  /** How many node classes it knows. */
  readonly node_classes: number;
  /** Models that it would not have to load first. */
  readonly models_loaded: readonly string[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
}

/** The workers of a pool. */
export interface PoolWorkerList {
  /** Those that were seen within a minute. */
  readonly data: readonly PoolWorker[];
}

/** How a price is written. */
export interface PriceFormat {
  /** What follows the amount; /Run if absent. */
  readonly suffix?: string;
  /** A remark after the price. */
  readonly note?: string;
  /** Marks the price as an estimate. */
  readonly approximate?: boolean;
  /** What stands between the amounts of a list. */
  readonly separator?: string;
}

/** Whether a provider answers and takes the credential. */
export interface ProviderCheck {
  /** refused: it does not take the credential; not_checked: there is none here, or nothing to ask. */
  readonly status: "ok" | "refused" | "failing" | "not_checked";
  /** How long it took; null: it was not asked. */
  readonly ms: number | null;
  /** What was found, in our words. */
  readonly words: string;
}

/** A provider as data. Members that the server does not know are refused. */
export interface ProviderDefinition {
  /** The provider's name. */
  readonly provider: string;
  /** Where it is; a public host over https. */
  readonly base_url: string;
  /** How we prove who we are; names a setting and holds no secret. */
  readonly credential: {
    /** In which form. */
    readonly kind: "none" | "bearer" | "header" | "key_pair" | "jwt_hs256";
  };
  /** How each model is sent, followed, read and paid for; see docs/PROVIDER-DEFINITIONS.md. */
  readonly models: readonly {
    /** The model's own name. */
    readonly model: string;
  }[];
}

/** A credential of this server to store. */
export interface PutServerCredential {
  /** The key as the provider gave it; id:secret where it gave a pair. It is never shown again. */
  readonly value: string;
}

/** An amount between two bounds, both included. */
export interface RangePrice {
  readonly type: "range_usd";
  /** US dollars. */
  readonly min_usd: number;
  /** US dollars. */
  readonly max_usd: number;
  readonly format?: PriceFormat;
}

/** Why a call is refunded. */
export interface RefundCall {
  /** Why; the audit keeps it. */
  readonly note?: string;
}

/** A credential of this server that was not accepted elsewhere. */
export interface RefusedCredential {
  /** The provider or partner, as usage names it. */
  readonly refused_by: string;
  /** The variable that holds the credential. */
  readonly setting: string;
  /** The status of the newest refusal. */
  readonly provider_status: number;
  /** What it said, without the credential. */
  readonly provider_words: string | null;
  /** Refusals so far, at least. */
  readonly times: number;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
}

/** Refused credentials, the newest refusal first. */
export interface RefusedCredentialList {
  readonly data: readonly RefusedCredential[];
}

/** What an operator changes in a node; absent fields stay. */
export interface ReviewNode {
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
  readonly status?: NodeStatus;
  /** Why; told to the publisher. */
  readonly status_detail?: string;
  readonly tags_admin?: readonly string[];
  readonly search_ranking?: number;
  readonly preempted_svc_node_names?: readonly string[];
}

/** What an operator decides about a version; absent fields stay. */
export interface ReviewNodeVersion {
  readonly status?: NodeVersionStatus;
  /** Why; told to the publisher. */
  readonly status_reason?: string;
  /** Names moves that can be taken back together; the caller chooses it. */
  readonly batch_id?: string;
  readonly tags_admin?: readonly string[];
  /** Accelerators it runs on, for example CUDA, DirectML, ROCm. */
  readonly supported_accelerators?: readonly string[];
  /** Operating systems it runs on. */
  readonly supported_os?: readonly string[];
  /** Versions of the application it works with. */
  readonly supported_app_version?: string;
  /** Versions of the application's frontend it works with. */
  readonly supported_app_frontend_version?: string;
}

/** Whether this server has a credential at a provider, and where from. The value is never shown. */
export interface ServerCredential {
  /** The provider's name. */
  readonly provider: string;
  /** The variable that would hold it. */
  readonly setting: string;
  /** environment: the variable is set, which comes first; stored: an operator entered it; made: by the server itself, for the sandbox. */
  readonly source: "environment" | "stored" | "made" | "none";
  /** How many models the provider has. */
  readonly models: number;
  /** When an operator entered it; null for other sources. */
  readonly updated_at: string | null;
}

/** This server's credentials, without their text. */
export interface ServerCredentialList {
  /** Every provider that needs one, in order of names. */
  readonly data: readonly ServerCredential[];
}

/** A wish to release a model or to take it back. */
export interface SetModelRelease {
  /** Whether the model is released; null gives its definition the word again. */
  readonly released: boolean | null;
}

/** When a model is deprecated and when it goes. */
export interface SetModelRetirement {
  /** Since when callers are asked to move on; null gives its definition the word again. */
  readonly deprecated_at: string | null;
  /** From when on the model answers 404. At least 90 days after deprecated_at. */
  readonly sunset_at?: string | null;
}

/** Whether a person is an operator. */
export interface SetOperator {
  /** As it is already changes nothing. */
  readonly is_operator: boolean;
}

/** A limit for one workspace. */
export interface SetWorkspaceLimit {
  /** What applies to this workspace instead of the default. 0 closes a quota; other limits need 1 or more. */
  readonly value: number;
  /** Why; the audit keeps it. */
  readonly reason?: string;
}

/** One thing that was looked at. */
export interface SystemCheck {
  /** What was looked at; several findings may have one name. */
  readonly name: string;
  /** problem: something does not work. */
  readonly status: "ok" | "warning" | "problem";
  /** What was found, without secrets. */
  readonly message: string;
  /** What to do about it, with the setting or command by name; null where all is well. */
  readonly advice: string | null;
}

/** Everything that was looked at, and when. */
export interface SystemCheckList {
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly checked_at: string;
  /** The server's version. */
  readonly version: string;
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at: string;
  /** The findings, in the order in which they were made. */
  readonly data: readonly SystemCheck[];
}

/** A price that only words can tell. */
export interface TextPrice {
  readonly type: "text";
  /** Shown as it is. */
  readonly text: string;
}

/** What the write-time check found, and the prices the badge gives. */
export interface TriedBadge {
  /** True when the badge would be stored: no finding is an error. */
  readonly accepted: boolean;
  readonly findings: readonly BadgeFinding[];
  /** Empty when the expression did not compile. */
  readonly samples: readonly BadgeSample[];
}

/** A badge to prove without storing it. */
export interface TryBadge {
  /** Checks the badge against this node's descriptor. */
  readonly node_id?: string;
  /** The badge to try, in any shape: what is wrong with it comes back as findings. */
  readonly badge: unknown;
  readonly platforms?: readonly BadgePlatform[];
  readonly from_version?: BadgeVersion;
  readonly until_version?: BadgeVersion | null;
  /** States to evaluate besides the ones we choose. */
  readonly probes?: readonly BadgeProbe[];
}

/** What changes; the rest stays. An environment is replaced whole. */
export interface UpdateDeployment {
  /** Display name. */
  readonly name?: string;
  readonly environment?: DeploymentEnvironmentWish;
  /** Workers that an autoscaler keeps without any work; 0 scales to zero. */
  readonly workers_min?: number;
  /** Workers that an autoscaler never exceeds. */
  readonly workers_max?: number;
  /** Unfinished jobs that one worker is wanted for. */
  readonly jobs_per_worker?: number;
  /** The only workspace whose keys may use it; null: every workspace of this server. */
  readonly workspace_id?: string | null;
  /** An https URL of a public host. Told whenever workers_wanted changes, signed with the secret of workspace_id, which it needs. */
  readonly scale_webhook_url?: string | null;
}

/** A worker's token as it is listed. The token itself is stored nowhere, only a hash of it. */
export interface WorkerToken {
  /** A UUID, lower case. */
  readonly id: string;
  /** For people. */
  readonly name: string;
  /** The pools whose jobs it may take: the shared one, or a deployment's id. */
  readonly pool_ids: readonly string[];
  /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it stops working; null: never. */
  readonly expires_at: string | null;
  /** Its last use, to the minute. */
  readonly last_used_at: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
}

/** All workers' tokens. */
export interface WorkerTokenList {
  /** Every token, revoked ones included, the newest first. */
  readonly data: readonly WorkerToken[];
}

/** One limit or quota of one workspace. */
export interface WorkspaceLimit {
  /** The limit's name. */
  readonly name: string;
  /** What kind of number it is. */
  readonly kind: "quota" | "rate" | "size" | "concurrency";
  /** What applies to this workspace. */
  readonly value: number;
  /** What applies where nothing was changed. */
  readonly default: number;
  /** Whether an operator changed it for this workspace. */
  readonly overridden: boolean;
  /** What it bounds, for people. */
  readonly description: string;
}

/** All limits and quotas of one workspace. */
export interface WorkspaceLimitList {
  /** Every limit, changed or not. */
  readonly data: readonly WorkspaceLimit[];
}

/** What a workspace may run. */
export interface WorkspaceModels {
  /** Whether the workspace may use the model router; false answers 403 not_enabled. */
  readonly router_enabled: boolean;
  /** Which models it may run; null: the installation's default. */
  readonly entitlements: readonly string[] | null;
}

/** Read the price badges of every node */
export const getBadges = "GET /nodes/pricing/badges" as Operation<{
  readonly query: {
    /** The client's version as major.minor.patch; nightly or anything unreadable means the latest. */
    readonly app_version: string;
    readonly platform: BadgePlatform;
  };
  readonly answer: BadgeMap;
}>;

/** List the stored badges */
export const listBadgeRows = "GET /admin/badges" as Operation<{
  readonly query?: {
    /** Only rows of this node. */
    readonly node_id?: string;
    readonly platform?: BadgePlatform;
    /** Only ended rows, or only the others. */
    readonly ended?: boolean;
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: BadgeRowPage;
}>;

/** Store a badge */
export const createBadgeRow = "POST /admin/badges" as Operation<{
  readonly json: BadgeRowInput;
  readonly answer: BadgeRow;
}>;

/** Replace a stored badge */
export const replaceBadgeRow = "PUT /admin/badges/{badgeRowId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly badgeRowId: string;
  };
  readonly json: BadgeRowInput;
  readonly answer: BadgeRow;
}>;

/** End a badge */
export const endBadgeRow = "POST /admin/badges/{badgeRowId}/end" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly badgeRowId: string;
  };
  readonly json?: EndBadgeRow;
  readonly answer: BadgeRow;
}>;

/** Remove a stored badge */
export const deleteBadgeRow = "DELETE /admin/badges/{badgeRowId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly badgeRowId: string;
  };
}>;

/** Prove a badge and see its prices */
export const tryBadge = "POST /admin/badges/dry-run" as Operation<{
  readonly json: TryBadge;
  readonly answer: TriedBadge;
}>;

/** List the released models */
export const listModels = "GET /v1/models" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: CatalogPage;
}>;

/** Look up one model */
export const getModel = "GET /v1/models/{provider}/{model}" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly answer: ModelDetail;
}>;

/** Run a model and wait for its result */
export const invokeModel = "POST /v1/models/{provider}/{model}" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly json: ModelInput;
  readonly answer: ModelOutput;
}>;

/** Ask what a call would cost */
export const estimateModel = "POST /v1/models/{provider}/{model}/estimate" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly json: ModelInput;
  readonly answer: ModelEstimate;
}>;

/** Read the document a model's input is checked against */
export const getInputSchema = "GET /v1/models/{provider}/{model}/openapi.json" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly answer: InputSchemaDocument;
}>;

/** Queue a model call */
export const submitModelRequest = "POST /v1/models/{provider}/{model}/requests" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly query?: {
    /** Told once, when the request has completed: https, on the port of https. */
    readonly webhook_url?: string;
  };
  readonly json: ModelInput;
  readonly answer: AcceptedModelRequest;
}>;

/** See how far a queued model call is */
export const getModelRequestStatus = "GET /v1/models/{provider}/{model}/requests/{request_id}/status" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
    /** The request. */
    readonly request_id: string;
  };
  readonly answer: ModelRequest;
}>;

/** Collect the result of a queued model call */
export const getModelRequestResult = "GET /v1/models/{provider}/{model}/requests/{request_id}" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
    /** The request. */
    readonly request_id: string;
  };
  readonly answer: ModelOutput | ModelRequest;
}>;

/** Cancel a queued model call */
export const cancelModelRequest = "PUT /v1/models/{provider}/{model}/requests/{request_id}/cancel" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
    /** The request. */
    readonly request_id: string;
  };
  readonly answer: ModelRequest;
}>;

/** List the workspace's queued model calls */
export const listModelRequests = "GET /v1/requests" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    readonly status?: ModelRequestStatus;
    readonly model?: ModelId;
  };
  readonly answer: ModelRequestPage;
}>;

/** Relight an image */
export const relightImage = "POST /proxy/partner-a/v1/ai/image-relight" as Operation<{
  readonly json: RelightRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Read a relight task */
export const getRelightTask = "GET /proxy/partner-a/v1/ai/image-relight/{task_id}" as Operation<{
  readonly params: {
    /** The task's id. */
    readonly task_id: string;
  };
  readonly answer: PartnerATaskResult;
}>;

/** Enhance skin towards a chosen aim */
export const enhanceSkinFlexible = "POST /proxy/partner-a/v1/ai/skin-enhancer/flexible" as Operation<{
  readonly json: SkinEnhancerFlexibleRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Enhance skin with a free hand */
export const enhanceSkinCreative = "POST /proxy/partner-a/v1/ai/skin-enhancer/creative" as Operation<{
  readonly json: SkinEnhancerCreativeRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Enhance skin close to the original */
export const enhanceSkinFaithful = "POST /proxy/partner-a/v1/ai/skin-enhancer/faithful" as Operation<{
  readonly json: SkinEnhancerFaithfulRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Read a skin enhancer task of any mode */
export const getSkinEnhancerTask = "GET /proxy/partner-a/v1/ai/skin-enhancer/{task_id}" as Operation<{
  readonly params: {
    /** The task's id. */
    readonly task_id: string;
  };
  readonly answer: PartnerATaskResult;
}>;

/** Make a video of a text */
export const createTextToVideoPrompt = "POST /proxy/partner-b/prompts/text-to-video" as Operation<{
  readonly json: TextToVideoRequest;
  readonly answer: PartnerBPrompt;
}>;

/** Make a video of an image */
export const createImageToVideoPrompt = "POST /proxy/partner-b/prompts/image-to-video" as Operation<{
  readonly json: ImageToVideoRequest;
  readonly answer: PartnerBPrompt;
}>;

/** Read a prompt */
export const getPrompt = "GET /proxy/partner-b/prompts/{prompt_id}" as Operation<{
  readonly params: {
    /** The prompt's id. */
    readonly prompt_id: string;
  };
  readonly answer: PartnerBPrompt;
}>;

/** Take a partner's word about a task */
export const receivePartnerCallback = "POST /callbacks/{partner}/{task_id}/{token}" as Operation<{
  readonly params: {
    /** The partner's name. */
    readonly partner: string;
    /** The task's id. */
    readonly task_id: string;
    /** Our signature of this address. */
    readonly token: string;
  };
  readonly json: unknown;
  readonly answer: {
  };
}>;

/** Ask where to put a file for a partner */
export const createStorageTicket = "POST /customers/storage" as Operation<{
  readonly json: StorageRequest;
  readonly answer: StorageTicket;
}>;

/** Read the caller as the registry knows them */
export const getRegistryUser = "GET /users" as Operation<{
  readonly answer: RegistryUser;
}>;

/** List the publishers the caller acts for */
export const listMyPublishers = "GET /users/publishers/" as Operation<{
  readonly answer: PublisherList;
}>;

/** List all publishers */
export const listPublishers = "GET /publishers" as Operation<{
  readonly answer: PublisherList;
}>;

/** Create a publisher */
export const createPublisher = "POST /publishers" as Operation<{
  readonly json: CreatePublisher;
  readonly answer: Publisher;
}>;

/** Ask whether a publisher id is free */
export const validatePublisherId = "GET /publishers/validate" as Operation<{
  readonly query: {
    readonly username: PublisherId;
  };
  readonly answer: PublisherAvailability;
}>;

/** Read a publisher */
export const getPublisher = "GET /publishers/{publisherId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly answer: Publisher;
}>;

/** Update a publisher */
export const updatePublisher = "PUT /publishers/{publisherId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json: UpdatePublisher;
  readonly answer: Publisher;
}>;

/** Delete a publisher */
export const deletePublisher = "DELETE /publishers/{publisherId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
}>;

/** Ask what the caller may do to a publisher */
export const getPublisherPermissions = "GET /publishers/{publisherId}/permissions" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly answer: EditPermission;
}>;

/** List the members of a publisher */
export const listPublisherMembers = "GET /publishers/{publisherId}/members" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly answer: readonly PublisherMember[];
}>;

/** Add a member to a publisher */
export const createPublisherMember = "POST /publishers/{publisherId}/members" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json: CreatePublisherMember;
  readonly answer: PublisherMember;
}>;

/** Remove a member from a publisher */
export const deletePublisherMember = "DELETE /publishers/{publisherId}/members/{memberId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The membership. */
    readonly memberId: string;
  };
}>;

/** Make a token for publishing */
export const createPublisherToken = "POST /publishers/{publisherId}/tokens" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json: CreatePublisherToken;
  readonly answer: CreatedPublisherToken;
}>;

/** List the publishing tokens */
export const listPublisherTokens = "GET /publishers/{publisherId}/tokens" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly answer: readonly PublisherToken[];
}>;

/** Revoke a publishing token */
export const deletePublisherToken = "DELETE /publishers/{publisherId}/tokens/{tokenId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The token's id. */
    readonly tokenId: string;
  };
}>;

/** Create a node */
export const createNode = "POST /publishers/{publisherId}/nodes" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json: CreateNode;
  readonly answer: Node;
}>;

/** List the nodes of a publisher */
export const listPublisherNodes = "GET /publishers/{publisherId}/nodes" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly answer: readonly Node[];
}>;

/** List the nodes of a publisher by pages */
export const listPublisherNodesPaged = "GET /publishers/{publisherId}/nodes/v2" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page, 10 if absent; less than 1 means the default, above 100 it is clamped. */
    readonly limit?: number;
  };
  readonly answer: NodePage;
}>;

/** Update a node */
export const updateNode = "PUT /publishers/{publisherId}/nodes/{nodeId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly json: UpdateNode;
  readonly answer: Node;
}>;

/** Delete a node */
export const deleteNode = "DELETE /publishers/{publisherId}/nodes/{nodeId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
}>;

/** Ask what the caller may do to a node */
export const getNodePermissions = "GET /publishers/{publisherId}/nodes/{nodeId}/permissions" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly answer: EditPermission;
}>;

/** Claim an unowned node */
export const claimNode = "POST /publishers/{publisherId}/nodes/{nodeId}/claim-my-node" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly json: ClaimNode;
}>;

/** List nodes */
export const listNodes = "GET /nodes" as Operation<{
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page, 10 if absent; less than 1 means the default, above 100 it is clamped. */
    readonly limit?: number;
    /** Only these nodes. */
    readonly node_id?: readonly string[];
    /** Only nodes for this operating system. */
    readonly supported_os?: string;
    /** Only nodes for this accelerator. */
    readonly supported_accelerator?: string;
    /** Only nodes for this version of the application. */
    readonly app_version?: string;
    /** How the client is installed; filters nothing. */
    readonly form_factor?: string;
    /** Also banned nodes; not by default. */
    readonly include_banned?: boolean;
    /** Only nodes changed since this moment. */
    readonly timestamp?: string;
    /** Not from a cache. */
    readonly latest?: boolean;
    /** Columns to sort by; column;desc turns the order. */
    readonly sort?: readonly string[];
  };
  readonly answer: NodePage;
}>;

/** Search nodes */
export const searchNodes = "GET /nodes/search" as Operation<{
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page, 10 if absent; less than 1 means the default, above 100 it is clamped. */
    readonly limit?: number;
    /** Words in id, name, description or author; all must occur. */
    readonly search?: string;
    /** Part of the repository's address. */
    readonly repository_url_search?: string;
    /** Part of the name of a node class it provides. */
    readonly svc_node_search?: string;
    /** Only nodes for this operating system. */
    readonly supported_os?: string;
    /** Only nodes for this accelerator. */
    readonly supported_accelerator?: string;
    /** Only nodes for this version of the application. */
    readonly app_version?: string;
    /** Also banned nodes; not by default. */
    readonly include_banned?: boolean;
  };
  readonly answer: NodePage;
}>;

/** Read everything that is listed, in one call */
export const dumpNodes = "GET /bulk/nodes" as Operation<{
  readonly query?: {
    /** Only nodes changed since this moment. */
    readonly timestamp?: string;
    /** Also banned nodes, and with timestamp deleted ones; not by default. */
    readonly include_banned?: boolean;
  };
}>;

/** Read a node */
export const getNode = "GET /nodes/{nodeId}" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** Also the texts in other languages. */
    readonly include_translations?: boolean;
  };
  readonly answer: Node;
}>;

/** Resolve what to install and count a download */
export const installNode = "GET /nodes/{nodeId}/install" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** The version wanted; the latest if absent or empty. */
    readonly version?: string;
  };
  readonly answer: NodeVersion;
}>;

/** Rate a node */
export const createReview = "POST /nodes/{nodeId}/reviews" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly query: {
    /** Stars. */
    readonly star: number;
  };
  readonly answer: Node;
}>;

/** Add a node's texts in other languages */
export const createNodeTranslations = "POST /nodes/{nodeId}/translations" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly json: TranslationsOfNode;
  readonly answer: Node;
}>;

/** Find the node that provides a node class */
export const getNodeByDescriptorName = "GET /svc-nodes/{svcNodeName}/node" as Operation<{
  readonly params: {
    /** The name of a node class. */
    readonly svcNodeName: string;
  };
  readonly answer: Node;
}>;

/** Publish a version */
export const publishNodeVersion = "POST /publishers/{publisherId}/nodes/{nodeId}/versions" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    readonly nodeId: NodeId;
  };
  readonly json: PublishNodeVersion;
  readonly answer: PublishedNodeVersion;
}>;

/** Update a version */
export const updateNodeVersion = "PUT /publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
  readonly json: UpdateNodeVersion;
  readonly answer: NodeVersion;
}>;

/** Delete a version */
export const deleteNodeVersion = "DELETE /publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
}>;

/** Read a version's findings and the history of its status */
export const getVersionReview = "GET /publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/review" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
  readonly answer: NodeVersionReview;
}>;

/** List the versions of a node */
export const listNodeVersions = "GET /nodes/{nodeId}/versions" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** Only versions in these states. */
    readonly statuses?: readonly NodeVersionStatus[];
    /** Also why each has its state. */
    readonly include_status_reason?: boolean;
  };
  readonly answer: readonly NodeVersion[];
}>;

/** Read a version by its number */
export const getNodeVersion = "GET /nodes/{nodeId}/versions/{version}" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly answer: NodeVersion;
}>;

/** Look up many versions */
export const getNodeVersionsInBulk = "POST /bulk/nodes/versions" as Operation<{
  readonly json: BulkNodeVersionsRequest;
  readonly answer: BulkNodeVersions;
}>;

/** List versions of all nodes */
export const listAllVersions = "GET /versions" as Operation<{
  readonly query?: {
    /** Only versions of this node. */
    readonly nodeId?: string;
    /** Only versions in these states. */
    readonly statuses?: readonly NodeVersionStatus[];
    /** Also why each has its state. */
    readonly include_status_reason?: boolean;
    /** Only versions whose reason holds this text. */
    readonly status_reason?: string;
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page; above 100 is refused. */
    readonly pageSize?: number;
  };
  readonly answer: NodeVersionPage;
}>;

/** List the descriptors of a version */
export const listDescriptors = "GET /nodes/{nodeId}/versions/{version}/svc-nodes" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page, 10 if absent; less than 1 means the default, above 100 it is clamped. */
    readonly limit?: number;
  };
  readonly answer: DescriptorPage;
}>;

/** Read a descriptor */
export const getDescriptor = "GET /nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
    /** The name of a node class. */
    readonly svcNodeName: string;
  };
  readonly answer: NodeDescriptor;
}>;

/** Update a node descriptor */
export const updateDescriptor = "PUT /nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}" as Operation<{
  readonly params: {
    /** The node's id, in any case. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
    /** The name of a node class. */
    readonly svcNodeName: string;
  };
  readonly json: UpdateDescriptor;
  readonly answer: NodeDescriptor;
}>;

/** List descriptors of all nodes */
export const searchDescriptors = "GET /svc-nodes" as Operation<{
  readonly query?: {
    /** Only of this node. */
    readonly node_id?: string;
    /** Only of this version. */
    readonly node_version?: string;
    /** Only of this name. */
    readonly svc_node_name?: string;
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page; above 100 is refused. */
    readonly pageSize?: number;
  };
  readonly answer: DescriptorSearchPage;
}>;

/** Ban a publisher and its nodes */
export const banPublisher = "POST /publishers/{publisherId}/ban" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json?: BanReason;
}>;

/** Lift the ban of a publisher */
export const unbanPublisher = "DELETE /publishers/{publisherId}/ban" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
}>;

/** Ban a node */
export const banNode = "POST /publishers/{publisherId}/nodes/{nodeId}/ban" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id. */
    readonly nodeId: string;
  };
  readonly json?: BanReason;
}>;

/** Create a node without a publisher */
export const createNodeAsAdmin = "POST /admin/nodes" as Operation<{
  readonly json: CreateNode;
  readonly answer: Node;
}>;

/** Change a node as an operator */
export const reviewNode = "PUT /admin/nodes/{nodeId}" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
  };
  readonly json: ReviewNode;
  readonly answer: Node;
}>;

/** Decide about a version, with a reason */
export const reviewNodeVersion = "PUT /admin/nodes/{nodeId}/versions/{version}" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly json: ReviewNodeVersion;
  readonly answer: NodeVersion;
}>;

/** Read a version's findings and the history of its status */
export const getVersionReviewAsAdmin = "GET /admin/nodes/{nodeId}/versions/{version}/review" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly answer: NodeVersionReview;
}>;

/** Take back the moves of one batch */
export const undoReviewBatch = "POST /admin/nodeversions/batches/{batchId}/undo" as Operation<{
  readonly params: {
    /** The batch_id of the moves. */
    readonly batchId: string;
  };
  readonly answer: readonly NodeVersion[];
}>;

/** List versions of all nodes, deleted ones too */
export const listNodeVersionsAsAdmin = "GET /admin/nodeversions" as Operation<{
  readonly query?: {
    /** Also deleted versions. */
    readonly include_deleted?: boolean;
    /** Only versions of this node. */
    readonly nodeId?: string;
    /** Only versions in these states. */
    readonly statuses?: readonly NodeVersionStatus[];
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page. */
    readonly pageSize?: number;
  };
  readonly answer: NodeVersionPage;
}>;

/** Make a short-lived operator token */
export const generateAdminToken = "POST /admin/generate-token" as Operation<{
  readonly answer: GeneratedToken;
}>;

/** Store all descriptors of a version at once */
export const createDescriptors = "POST /nodes/{nodeId}/versions/{version}/svc-nodes" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly json: ExtractedDescriptors;
}>;

/** Extract descriptors that are missing */
export const backfillDescriptors = "POST /svc-nodes/backfill" as Operation<{
  readonly query?: {
    /** How many nodes at most. */
    readonly max_node?: number;
  };
}>;

/** Build the search index anew */
export const reindexNodes = "POST /nodes/reindex" as Operation<{}>;

/** Read the stars of repositories anew */
export const updateRepositoryStars = "POST /nodes/update-github-stars" as Operation<{
  readonly query?: {
    /** How many nodes at most. */
    readonly max_batch?: number;
  };
}>;

/** Check versions that wait for their verdict */
export const scanPendingVersions = "GET /security-scan" as Operation<{
  readonly query?: {
    /** Only versions that wait at least this long: a number of seconds, minutes, hours or days. */
    readonly minAge?: string;
    /** How many versions at most. */
    readonly maxNodes?: number;
  };
  readonly answer: readonly NodeVersion[];
}>;

/** Submit a workflow */
export const submitJob = "POST /api/v2/jobs" as Operation<{
  readonly json: SubmitJob;
  readonly answer: Job;
}>;

/** List the caller's jobs */
export const listJobs = "GET /api/v2/jobs" as Operation<{
  readonly query?: {
    /** Only jobs in these states. */
    readonly status?: readonly JobState[];
    /** Only jobs with exactly this text as metadata. */
    readonly metadata?: string;
    /** Only the job that was submitted under this key. */
    readonly idempotency_key?: string;
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: JobPage;
}>;

/** Read a job */
export const getJob = "GET /api/v2/jobs/{id}" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly id: string;
  };
  readonly answer: Job;
}>;

/** Read the graph a job executed */
export const getJobWorkflow = "GET /api/v2/jobs/{id}/workflow" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly id: string;
  };
  readonly answer: JobWorkflow;
}>;

/** Read a job's newest preview picture */
export const getJobPreview = "GET /api/v2/jobs/{id}/preview" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly id: string;
  };
}>;

/** Follow a job live */
export const followJobEvents = "GET /api/v2/jobs/{id}/events" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly id: string;
  };
}>;

/** Cancel a job */
export const cancelJob = "POST /api/v2/jobs/{id}/cancel" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly id: string;
  };
  readonly answer: Job;
}>;

/** Cancel one job, in the application's form */
export const cancelOneJob = "POST /api/jobs/{job_id}/cancel" as Operation<{
  readonly params: {
    /** The job's id; a malformed one is answered 404. */
    readonly job_id: string;
  };
  readonly answer: CanceledJob;
}>;

/** Cancel jobs in bulk, in the application's form */
export const cancelManyJobs = "POST /api/jobs/cancel" as Operation<{
  readonly json: CancelJobs;
  readonly answer: CanceledJobs;
}>;

/** Read an executed graph on a deployment */
export const getExecutedWorkflow = "GET /workflow" as Operation<{
  readonly query?: {
    /** The job's id; a malformed one is answered 404. */
    readonly job_id?: string;
  };
  readonly answer: JobWorkflow;
}>;

/** Convert an editor's workflow to API format */
export const convertWorkflow = "POST /api/v2/workflows/convert" as Operation<{
  readonly json: ConvertWorkflow;
  readonly answer: ConvertedWorkflow;
}>;

/** Find where v2 begins */
export const getWorkflowIndex = "GET /api/v2" as Operation<{
  readonly answer: WorkflowIndex;
}>;

/** Ask whether the v2 API answers */
export const getWorkflowHealth = "GET /api/v2/health" as Operation<{
  readonly answer: WorkflowHealth;
}>;

/** List the node classes that graphs can use here */
export const listNodeClasses = "GET /api/v2/node-classes" as Operation<{
  readonly query?: {
    /** Words that all occur in name, title, category or description, in any case. The best come first. */
    readonly q?: string;
    /** Only this category and what is below it. */
    readonly category?: string;
    /** The application's own shape, all matches in one map; absent: ours. */
    readonly format?: "object_info";
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: NodeClassPage | ObjectInfo;
}>;

/** Read a node class */
export const getNodeClass = "GET /api/v2/node-classes/{name}" as Operation<{
  readonly params: {
    /** The class's name, URL-encoded. */
    readonly name: string;
  };
  readonly query?: {
    /** The application's own shape, all matches in one map; absent: ours. */
    readonly format?: "object_info";
  };
  readonly answer: NodeClass | ObjectInfo;
}>;

/** Upload a file */
export const uploadAsset = "POST /api/v2/assets" as Operation<{
  readonly body: BodyInit;
  readonly answer: Asset;
}>;

/** Make a record over bytes that are here already */
export const createAssetFromHash = "POST /api/v2/assets/from-hash" as Operation<{
  readonly json: AssetFromHash;
  readonly answer: Asset;
}>;

/** Register a file that the application has already */
export const createAssetFromPath = "POST /api/v2/assets/from-path" as Operation<{
  readonly json: AssetFromPath;
  readonly answer: Asset;
}>;

/** Ask whether bytes are here already */
export const checkAssetByHash = "HEAD /api/v2/assets/by-hash/{hash}" as Operation<{
  readonly params: {
    readonly hash: BlobHash;
  };
}>;

/** List the caller's assets */
export const listAssets = "GET /api/v2/assets" as Operation<{
  readonly query?: {
    /** Only assets with this tag. */
    readonly tag?: string;
    /** Only assets of this kind. */
    readonly kind?: "image" | "video" | "audio" | "text" | "file" | "latent";
    /** Only what this job made. */
    readonly job?: string;
    /** Only what was uploaded, or only what jobs made. */
    readonly source?: "upload" | "output";
    /** Only assets with this in their file_path; large and small letters are the same. */
    readonly q?: string;
    /** Only records over the bytes with this hash. */
    readonly hash?: string;
    /** Only what was made then or later. */
    readonly created_from?: string;
    /** Only what was made before. */
    readonly created_before?: string;
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: AssetPage;
}>;

/** Resolve an asset to a fresh URL */
export const getAsset = "GET /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id; a malformed one is 404. */
    readonly id: string;
  };
  readonly answer: Asset;
}>;

/** Add or remove tags of an asset */
export const changeAssetTags = "PATCH /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id; a malformed one is 404. */
    readonly id: string;
  };
  readonly json: AssetTags;
  readonly answer: Asset;
}>;

/** Delete an asset */
export const deleteAsset = "DELETE /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id; a malformed one is 404. */
    readonly id: string;
  };
}>;

/** Read an asset's bytes */
export const getAssetContent = "GET /api/v2/assets/{id}/content" as Operation<{
  readonly params: {
    /** The asset's id; a malformed one is 404. */
    readonly id: string;
  };
}>;

/** Read a small picture of an asset */
export const getAssetThumbnail = "GET /api/v2/assets/{id}/thumbnail" as Operation<{
  readonly params: {
    /** The asset's id; a malformed one is 404. */
    readonly id: string;
  };
  readonly query?: {
    /** The longer side in pixels. */
    readonly size?: "128" | "512";
  };
}>;

/** Announce a resumable upload */
export const createUpload = "POST /api/v2/uploads" as Operation<{}>;

/** Ask how much of a resumable upload has come */
export const getUploadOffset = "HEAD /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
}>;

/** Send bytes of a resumable upload */
export const appendToUpload = "PATCH /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
  readonly body: BodyInit;
}>;

/** Give up a resumable upload */
export const deleteUpload = "DELETE /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
}>;

/** Read an asset's bytes by a signed address */
export const getSignedContent = "GET /c/{assetId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly assetId: string;
  };
  readonly query: {
    /** When the address stops working, in Unix seconds. */
    readonly e: string;
    /** Which key signed it. */
    readonly k: string;
    /** The signature. */
    readonly s: string;
    /** Makes browsers save the bytes. */
    readonly d?: "attachment";
  };
}>;

/** Read what was put at a signed address */
export const getSignedUpload = "GET /c/uploads/{uploadId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly uploadId: string;
  };
  readonly query: {
    /** When the address stops working, in Unix seconds. */
    readonly e: string;
    /** Which key signed it. */
    readonly k: string;
    /** The signature. */
    readonly s: string;
  };
}>;

/** Download a node's archive */
export const getNodeArchive = "GET /c/archives/{versionId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly versionId: string;
  };
  readonly query?: {
    /** When the address stops working, in Unix seconds. */
    readonly e?: string;
    /** Which key signed it. */
    readonly k?: string;
    /** The signature. */
    readonly s?: string;
    /** On a mirror: the node of the upstream registry. */
    readonly node?: string;
    /** On a mirror: its version. */
    readonly version?: string;
  };
}>;

/** Upload bytes to a signed address */
export const putSignedUpload = "PUT /c/uploads/{uploadId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly uploadId: string;
  };
  readonly query: {
    /** When the address stops working, in Unix seconds. */
    readonly e: string;
    /** Which key signed it. */
    readonly k: string;
    /** The signature. */
    readonly s: string;
  };
  readonly body: BodyInit;
  readonly answer: UploadedArchive;
}>;

/** Ask who the caller is */
export const getAccount = "GET /account" as Operation<{
  readonly answer: Account;
}>;

/** List the workspace's API keys */
export const listKeys = "GET /account/keys" as Operation<{
  readonly answer: AccountKeyList;
}>;

/** Create an API key */
export const createKey = "POST /account/keys" as Operation<{
  readonly json: CreateKey;
  readonly answer: CreatedAccountKey;
}>;

/** Revoke an API key */
export const revokeKey = "DELETE /account/keys/{keyId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly keyId: string;
  };
  readonly answer: AccountKey;
}>;

/** Replace an API key by a new one */
export const rotateKey = "POST /account/keys/{keyId}/rotation" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly keyId: string;
  };
  readonly json?: RotateKey;
  readonly answer: CreatedAccountKey;
}>;

/** See how much a key may spend */
export const getKeyCaps = "GET /account/keys/{keyId}/caps" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly keyId: string;
  };
  readonly answer: KeyCaps;
}>;

/** Say how much a key may spend */
export const setKeyCaps = "PUT /account/keys/{keyId}/caps" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly keyId: string;
  };
  readonly json: SetKeyCaps;
  readonly answer: KeyCaps;
}>;

/** Delete something that a job made */
export const deleteJobOutput = "DELETE /account/jobs/{jobId}/outputs/{assetId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly jobId: string;
    /** A UUID, lower case. */
    readonly assetId: string;
  };
}>;

/** See whether the workspace's queue of jobs is paused */
export const getAccountQueue = "GET /account/queue" as Operation<{
  readonly answer: AccountQueue;
}>;

/** Pause or resume the workspace's queue of jobs */
export const setAccountQueue = "PUT /account/queue" as Operation<{
  readonly json: SetAccountQueue;
  readonly answer: AccountQueue;
}>;

/** See the workspace's credits */
export const getCredits = "GET /account/credits" as Operation<{
  readonly answer: CreditBalance;
}>;

/** Read the journal of the workspace's credits */
export const listCreditLines = "GET /account/credits/lines" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** All lines of this one transaction, holds and releases too. */
    readonly transaction_id?: string;
  };
  readonly answer: CreditLinePage;
}>;

/** List what the workspace used */
export const listUsage = "GET /account/usage" as Operation<{
  readonly query?: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this subject, exactly. */
    readonly subject?: string;
    /** Only this outcome, exactly. */
    readonly outcome?: string;
    /** A UUID, lower case. */
    readonly api_key_id?: string;
    /** Only replays, or only what is none. */
    readonly replayed?: boolean;
    /** Only what begins so: `model` stands for `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** Only what did not succeed, replays aside; or only the rest. */
    readonly failed?: boolean;
    /** Only what belongs to this request. Also the id of a call or a queued request, with its replays. */
    readonly request_id?: string;
    /** Rows on a page, 20 if absent; above 100 it is clamped, 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: UsagePage;
}>;

/** Sum what the workspace used by the day */
export const sumUsage = "GET /account/usage/daily" as Operation<{
  readonly query?: {
    /** The first day, UTC; 30 days back if absent. */
    readonly from?: string;
    /** The last day, UTC and included; today if absent. At most 400 days after `from`. */
    readonly to?: string;
    /** Sum every subject apart. */
    readonly by?: "subject";
    /** Only this subject, exactly. */
    readonly subject?: string;
    /** Only this outcome, exactly. */
    readonly outcome?: string;
    /** A UUID, lower case. */
    readonly api_key_id?: string;
    /** Only replays, or only what is none. */
    readonly replayed?: boolean;
    /** Only what begins so: `model` stands for `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** Only what did not succeed, replays aside; or only the rest. */
    readonly failed?: boolean;
  };
  readonly answer: UsageDayList;
}>;

/** Take the workspace's usage away as a file */
export const exportUsage = "GET /account/usage/export" as Operation<{
  readonly query?: {
    /** csv if absent. */
    readonly format?: "csv" | "jsonl";
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this subject, exactly. */
    readonly subject?: string;
    /** Only this outcome, exactly. */
    readonly outcome?: string;
    /** A UUID, lower case. */
    readonly api_key_id?: string;
    /** Only replays, or only what is none. */
    readonly replayed?: boolean;
    /** Only what begins so: `model` stands for `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** Only what did not succeed, replays aside; or only the rest. */
    readonly failed?: boolean;
  };
}>;

/** List the caller's workspaces */
export const listWorkspaces = "GET /account/workspaces" as Operation<{
  readonly answer: WorkspaceList;
}>;

/** Create a workspace */
export const createWorkspace = "POST /account/workspaces" as Operation<{
  readonly json: NameWorkspace;
  readonly answer: Workspace;
}>;

/** Rename a workspace */
export const updateWorkspace = "PATCH /account/workspaces/{workspaceId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly json: NameWorkspace;
  readonly answer: Workspace;
}>;

/** List the members of a workspace */
export const listMembers = "GET /account/workspaces/{workspaceId}/members" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly answer: AccountMemberList;
}>;

/** Add somebody to a workspace */
export const addMember = "POST /account/workspaces/{workspaceId}/members" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly json: AddMember;
  readonly answer: AddedMember;
}>;

/** Make a new sign-in link for a member who never signed in */
export const inviteMemberAgain = "POST /account/workspaces/{workspaceId}/members/{personId}/sign-in-link" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
    /** A UUID, lower case. */
    readonly personId: string;
  };
  readonly json: InviteAgain;
  readonly answer: SignInLink;
}>;

/** Change a member's role */
export const updateMember = "PATCH /account/workspaces/{workspaceId}/members/{personId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
    /** A UUID, lower case. */
    readonly personId: string;
  };
  readonly json: UpdateMember;
  readonly answer: AccountMember;
}>;

/** Remove a member from a workspace */
export const removeMember = "DELETE /account/workspaces/{workspaceId}/members/{personId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
    /** A UUID, lower case. */
    readonly personId: string;
  };
  readonly query?: {
    /** Leave the person's keys working. */
    readonly keep_keys?: boolean;
  };
  readonly answer: RemovedMember;
}>;

/** List the browsers where the caller is signed in */
export const listSessions = "GET /account/sessions" as Operation<{
  readonly answer: AccountSessionList;
}>;

/** Sign one browser out */
export const endSession = "DELETE /account/sessions/{sessionId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly sessionId: string;
  };
}>;

/** Sign all other browsers out */
export const endOtherSessions = "DELETE /account/sessions" as Operation<{
  readonly answer: EndedSessions;
}>;

/** Change the workspace that the browser looks at */
export const chooseSessionWorkspace = "PUT /account/session" as Operation<{
  readonly json: ChooseWorkspace;
  readonly answer: Workspace;
}>;

/** Get a cloud identity token */
export const createIdentityToken = "POST /account/tokens" as Operation<{
  readonly answer: IdentityToken;
}>;

/** Read the public keys of the identity issuer */
export const getKeySet = "GET /.well-known/jwks.json" as Operation<{
  readonly answer: KeySet;
}>;

/** The page that says how to sign in */
export const showSignIn = "GET /sign-in" as Operation<{}>;

/** Sign in at the OpenID Connect issuer */
export const beginOidcSignIn = "GET /sign-in/oidc" as Operation<{
  readonly query?: {
    /** A path of this server to go on at; anything else is its first page. */
    readonly return_to?: string;
  };
}>;

/** Come back from the OpenID Connect issuer */
export const finishOidcSignIn = "GET /sign-in/oidc/callback" as Operation<{}>;

/** The page behind a sign-in link */
export const confirmSignIn = "GET /sign-in/{token}" as Operation<{
  readonly params: {
    /** The one-time token of the link. */
    readonly token: string;
  };
  readonly answer: SignInLook;
}>;

/** Sign in with a link */
export const signIn = "POST /sign-in/{token}" as Operation<{
  readonly params: {
    /** The one-time token of the link. */
    readonly token: string;
  };
  readonly body: BodyInit;
}>;

/** The page of the workspace's API keys */
export const showApiKeys = "GET /profile/api-keys" as Operation<{}>;

/** Sign out */
export const signOut = "POST /profile/sign-out" as Operation<{
  readonly json?: EmptyBody;
}>;

/** See what the workspace used over time */
export const getUsageSeries = "GET /account/usage/series" as Operation<{
  readonly query?: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** How long a point is. Absent: the shortest with at most 300 points. At most 1500 points. */
    readonly step?: "minute" | "hour" | "day";
    /** Sum each apart: the 8 with the most use, and `other` for the rest. */
    readonly by?: "none" | "subject" | "outcome" | "api_key_id" | "family";
    /** Whether p50_ms and p95_ms are wanted. Absent: with by=none they are. */
    readonly latency?: boolean;
    /** Only this subject, exactly. */
    readonly subject?: string;
    /** Only this outcome, exactly. */
    readonly outcome?: string;
    /** A UUID, lower case. */
    readonly api_key_id?: string;
    /** Only replays, or only what is none. */
    readonly replayed?: boolean;
    /** Only what begins so: `model` stands for `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** Only what did not succeed, replays aside; or only the rest. */
    readonly failed?: boolean;
  };
  readonly answer: UsageSeries;
}>;

/** See what went wrong, by kind */
export const listErrorGroups = "GET /account/errors" as Operation<{
  readonly query?: {
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this subject, exactly. */
    readonly subject?: string;
    /** Only this outcome, exactly. */
    readonly outcome?: string;
    /** A UUID, lower case. */
    readonly api_key_id?: string;
    /** Only what begins so: `model` stands for `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** Groups, 20 if absent; above 100 it is clamped, 0 or less means the default. */
    readonly limit?: number;
  };
  readonly answer: ErrorGroupList;
}>;

/** List the models that the workspace can call, with titles and prices */
export const listAccountModels = "GET /account/models" as Operation<{
  readonly answer: AccountModelList;
}>;

/** See how models did for the workspace lately */
export const getModelStats = "GET /account/models/stats" as Operation<{
  readonly query?: {
    /** How far back; 24 if absent. */
    readonly hours?: number;
  };
  readonly answer: ModelStatsList;
}>;

/** See everything about one request */
export const getAccountRequest = "GET /account/requests/{requestId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly requestId: string;
  };
  readonly answer: AccountRequest;
}>;

/** See what several jobs were charged */
export const listJobCharges = "GET /account/jobs/charges" as Operation<{
  readonly query: {
    /** Jobs of the workspace; the parameter is repeated. */
    readonly job_id: readonly string[];
  };
  readonly answer: JobChargeList;
}>;

/** See what a job was charged, and for what */
export const getJobCharges = "GET /account/jobs/{jobId}/charges" as Operation<{
  readonly params: {
    /** The job; a malformed id is 404. */
    readonly jobId: string;
  };
  readonly answer: JobCharges;
}>;

/** Ask what a workflow would cost */
export const createEstimate = "POST /account/estimates" as Operation<{
  readonly query?: {
    /** The deployment that would run it; absent: the managed cloud. */
    readonly deployment_id?: string;
  };
  readonly json: AskEstimate;
  readonly answer: GraphEstimate;
}>;

/** Find what an id or the beginning of a name stands for */
export const findThings = "GET /account/find" as Operation<{
  readonly query: {
    /** An id (job, request, call, asset, delivery, key), blake3:… or at least eight of its digits, the beginning of a key, of a model's or a node's name. */
    readonly q: string;
  };
  readonly answer: FoundThings;
}>;

/** Keep what a model made as an asset */
export const keepModelOutput = "POST /account/model-outputs" as Operation<{
  readonly json: KeepModelOutput;
  readonly answer: KeptModelOutput;
}>;

/** List the workspace's own credentials at providers */
export const listProviderCredentials = "GET /account/provider-credentials" as Operation<{
  readonly answer: ProviderCredentialList;
}>;

/** Store the workspace's own credential at a provider */
export const putProviderCredential = "PUT /account/provider-credentials/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly json: PutProviderCredential;
  readonly answer: ProviderCredential;
}>;

/** Remove the workspace's own credential at a provider */
export const deleteProviderCredential = "DELETE /account/provider-credentials/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
}>;

/** List and search the workspace's saved workflows */
export const listSavedWorkflows = "GET /account/workflows" as Operation<{
  readonly query?: {
    /** Words that it must contain, each at least by its beginning: in its name, folder, tags, node classes, titles, model names and texts. */
    readonly q?: string;
    /** This folder and the folders in it. */
    readonly folder?: string;
    /** Only with this tag. */
    readonly tag?: string;
    /** Only with a node of this class, spelled exactly. */
    readonly class?: string;
    /** true lists the archived ones instead. */
    readonly archived?: "true" | "false";
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: SavedWorkflowList;
}>;

/** Save a workflow under a name */
export const saveWorkflow = "POST /account/workflows" as Operation<{
  readonly json: SaveWorkflow;
  readonly answer: SavedWorkflow;
}>;

/** Read a saved workflow */
export const getSavedWorkflow = "GET /account/workflows/{workflowId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly answer: SavedWorkflow;
}>;

/** Rename, move, tag or archive a saved workflow */
export const changeSavedWorkflow = "PATCH /account/workflows/{workflowId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly json: ChangeSavedWorkflow;
  readonly answer: SavedWorkflow;
}>;

/** Delete a saved workflow with all its versions */
export const deleteSavedWorkflow = "DELETE /account/workflows/{workflowId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
}>;

/** Copy a version into a new workflow */
export const duplicateSavedWorkflow = "POST /account/workflows/{workflowId}/duplicate" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly json: DuplicateWorkflow;
  readonly answer: SavedWorkflow;
}>;

/** List the versions of a saved workflow */
export const listWorkflowVersions = "GET /account/workflows/{workflowId}/versions" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WorkflowVersionList;
}>;

/** Save a new version, or restore an earlier one */
export const saveWorkflowVersion = "POST /account/workflows/{workflowId}/versions" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly json: SaveWorkflowVersion;
  readonly answer: WorkflowVersion;
}>;

/** Read the document of a version */
export const getWorkflowDocument = "GET /account/workflows/{workflowId}/versions/{version}/document" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
    /** A version, or latest. */
    readonly version: string;
  };
  readonly query?: {
    /** The format wanted; as saved by default. An editor's document is converted to api if this server knows its classes; api cannot become editor. */
    readonly format?: "editor" | "api";
  };
  readonly answer: { readonly [name: string]: unknown };
}>;

/** See what changed between two versions */
export const diffWorkflowVersions = "GET /account/workflows/{workflowId}/diff" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workflowId: string;
  };
  readonly query?: {
    /** The earlier version; the one before `to` by default. */
    readonly from?: number;
    /** The later version; the latest by default. */
    readonly to?: number;
  };
  readonly answer: WorkflowDiff;
}>;

/** List what was sent to webhooks */
export const listWebhookDeliveries = "GET /account/webhooks/deliveries" as Operation<{
  readonly query?: {
    readonly status?: WebhookDeliveryStatus;
    /** Only what tells about this task, prompt or job. */
    readonly subject_id?: string;
    /** Only this kind, exactly. */
    readonly type?: string;
    /** Only to this receiver: scheme, host and port. */
    readonly receiver?: string;
    /** Deliveries on a page, 20 if absent; above 100 it is clamped, 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WebhookDeliveryPage;
}>;

/** See one delivery with its body and attempts */
export const getWebhookDelivery = "GET /account/webhooks/deliveries/{deliveryId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deliveryId: string;
  };
  readonly answer: WebhookDeliveryDetail;
}>;

/** Send a delivery again */
export const redeliverWebhook = "POST /account/webhooks/deliveries/{deliveryId}/redeliver" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deliveryId: string;
  };
  readonly answer: WebhookDelivery;
}>;

/** Send a test event */
export const sendTestWebhook = "POST /account/webhooks/test" as Operation<{
  readonly json: SendTestWebhook;
  readonly answer: WebhookDelivery;
}>;

/** List the receivers that fail */
export const listWebhookReceivers = "GET /account/webhooks/receivers" as Operation<{
  readonly answer: WebhookReceiverList;
}>;

/** List the loopback receivers that webhooks may reach */
export const getWebhookTargets = "GET /account/webhooks/targets" as Operation<{
  readonly answer: WebhookTargets;
}>;

/** Open loopback receivers for development */
export const replaceWebhookTargets = "PUT /account/webhooks/targets" as Operation<{
  readonly json: ReplaceWebhookTargets;
  readonly answer: WebhookTargets;
}>;

/** List the webhook secrets */
export const listWebhookSecrets = "GET /account/webhooks/secrets" as Operation<{
  readonly answer: WebhookSecretList;
}>;

/** Make a new webhook secret */
export const rotateWebhookSecret = "POST /account/webhooks/secrets" as Operation<{
  readonly json?: RotateWebhookSecret;
  readonly answer: WebhookSecret;
}>;

/** See what the server finds when it looks at itself */
export const runChecks = "GET /admin/checks" as Operation<{
  readonly answer: SystemCheckList;
}>;

/** See what runs by itself */
export const listBackgroundWork = "GET /admin/background-work" as Operation<{
  readonly answer: BackgroundProcessList;
}>;

/** See which credentials of this server were refused */
export const listRefusedCredentials = "GET /admin/refused-credentials" as Operation<{
  readonly answer: RefusedCredentialList;
}>;

/** List the people of this installation */
export const listPeople = "GET /admin/people" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** True: only operators. */
    readonly is_operator?: boolean;
  };
  readonly answer: AdminPersonPage;
}>;

/** Make a person an operator, or no longer */
export const setOperator = "PUT /admin/people/{personId}/operator" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly personId: string;
  };
  readonly json: SetOperator;
  readonly answer: AdminPerson;
}>;

/** List the operators' tokens */
export const listAdminTokens = "GET /admin/tokens" as Operation<{
  readonly answer: AdminTokenList;
}>;

/** Make an operator's token */
export const createAdminToken = "POST /admin/tokens" as Operation<{
  readonly json: CreateAdminToken;
  readonly answer: CreatedAdminToken;
}>;

/** Revoke an operator's token */
export const revokeAdminToken = "DELETE /admin/tokens/{tokenId}" as Operation<{
  readonly params: {
    /** The token's id. */
    readonly tokenId: string;
  };
}>;

/** Read the audit */
export const listAuditEntries = "GET /admin/audit" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** A UUID, lower case. */
    readonly workspace_id?: string;
    /** What kind of actor did it. */
    readonly actor_kind?: "person" | "api_key" | "admin_token" | "system";
    /** Who, by id. */
    readonly actor_id?: string;
    /** What was done, exactly: thing.verb. */
    readonly action?: string;
    /** The kind of thing it was done to. */
    readonly subject_kind?: string;
    /** The thing it was done to. */
    readonly subject_id?: string;
    /** The request that did it. */
    readonly request_id?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly since?: string;
    /** A moment: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly until?: string;
  };
  readonly answer: AuditPage;
}>;

/** List all workspaces */
export const listWorkspacesAsAdmin = "GET /admin/workspaces" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: AdminWorkspacePage;
}>;

/** Make a workspace for a person */
export const createWorkspaceAsAdmin = "POST /admin/workspaces" as Operation<{
  readonly json: CreateWorkspaceAsAdmin;
  readonly answer: AdminWorkspace;
}>;

/** Read one workspace */
export const getWorkspaceAsAdmin = "GET /admin/workspaces/{workspaceId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly answer: AdminWorkspace;
}>;

/** Read the limits and quotas of a workspace */
export const listWorkspaceLimits = "GET /admin/workspaces/{workspaceId}/limits" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceLimitList;
}>;

/** Change a limit or quota for one workspace */
export const setWorkspaceLimit = "PUT /admin/workspaces/{workspaceId}/limits/{name}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
    /** The limit's name. */
    readonly name: string;
  };
  readonly json: SetWorkspaceLimit;
  readonly answer: WorkspaceLimit;
}>;

/** Give a workspace the default of a limit again */
export const resetWorkspaceLimit = "DELETE /admin/workspaces/{workspaceId}/limits/{name}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
    /** The limit's name. */
    readonly name: string;
  };
  readonly answer: WorkspaceLimit;
}>;

/** See the credits of a workspace */
export const getWorkspaceCredits = "GET /admin/workspaces/{workspaceId}/credits" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly answer: CreditBalance;
}>;

/** Read the journal of a workspace's credits */
export const listWorkspaceCreditLines = "GET /admin/workspaces/{workspaceId}/credits/lines" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** All lines of this one transaction, holds and releases too. */
    readonly transaction_id?: string;
  };
  readonly answer: CreditLinePage;
}>;

/** Give a workspace credits */
export const topUpWorkspace = "POST /admin/workspaces/{workspaceId}/credits" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly json: MoveCredits;
  readonly answer: CreditMove;
}>;

/** Take credits out of a workspace */
export const withdrawFromWorkspace = "POST /admin/workspaces/{workspaceId}/credits/withdrawals" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly json: MoveCredits;
  readonly answer: CreditMove;
}>;

/** Give back what a call was charged */
export const refundCall = "POST /admin/calls/{callId}/refund" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly callId: string;
  };
  readonly json?: RefundCall;
  readonly answer: CreditMove;
}>;

/** List the providers and what is served of them */
export const listProviders = "GET /admin/providers" as Operation<{
  readonly answer: AdminProviderList;
}>;

/** Read one provider with its definition */
export const getProvider = "GET /admin/providers/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly answer: AdminProviderRecord;
}>;

/** Write a provider's definition */
export const putProvider = "PUT /admin/providers/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly json: ProviderDefinition;
  readonly answer: AdminProviderRecord;
}>;

/** Remove a provider's stored definition */
export const deleteProvider = "DELETE /admin/providers/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
}>;

/** See at which providers this server has a credential */
export const listServerCredentials = "GET /admin/provider-credentials" as Operation<{
  readonly answer: ServerCredentialList;
}>;

/** Enter this server's credential at a provider */
export const putServerCredential = "PUT /admin/providers/{provider}/credential" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly json: PutServerCredential;
  readonly answer: ServerCredential;
}>;

/** Remove this server's stored credential at a provider */
export const deleteServerCredential = "DELETE /admin/providers/{provider}/credential" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
}>;

/** Try whether a provider answers and takes the credential */
export const checkProvider = "POST /admin/providers/{provider}/check" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly answer: ProviderCheck;
}>;

/** Release a model or take it back */
export const setModelRelease = "PUT /admin/models/{provider}/{model}/release" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
    /** The model's own name. */
    readonly model: string;
  };
  readonly json: SetModelRelease;
  readonly answer: ModelRelease;
}>;

/** Deprecate a model and say when it goes */
export const setModelRetirement = "PUT /admin/models/{provider}/{model}/retirement" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
    /** The model's own name. */
    readonly model: string;
  };
  readonly json: SetModelRetirement;
  readonly answer: ModelRelease;
}>;

/** Read what a workspace may run */
export const getWorkspaceModels = "GET /admin/workspaces/{workspaceId}/models" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceModels;
}>;

/** Change what a workspace may run */
export const setWorkspaceModels = "PUT /admin/workspaces/{workspaceId}/models" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly workspaceId: string;
  };
  readonly json: WorkspaceModels;
  readonly answer: WorkspaceModels;
}>;

/** List the deployments */
export const listDeployments = "GET /admin/deployments" as Operation<{
  readonly query?: {
    /** How many entries to serve. Above the cap it is clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: DeploymentPage;
}>;

/** Make a deployment */
export const createDeployment = "POST /admin/deployments" as Operation<{
  readonly json: CreateDeployment;
  readonly answer: Deployment;
}>;

/** Read one deployment, its workers and why it is not ready */
export const getDeployment = "GET /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Change a deployment */
export const updateDeployment = "PATCH /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deploymentId: string;
  };
  readonly json: UpdateDeployment;
  readonly answer: Deployment;
}>;

/** Stop a deployment */
export const stopDeployment = "POST /admin/deployments/{deploymentId}/stop" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Start a stopped deployment */
export const startDeployment = "POST /admin/deployments/{deploymentId}/start" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Remove a stopped deployment */
export const deleteDeployment = "DELETE /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly deploymentId: string;
  };
}>;

/** List the workers' tokens */
export const listWorkerTokens = "GET /admin/worker-tokens" as Operation<{
  readonly answer: WorkerTokenList;
}>;

/** Make a worker's token */
export const createWorkerToken = "POST /admin/worker-tokens" as Operation<{
  readonly json: CreateWorkerToken;
  readonly answer: CreatedWorkerToken;
}>;

/** Revoke a worker's token */
export const revokeWorkerToken = "DELETE /admin/worker-tokens/{tokenId}" as Operation<{
  readonly params: {
    /** A UUID, lower case. */
    readonly tokenId: string;
  };
}>;

/** List the workers of a pool that are here now */
export const listPoolWorkers = "GET /admin/pools/{poolId}/workers" as Operation<{
  readonly params: {
    /** The pool's id, or `shared`. */
    readonly poolId: string;
  };
  readonly answer: PoolWorkerList;
}>;

/** Send one message of the Model Context Protocol */
export const callMcp = "POST /mcp" as Operation<{
  readonly json: JsonRpcMessage;
  readonly answer: JsonRpcMessage;
}>;

/** Open the console */
export const showConsole = "GET /console" as Operation<{}>;

/** Open a page of the console */
export const showConsolePage = "GET /console/{page}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
  };
}>;

/** Open a page of the console about one thing */
export const showConsoleThing = "GET /console/{page}/{id}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
    /** What it shows. */
    readonly id: string;
  };
}>;

/** Open a page of the console about a part of one thing */
export const showConsolePart = "GET /console/{page}/{id}/{part}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
    /** What it shows. */
    readonly id: string;
    /** A part of that. */
    readonly part: string;
  };
}>;

/** Read a file of the console */
export const getConsoleFile = "GET /console/files/{name}" as Operation<{
  readonly params: {
    /** The file's name. */
    readonly name: string;
  };
  readonly answer: string;
}>;

/** Download the SDK or the command line */
export const getClientPackage = "GET /packages/{name}" as Operation<{
  readonly params: {
    /** `sdk.tgz` or `cli.tgz`. */
    readonly name: string;
  };
}>;

/** Read what the console must know first */
export const getConsoleConfig = "GET /console/config.json" as Operation<{
  readonly answer: ConsoleConfig;
}>;

/** Find the documents of this server */
export const getIndex = "GET /" as Operation<{
  readonly answer: Index;
}>;

/** Ask whether the process answers */
export const getHealth = "GET /health" as Operation<{
  readonly query?: {
    /** Something unpredictable: the answer then holds a proof that whoever can read the data folder can check. Anything else is ignored. */
    readonly challenge?: string;
  };
  readonly answer: Health;
}>;

/** Ask whether the process lives */
export const getLiveness = "GET /livez" as Operation<{
  readonly answer: Health;
}>;

/** Ask whether the process can do its work */
export const getReadiness = "GET /readyz" as Operation<{
  readonly answer: Readiness;
}>;

/** Read the metrics as Prometheus text */
export const getMetrics = "GET /metrics" as Operation<{}>;

/** Read the OpenAPI document of every mounted operation */
export const getOpenApi = "GET /openapi.json" as Operation<{
  readonly answer: OpenApiDocument;
}>;

/** Read the same document where registry clients look for it */
export const getRegistryOpenApi = "GET /openapi" as Operation<{
  readonly answer: OpenApiDocument;
}>;

/** Read the API reference */
export const getDocs = "GET /docs" as Operation<{}>;

/** Read the service's description for language models */
export const getLlmsText = "GET /llms.txt" as Operation<{}>;

/** Read the dated release notes */
export const getReleaseNotes = "GET /release-notes" as Operation<{
  readonly query?: {
    /** The form; else Accept decides. */
    readonly format?: "markdown" | "html" | "json" | "atom";
  };
  readonly answer: string;
}>;

/** Read the dated release notes as JSON */
export const listReleaseNotes = "GET /release-notes.json" as Operation<{
  readonly answer: ReleaseNoteList;
}>;

