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
  AccountToken,
  AccountTokenPage,
  AddMember,
  AddedMember,
  AlertSettings,
  AppealNodeVersion,
  AskEstimate,
  Asset,
  AssetFromHash,
  AssetFromPath,
  AssetNote,
  AssetPage,
  AssetTags,
  Badge,
  BadgeMap,
  BadgePlatform,
  BlobHash,
  Budget,
  BudgetList,
  BulkNodeVersions,
  BulkNodeVersionsRequest,
  CallableWorkPage,
  CancelJobs,
  CanceledJob,
  CanceledJobs,
  CatalogPage,
  ChangeSavedWorkflow,
  ChangeWork,
  ClaimNode,
  ConsoleConfig,
  ConvertWorkflow,
  ConvertedWorkflow,
  CreateKey,
  CreateNode,
  CreatePublisher,
  CreatePublisherMember,
  CreatePublisherToken,
  CreateServiceAccount,
  CreatedAccountKey,
  CreatedPublisherToken,
  CreatedToken,
  CreatedWebhookEndpoint,
  CreatedWorkLink,
  CreditBalance,
  CreditLinePage,
  Cursor,
  DescriptorPage,
  DescriptorSearchPage,
  DuplicateWorkflow,
  EditPermission,
  EndedSessions,
  ErasedPerson,
  ErrorAnswerPage,
  ErrorGroupList,
  FoundThings,
  Gallery,
  GraphEstimate,
  Health,
  ImageToVideoRequest,
  Index,
  InputSchemaDocument,
  InviteAgain,
  Invoice,
  InvoicePage,
  Job,
  JobChargeList,
  JobCharges,
  JobPage,
  JobState,
  JobWorkflow,
  JsonRpcMessage,
  KeepModelOutput,
  KeepPlaygroundRun,
  KeptModelOutput,
  KeyCaps,
  KeyLimits,
  KeySet,
  ModelDetail,
  ModelEstimate,
  ModelId,
  ModelInput,
  ModelOutput,
  ModelRequest,
  ModelRequestPage,
  ModelRequestStatus,
  ModelRoute,
  ModelRouteList,
  ModelSegment,
  ModelStatsList,
  MoveWorkspace,
  NameWorkspace,
  NewToken,
  NewWebhookEndpoint,
  NewWorkLink,
  Node,
  NodeCapabilities,
  NodeClass,
  NodeClassPage,
  NodeDescriptor,
  NodeId,
  NodePage,
  NodeReadme,
  NodeStatus,
  NodeVersion,
  NodeVersionPage,
  NodeVersionReview,
  NodeVersionStatus,
  ObjectInfo,
  OpenApiDocument,
  PartnerATaskResult,
  PartnerBPrompt,
  PersonalData,
  PlanOverview,
  PlaygroundRun,
  PlaygroundRunPage,
  ProviderCredential,
  ProviderCredentialList,
  ProviderSegment,
  PublishNodeVersion,
  PublishWork,
  PublishedNodeVersion,
  Publisher,
  PublisherAvailability,
  PublisherId,
  PublisherList,
  PublisherMember,
  PublisherToken,
  PutBudget,
  PutProviderCredential,
  PutRoute,
  Readiness,
  ReceivedEvent,
  RegistryUser,
  ReleaseNoteList,
  RelightRequest,
  RemovedMember,
  RemovedServiceAccount,
  ReplaceWebhookTargets,
  RequestBodies,
  RequestBodyKeeping,
  Retention,
  RetentionEstimate,
  RotateKey,
  RotateWebhookSecret,
  SaveWorkflow,
  SaveWorkflowForm,
  SaveWorkflowVersion,
  SavedWorkflow,
  SavedWorkflowList,
  SendTestWebhook,
  SentMailList,
  ServiceAccount,
  ServiceAccountList,
  SetAccountQueue,
  SetAlertMail,
  SetAssetNote,
  SetCallLimits,
  SetKeyCaps,
  SetOddSpending,
  SetRequestBodyKeeping,
  SetRetention,
  SignInLink,
  SignInLook,
  SkinEnhancerCreativeRequest,
  SkinEnhancerFaithfulRequest,
  SkinEnhancerFlexibleRequest,
  StorageRequest,
  StorageTicket,
  SubmitJob,
  TemplateList,
  TemplateWorkflow,
  TextToVideoRequest,
  TranslationsOfNode,
  UpdateDescriptor,
  UpdateKey,
  UpdateMember,
  UpdateNode,
  UpdateNodeVersion,
  UpdatePublisher,
  UpdateWebhookEndpoint,
  UploadedArchive,
  UsageDayList,
  UsagePage,
  UsageSeries,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryStatus,
  WebhookEndpoint,
  WebhookEndpointList,
  WebhookReceiverList,
  WebhookSecret,
  WebhookSecretList,
  WebhookTargets,
  Work,
  WorkDiff,
  WorkLinkList,
  WorkList,
  WorkVersion,
  WorkVersionList,
  WorkflowDiff,
  WorkflowForm,
  WorkflowHealth,
  WorkflowIndex,
  WorkflowVersion,
  WorkflowVersionList,
  Workspace,
  WorkspaceList,
  WorkspaceMove,
} from "@atelier/sdk";
import type { Operation } from "../operation.ts";

/** A weight to keep: from files that were uploaded as assets, or from an address. Its size and hash are known beforehand. */
export interface AddWeight {
  /** Its place below the application's models folder, with forward slashes: checkpoints/base.safetensors. */
  readonly path: string;
  /** The BLAKE3 hash of its bytes. */
  readonly blake3: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** Assets whose bytes make up the weight, in order. */
  readonly parts?: readonly string[];
  /** Where it is fetched from. https only. */
  readonly url?: string;
  /** Under which licence it may be used. */
  readonly licence?: string;
  /** Anything that others should know. */
  readonly note?: string;
}

/** A person of this installation, as shown to operators. */
export interface AdminPerson {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  /** Helps people recognise each other; owners and billing people get alerts there if the server sends mail. */
  readonly email: string | null;
  /** Whether they may use the whole admin API. */
  readonly is_operator: boolean;
  /** Their role on the installation; null if none. */
  readonly role?: InstallationRole | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** One page of all people. */
export interface AdminPersonPage {
  /** The entries of this page. */
  readonly data: readonly AdminPerson[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** A provider, as shown to operators. */
export interface AdminProvider {
  /** The provider's name. */
  readonly provider: string;
  /** Where the active definition comes from. admin overrides file, and file overrides built_in. */
  readonly source: "admin" | "file" | "built_in";
  /** Where overridden definitions of the same provider come from. */
  readonly hidden_sources: readonly string[];
  /** The version of the definition. With source admin it is the ETag. Null for the sandbox. */
  readonly version: number | null;
  /** When an operator stored it; null for other sources. */
  readonly updated_at: string | null;
  /** false: stored by another release of the server and not served by this one. */
  readonly readable: boolean;
  /** The name of the setting that holds the credential; null if none is needed. The value is never shown. */
  readonly credential_setting: string | null;
  /** Whether the process that answers has the credential for every host of the definition. */
  readonly credential_configured: boolean;
  /** Its models. */
  readonly models: readonly ModelRelease[];
}

/** All providers. */
export interface AdminProviderList {
  /** Every provider, sorted by name. */
  readonly data: readonly AdminProvider[];
}

/** A provider with its definition. */
export interface AdminProviderRecord {
  /** The provider's name. */
  readonly provider: string;
  /** Where the active definition comes from. admin overrides file, and file overrides built_in. */
  readonly source: "admin" | "file" | "built_in";
  /** Where overridden definitions of the same provider come from. */
  readonly hidden_sources: readonly string[];
  /** The version of the definition. With source admin it is the ETag. Null for the sandbox. */
  readonly version: number | null;
  /** When an operator stored it; null for other sources. */
  readonly updated_at: string | null;
  /** false: stored by another release of the server and not served by this one. */
  readonly readable: boolean;
  /** The name of the setting that holds the credential; null if none is needed. The value is never shown. */
  readonly credential_setting: string | null;
  /** Whether the process that answers has the credential for every host of the definition. */
  readonly credential_configured: boolean;
  /** Its models. */
  readonly models: readonly ModelRelease[];
  /** The full definition; null if this server cannot read it. */
  readonly definition: unknown;
}

/** An operator token in a list. Only a hash of the token is stored. */
export interface AdminToken {
  /** A UUID, or `environment` for the token set by ATELIER_ADMIN_TOKEN. */
  readonly id: string;
  /** Who or what uses it. Appears in the audit log. */
  readonly name: string;
  /** When it was created; null for `environment`. */
  readonly created_at: string | null;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Approximate time of last use; null if never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null if it is active. */
  readonly revoked_at: string | null;
}

/** All operator tokens. */
export interface AdminTokenList {
  /** All tokens, including revoked ones, newest first. */
  readonly data: readonly AdminToken[];
}

/** A workspace, as shown to operators. */
export interface AdminWorkspace {
  /** A lower-case UUID. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** One page of all workspaces. */
export interface AdminWorkspacePage {
  /** The entries of this page. */
  readonly data: readonly AdminWorkspace[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Whose payment it is. */
export interface AssignPayment {
  /** A lower-case UUID. */
  readonly workspace_id: string;
}

/** One entry of the append-only audit log. */
export interface AuditEntry {
  /** A lower-case UUID. */
  readonly id: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** The actor. */
  readonly actor: {
    readonly kind: "person" | "api_key" | "service_account" | "admin_token" | "system";
    /** The actor's id or name. */
    readonly id: string;
    /** The actor's display name. */
    readonly name?: string;
  };
  /** The action, as thing.verb. */
  readonly action: string;
  /** The target. */
  readonly subject: {
    readonly kind: string;
    readonly id: string;
  };
  /** The affected workspace, if any. */
  readonly workspace_id: string | null;
  /** The state before; null if it did not exist. Never contains secrets. */
  readonly before: unknown;
  /** The state after; null if it was deleted. */
  readonly after: unknown;
  /** The request that performed the action. */
  readonly request_id: string | null;
}

/** One page of the audit log, newest entry first. */
export interface AuditPage {
  /** The entries of this page. */
  readonly data: readonly AuditEntry[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** A process of the service that reported within the last minute. */
export interface BackgroundProcess {
  /** A lower-case UUID. */
  readonly id: string;
  /** The process: its command, machine and process id. */
  readonly name: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
  readonly works: readonly BackgroundWork[];
  /** One sentence for each piece of work that fails or has stalled. */
  readonly problems: readonly string[];
}

/** Every process of the service, oldest first. */
export interface BackgroundProcessList {
  readonly data: readonly BackgroundProcess[];
}

/** A recurring piece of work in one process. */
export interface BackgroundWork {
  /** Owner and work, as owner: work. */
  readonly name: string;
  /** From the end of one round to the start of the next. */
  readonly every_seconds: number;
  /** Whether a round is running. */
  readonly is_running: boolean;
  /** Rounds since the process started. */
  readonly rounds: number;
  /** Rounds that failed since the process started. */
  readonly failures: number;
  /** The latest finished round. Absent before the first. */
  readonly last?: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly started_at: string;
    readonly duration_ms: number;
    readonly result: "succeeded" | "failed";
    /** With failed: what went wrong. */
    readonly problem?: string;
  };
}

/** One scheduled backup. */
export interface Backup {
  /** A lower-case UUID. */
  readonly id: string;
  /** Its name at its location, for `atelier restore`. */
  readonly name: string;
  /** The folder or bucket that has it, without credentials. */
  readonly location: string;
  /** verified: it was restored into a scratch database and every invariant holds. unverified: it can be restored, but an invariant does not hold in it. failed: there is no such backup. */
  readonly status: "running" | "verified" | "unverified" | "failed";
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at: string;
  /** Null while it runs. */
  readonly ended_at: string | null;
  readonly verified_at: string | null;
  /** When it was removed, because enough newer ones exist. Null while it is there. */
  readonly removed_at: string | null;
  /** The size of its tables and files. */
  readonly bytes: number | null;
  /** How many rows it has. */
  readonly rows: number | null;
  /** How many files it has. */
  readonly blobs: number | null;
  /** The version of the database that it was made of. */
  readonly schema_version: number | null;
  /** Why it failed, or what is wrong. */
  readonly problem: string | null;
}

/** The history of scheduled backups, and what comes next. */
export interface BackupList {
  /** The server's settings; null if they have no schedule. The command `atelier backup --every` may make backups all the same. */
  readonly schedule: {
    readonly every_seconds: number;
    readonly keep: number;
    /** Without credentials. */
    readonly location: string;
  } | null;
  /** The newest verified backup that is still there. */
  readonly last_good: Backup | null;
  /** When the next one is due. Null without a schedule and while one runs. */
  readonly next_at: string | null;
  /** Whether the last good one, or else the first attempt, is older than two intervals and an hour. */
  readonly is_late: boolean;
  /** The newest 100 attempts, newest first. */
  readonly data: readonly Backup[];
}

/** One finding of the write-time check on a badge. */
export interface BadgeFinding {
  /** An error prevents the badge from being stored. */
  readonly severity: "error" | "warning";
  /** A stable code. Syntax errors use the codes of the expression library. */
  readonly code: string;
  /** What is wrong and how to fix it. */
  readonly message: string;
  /** Its position in expr, in characters. */
  readonly position?: number;
  /** The part of expr it refers to. */
  readonly token?: string;
  /** The field it refers to, as a JSON pointer. */
  readonly path?: string;
}

/** The price badge of one node, to be checked. */
export interface BadgeInput {
  /** The language of expr. */
  readonly engine: "jsonata";
  /** Everything the expression reads. All three lists are always present. */
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

/** What a badge's expression returns. */
export type BadgePrice = FixedPrice | RangePrice | ListPrice | TextPrice;

/** A node state to evaluate the expression in. */
export interface BadgeProbe {
  readonly widgets?: { readonly [name: string]: unknown };
  readonly inputs?: { readonly [name: string]: {
    readonly connected: boolean;
  } };
  readonly inputGroups?: { readonly [name: string]: number };
}

/** A stored badge with the versions and platforms it applies to. */
export interface BadgeRow {
  /** A lower-case UUID. */
  readonly id: string;
  /** The node the badge belongs to. */
  readonly node_id: string;
  /** The platforms the badge is shown on. */
  readonly platforms: readonly BadgePlatform[];
  readonly from_version: BadgeVersion;
  readonly badge: Badge;
  /** The first version the badge no longer applies to; null if open-ended. */
  readonly until_version: BadgeVersion | null;
  /** true: no longer shown, regardless of version. */
  readonly ended: boolean;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** A badge to store. Badges for the same node and platform must not overlap in their versions. */
export interface BadgeRowInput {
  /** The node the badge belongs to, without surrounding spaces. */
  readonly node_id: string;
  /** The platforms the badge is shown on. */
  readonly platforms: readonly BadgePlatform[];
  readonly from_version: BadgeVersion;
  readonly badge: BadgeInput;
  /** The first version the badge no longer applies to; null or absent if open-ended. */
  readonly until_version?: BadgeVersion | null;
}

/** One page of stored badges, sorted by node id and version. */
export interface BadgeRowPage {
  /** The entries of this page. */
  readonly data: readonly BadgeRow[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** The badge, evaluated in one node state. */
export interface BadgeSample {
  readonly probe: BadgeProbe;
  /** The price, or null if there is none. */
  readonly price: BadgePrice | null;
  /** The badge text a client would show. */
  readonly label: string | null;
  readonly error?: {
    /** Why there is no price, as a code. */
    readonly code: string;
    /** The same as text. */
    readonly message: string;
  };
}

/** A client version, exactly major.minor.patch. */
export type BadgeVersion = string;

/** Why something is banned. */
export interface BanReason {
  /** The reason. The publisher can see it. */
  readonly reason?: string;
}

/** What to change of a plan. Later payments get the new credits. */
export interface ChangePlan {
  /** Its name, as buyers see it. */
  readonly name?: string;
  /** An amount of credits above 0, as a decimal string with at most six decimal places. */
  readonly credits?: string;
  /** The price as buyers see it here, in minor units. The provider decides what is charged. */
  readonly price_minor?: number;
  /** An ISO 4217 currency in lower case. */
  readonly currency?: string;
  /** Whether credits left over from a period stay when the next one begins. */
  readonly rolls_over?: boolean;
  /** The provider's page where it is bought. The workspace is added as client_reference_id. Null: none. */
  readonly checkout_url?: string | null;
  /** Whether it is no longer offered. Who has it keeps it, and still gets its credits. */
  readonly is_retired?: boolean;
}

/** What to change about a pool. */
export interface ChangePool {
  /** The lock that its workers must equal, kept on this server; null for any. */
  readonly lock_id: string | null;
}

/** What a worker shall do. */
export interface ChangePoolWorker {
  /** true: finish the jobs it has and take no more. false: take jobs again. */
  readonly draining: boolean;
}

/** What operators wrote about a weight. */
export interface ChangeWeight {
  /** Null removes it. */
  readonly licence?: string | null;
  /** Null removes it. */
  readonly note?: string | null;
}

/** The texts to check. */
export interface CheckProviderDefinition {
  /** The definition, as its author wrote it. It need not be JSON yet. */
  readonly definition: string;
  /** The fixtures. */
  readonly fixtures?: string | null;
  /** Try only this model. Null: all of them. */
  readonly model?: string | null;
}

/** The workspace to switch to. */
export interface ChooseWorkspace {
  /** A lower-case UUID. */
  readonly workspace_id: string;
}

/** An operator token to create. */
export interface CreateAdminToken {
  /** Display name. */
  readonly name: string;
  /** When it expires. Absent or null: never. */
  readonly expires_at?: string | null;
}

/** A deployment to create. Defaults: no idle workers, at most one worker, one job per worker, open to every workspace. */
export interface CreateDeployment {
  /** Display name. */
  readonly name: string;
  readonly environment: DeploymentEnvironmentWish;
  /** Workers an autoscaler keeps even when idle; 0 scales to zero. */
  readonly workers_min?: number;
  /** The most workers an autoscaler may start. */
  readonly workers_max?: number;
  /** Unfinished jobs per wanted worker. */
  readonly jobs_per_worker?: number;
  /** The only workspace whose keys may use it; null for every workspace on this server. */
  readonly workspace_id?: string | null;
  /** An https URL of a public host, called whenever workers_wanted changes. Signed with the webhook secret of workspace_id, which is then required. */
  readonly scale_webhook_url?: string | null;
}

/** A plan to sell. */
export interface CreatePlan {
  /** Its name, as buyers see it. */
  readonly name: string;
  /** subscription, the default: credits for each paid period. */
  readonly kind?: "subscription" | "once";
  /** An amount of credits above 0, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** The price as buyers see it here, in minor units. The provider decides what is charged. */
  readonly price_minor: number;
  /** An ISO 4217 currency in lower case. */
  readonly currency: string;
  /** The provider's id of the price. Payments name it; it cannot be changed. */
  readonly price_id: string;
  /** Whether credits left over from a period stay when the next one begins. */
  readonly rolls_over?: boolean;
  /** The provider's page where it is bought. The workspace is added as client_reference_id. Null: none. */
  readonly checkout_url?: string | null;
}

/** A worker token to create. */
export interface CreateWorkerToken {
  /** The display name. */
  readonly name: string;
  /** Defaults to the shared pool only. */
  readonly pool_ids?: readonly string[];
  /** When it expires. Absent or null: never. */
  readonly expires_at?: string | null;
}

/** A workspace to create. */
export interface CreateWorkspaceAsAdmin {
  /** Display name. */
  readonly name: string;
  /** The person who will own it. */
  readonly owner_id: string;
}

/** A new operator token. */
export interface CreatedAdminToken {
  /** A UUID, or `environment` for the token set by ATELIER_ADMIN_TOKEN. */
  readonly id: string;
  /** Who or what uses it. Appears in the audit log. */
  readonly name: string;
  /** When it was created; null for `environment`. */
  readonly created_at: string | null;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Approximate time of last use; null if never. */
  readonly last_used_at: string | null;
  /** When it was revoked; null if it is active. */
  readonly revoked_at: string | null;
  /** The token itself, shown only once. */
  readonly secret: string;
}

/** A new worker token. */
export interface CreatedWorkerToken {
  /** A lower-case UUID. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** Ids of the pools it may take jobs from: the shared pool or a deployment's. */
  readonly pool_ids: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Time of last use, to the minute. */
  readonly last_used_at: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
  /** The token itself, shown only once. */
  readonly secret: string;
}

/** Credits were moved. The balance is current. */
export interface CreditMove {
  /** A lower-case UUID. */
  readonly transaction_id: string;
  /** A lower-case UUID. */
  readonly workspace_id: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly amount: string;
  readonly credits: CreditBalance;
}

/** What was found. Nothing was stored. */
export interface DefinitionCheck {
  /** The provider's name; null if the definition cannot be read. */
  readonly provider: string | null;
  /** Its models, by their own names. */
  readonly models: readonly string[];
  /** How many cases were tried. */
  readonly cases: number;
  /** Empty if nothing is wrong. */
  readonly findings: readonly DefinitionFinding[];
  /** How the prices were understood. */
  readonly prices: readonly {
    /** The model's own name. */
    readonly model: string;
    /** Its price in USD, in words. */
    readonly usd: string;
    /** What its example costs at most, in USD. */
    readonly example_usd: string;
  }[];
}

/** What is wrong with a definition or its fixtures. */
export interface DefinitionFinding {
  /** The text it is in. */
  readonly in: "definition" | "fixtures";
  /** The JSON pointer of the value it is about. */
  readonly path: string;
  /** The line of that value. */
  readonly line: number;
  /** The character in that line. */
  readonly column: number;
  /** The model it is about; null if it is about the whole. */
  readonly model: string | null;
  /** The case that showed it. */
  readonly case: string | null;
  /** What is wrong, in plain words. */
  readonly message: string;
}

/** A dedicated deployment and its state. */
export interface Deployment {
  /** A lower-case UUID. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  readonly environment: DeploymentEnvironment;
  /** Workers an autoscaler keeps even when idle; 0 scales to zero. */
  readonly workers_min: number;
  /** The most workers an autoscaler may start. */
  readonly workers_max: number;
  /** Unfinished jobs per wanted worker. */
  readonly jobs_per_worker: number;
  /** The only workspace whose keys may use it; null for every workspace on this server. */
  readonly workspace_id: string | null;
  /** An https URL of a public host, called whenever workers_wanted changes. Signed with the webhook secret of workspace_id, which is then required. */
  readonly scale_webhook_url: string | null;
  /** provisioning: no matching worker has reported, and submissions get 429 deployment_not_ready. */
  readonly state: "provisioning" | "ready" | "stopped";
  /** Why it is not ready; null if it is. */
  readonly reason: string | null;
  /** How many workers it needs now, between workers_min and workers_max; 0 if stopped. */
  readonly workers_wanted: number;
  /** Workers that reported within the last minute. */
  readonly workers: readonly DeploymentWorker[];
  /** Processes that start its workers, seen within the last minute. */
  readonly scalers: readonly PoolScaler[];
  /** Waiting and running jobs, counted only as far as workers_max needs. */
  readonly unfinished_jobs: number;
  /** How to reach it. */
  readonly urls: {
    /** The path before /api/v2 on this host. */
    readonly mount: string;
    /** Its own URL; null if none is set up. */
    readonly host: string | null;
  };
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly updated_at: string;
}

/** What every worker of the deployment must match. A worker that differs gets no jobs. */
export interface DeploymentEnvironment {
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The engine version a worker must report; null for any. */
  readonly engine_version: string | null;
  /** The node classes that graphs may use, by name; null for all classes of the engine. */
  readonly node_classes: { readonly [name: string]: string } | null;
  /** The lock that the folder of a worker's application must equal; null for any. */
  readonly lock_id: string | null;
  readonly settings: DeploymentSettings;
}

/** What every worker must match. Defaults to any version, all classes of the engine and no limits. */
export interface DeploymentEnvironmentWish {
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The engine version a worker must report; null for any. */
  readonly engine_version?: string | null;
  /** The node classes that graphs may use, by name; null for all classes of the engine. */
  readonly node_classes?: { readonly [name: string]: string } | null;
  /** The lock that the folder of a worker's application must equal; null for any. */
  readonly lock_id?: string | null;
  readonly settings?: DeploymentSettings;
}

/** One page of all deployments. */
export interface DeploymentPage {
  /** The entries of this page. */
  readonly data: readonly Deployment[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** Limits of a run. Missing ones come from the worker's own settings. */
export interface DeploymentSettings {
  /** How long a graph may run. */
  readonly job_seconds_max?: number;
  /** How much memory a graph may use. */
  readonly job_memory_megabytes_max?: number;
}

/** A worker that reported recently. */
export interface DeploymentWorker {
  /** A lower-case UUID. */
  readonly id: string;
  /** The worker's own name. */
  readonly name: string;
  /** Jobs it runs at once. */
  readonly slots: number;
  /** What runs the graphs. */
  readonly engine: "embedded" | "application";
  /** The version of its engine. */
  readonly engine_version: string;
  /** The lock of its application's folder as it is now; null if it looks at none. */
  readonly lock_id: string | null;
  /** Whether it matches the environment. */
  readonly matches: boolean;
  /** Why it does not match; at most 20 reasons. */
  readonly problems: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
}

/** One setting of the process that answers. */
export interface EffectiveSetting {
  /** Its name in `atelier.config.json`. */
  readonly name: string;
  /** Its environment variable. */
  readonly env: string;
  /** Its flag. */
  readonly flag: string;
  /** The value in effect; *** for a secret that is set, and in place of credentials in an address. Null if it has none. */
  readonly value: string | null;
  /** The default; null if there is none, or if it depends on other settings. */
  readonly default: string | null;
  /** Where the value comes from. A flag wins over the environment, and the environment over the file. */
  readonly source: "flag" | "environment" | "file" | "default";
  /** Whether its value is never shown. */
  readonly is_secret: boolean;
  /** What it does. */
  readonly about: string;
}

/** Every setting of the process that answers. */
export interface EffectiveSettingList {
  /** In the order of docs/SETTINGS.md. */
  readonly data: readonly EffectiveSetting[];
}

/** An empty object. */
export interface EmptyBody {
}

/** With until_version the badge ends at that version; without it, immediately and for all versions. */
export interface EndBadgeRow {
  readonly until_version?: BadgeVersion;
}

/** A lock that is kept on this server. */
export interface Environment {
  /** A lower-case UUID. */
  readonly id: string;
  /** The name. */
  readonly name: string;
  /** Counts the locks kept under this name. */
  readonly version: number;
  /** The id of the lock: equal environments have equal ids. */
  readonly lock_id: string;
  /** Why this version exists; null if nobody said. */
  readonly note: string | null;
  /** The application's version. */
  readonly application_version: string;
  /** How many node packs it has. */
  readonly packs: number;
  /** How many models it has. */
  readonly weights: number;
  /** The size of its models together. */
  readonly weight_bytes: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
}

/** Something that differs between two locks. */
export interface EnvironmentDifference {
  /** What it is. */
  readonly part: "application" | "pack" | "python" | "weight" | "class" | "argument";
  /** Its name or path. */
  readonly name: string;
  /** What happened to it. */
  readonly change: "added" | "removed" | "changed";
  /** How it differs, for people. */
  readonly words: string;
}

/** What differs between two environments. */
export interface EnvironmentDifferences {
  /** At most 1,000 differences. */
  readonly data: readonly EnvironmentDifference[];
  /** How many there are. */
  readonly total: number;
}

/** Everything that decides what an application makes of a graph. `atelier env lock` writes it. */
export interface EnvironmentLock {
  /** The version of this format. */
  readonly atelier_lock: 1;
  /** The application itself. */
  readonly application: {
    /** The application's version. */
    readonly version: string;
    /** The commit that is checked out; null outside of a repository. */
    readonly commit: string | null;
  };
  /** Its node packs, in bytewise order of names. */
  readonly packs: readonly LockedPack[];
  /** The Python that runs it; null if it was left out. */
  readonly python: {
    /** The version of the interpreter. */
    readonly version: string;
    /** The installed packages by name, in lower case with dashes. */
    readonly packages: { readonly [name: string]: string };
  } | null;
  /** Its models, in bytewise order of paths. */
  readonly weights: readonly LockedWeight[];
  /** Its node classes; null if it was not running when the lock was made. */
  readonly classes: { readonly [name: string]: string } | null;
  /** What it was started with, without addresses and folders; null if it was not running. */
  readonly arguments: readonly string[] | null;
}

/** One page of environments, newest first. */
export interface EnvironmentPage {
  /** The entries of this page. */
  readonly data: readonly Environment[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** An environment with its lock. */
export interface EnvironmentWithLock {
  /** A lower-case UUID. */
  readonly id: string;
  /** The name. */
  readonly name: string;
  /** Counts the locks kept under this name. */
  readonly version: number;
  /** The id of the lock: equal environments have equal ids. */
  readonly lock_id: string;
  /** Why this version exists; null if nobody said. */
  readonly note: string | null;
  /** The application's version. */
  readonly application_version: string;
  /** How many node packs it has. */
  readonly packs: number;
  /** How many models it has. */
  readonly weights: number;
  /** The size of its models together. */
  readonly weight_bytes: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  readonly lock: EnvironmentLock;
}

/** All descriptors of a version, as found by an extractor. */
export interface ExtractedDescriptors {
  /** false: the extraction failed. */
  readonly success?: boolean;
  /** The extractor's own status. */
  readonly status?: string;
  /** Why it failed. */
  readonly reason?: string;
  readonly cloud_build_info?: { readonly [name: string]: unknown };
  /** Descriptors by name. */
  readonly nodes?: { readonly [name: string]: UpdateDescriptor };
}

/** A worker that makes its folder equal to a lock, or has done so. */
export interface Fill {
  /** A lower-case UUID. */
  readonly worker_id: string;
  /** The worker's name. */
  readonly name: string;
  /** A lower-case UUID. */
  readonly pool_id: string;
  /** How far it is. */
  readonly state: "filling" | "filled" | "failed";
  /** Bytes that are there. */
  readonly bytes_done: number;
  /** Bytes that the lock needs. */
  readonly bytes_total: number;
  /** What went wrong, for people; null if nothing did. */
  readonly problem: string | null;
  /** How many weights it has or is fetching. */
  readonly weights: number;
  /** Whether neighbours can fetch from it. */
  readonly is_sharing: boolean;
  /** How often a neighbour received wrong bytes from it. */
  readonly accusations: number;
  /** The name of the worker that last received wrong bytes from it. */
  readonly accused_by: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
}

/** The workers that reported within the last minutes. */
export interface FillList {
  readonly data: readonly Fill[];
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
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly expires_at: string;
}

/** Jobs of all workspaces over time, and what is stored. */
export interface InstallationFigures {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** The length of one point, aligned to UTC. */
  readonly step: "minute" | "hour" | "day";
  /** Steps with jobs, oldest first, as far back as jobs are kept. */
  readonly jobs: readonly {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    /** Jobs submitted in this step, in any state. */
    readonly submitted: number;
    /** Of these, how many succeeded. */
    readonly succeeded: number;
    /** Of these, how many failed or expired. */
    readonly failed: number;
    /** Of these, how many were canceled. */
    readonly canceled: number;
    /** Median time from submission to the first start. */
    readonly wait_p50_ms: number | null;
    /** 95th percentile of the time from submission to the first start. */
    readonly wait_p95_ms: number | null;
    /** Median time from the first start to success. */
    readonly run_p50_ms: number | null;
    /** 95th percentile of the time from the first start to success. */
    readonly run_p95_ms: number | null;
  }[];
  /** At this moment. */
  readonly now: {
    /** Jobs that wait. */
    readonly queued: number;
    /** Jobs that run. */
    readonly running: number;
    /** Files that workspaces keep. */
    readonly assets: number;
    /** Their size. Equal files are stored once, so the disk may hold less. */
    readonly stored_bytes: number;
  };
}

/** Auditors read the admin API and its audit; operators also change things. */
export type InstallationRole = "auditor" | "operator";

/** Calls of all workspaces over time. */
export interface InstallationUsage {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly from: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly to: string;
  /** The length of one point, aligned to UTC. */
  readonly step: "minute" | "hour" | "day";
  /** What the points are grouped by. */
  readonly by: "none" | "outcome" | "family" | "subject" | "workspace";
  /** Points with usage, oldest first. */
  readonly data: readonly {
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
    /** Median duration, accurate to 5 %; null if there is none, or with a group. */
    readonly p50_ms: number | null;
    /** 95th percentile of the duration, accurate to 5 %; null if there is none, or with a group. */
    readonly p95_ms: number | null;
  }[];
  /** The total of each group, largest first and `other` last. Empty with by=none. */
  readonly groups: readonly {
    /** The group: with by=workspace, its id. */
    readonly key: string;
    /** The workspace's name; null for other groups. */
    readonly label: string | null;
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
    /** Median duration, accurate to 5 %; null if there is none, or with a group. */
    readonly p50_ms: number | null;
    /** 95th percentile of the duration, accurate to 5 %; null if there is none, or with a group. */
    readonly p95_ms: number | null;
  };
}

/** One of several amounts; they are alternatives, not a sum. */
export interface ListPrice {
  readonly type: "list_usd";
  readonly usd: readonly number[];
  readonly format?: PriceFormat;
}

/** A file of a node pack. */
export interface LockedFile {
  /** A relative path with forward slashes. */
  readonly path: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** The SHA-256 of its bytes. */
  readonly sha256: string;
}

/** A node pack: a folder or a Python file in custom_nodes. */
export interface LockedPack {
  /** The name of the folder or file. */
  readonly name: string;
  /** The id in its pyproject.toml; null if it has none. */
  readonly id: string | null;
  /** The version in its pyproject.toml; null if it has none. */
  readonly version: string | null;
  /** The commit that is checked out; null outside of a repository. */
  readonly commit: string | null;
  /** Its files, in bytewise order of paths. */
  readonly files: readonly LockedFile[];
}

/** A file in the application's models folder. */
export interface LockedWeight {
  /** A relative path with forward slashes. */
  readonly path: string;
  /** The size in bytes. */
  readonly bytes: number;
  /** The SHA-256 of its bytes. */
  readonly sha256: string;
  /** The BLAKE3 hash of its bytes. */
  readonly blake3: string;
}

/** How many calls one model takes, over all workspaces. */
export interface ModelLimits {
  readonly model: ModelId;
  /** Calls that may begin in a minute; null for any number. */
  readonly calls_per_minute: number | null;
  /** Calls that may be open at once, queued ones included; null for any number. */
  readonly concurrency: number | null;
}

/** The models with limits. */
export interface ModelLimitsList {
  /** By model. At most 500. */
  readonly data: readonly ModelLimits[];
}

/** Whether a model is released and served. */
export interface ModelRelease {
  /** The model's canonical id, provider/model. */
  readonly id: string;
  /** The effective value: the operator's setting, or else the definition's. */
  readonly released: boolean;
  /** The operator's setting; null if the definition decides. */
  readonly release_override: boolean | null;
  /** Whether it is listed and callable: released, not past its sunset, and with its credential configured. */
  readonly served: boolean;
  /** When it was deprecated. */
  readonly deprecated_at: string | null;
  /** When it is removed. */
  readonly sunset_at: string | null;
  /** When `atelier models check --live` last succeeded with this definition; null if never. */
  readonly verified: string | null;
}

/** How many credits to add or remove. */
export interface MoveCredits {
  /** An amount of credits above 0, as a decimal string with at most six decimal places. */
  readonly amount: string;
  /** The reason. Recorded in the audit log. */
  readonly note?: string;
}

/** A payment that the provider reported, and the credits it brought. */
export interface Payment {
  /** A lower-case UUID. */
  readonly id: string;
  readonly provider: string;
  /** The provider's invoice, or the payment itself. */
  readonly reference: string;
  /** Null: not known. Assign it, and its credits are added. */
  readonly workspace_id: string | null;
  /** The provider's id of the customer. */
  readonly customer: string | null;
  /** As the provider knows the customer. */
  readonly email: string | null;
  readonly plan_id: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly paid_at: string;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly amount_minor: number;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly refunded_minor: number;
  readonly currency: string;
  /** When the credits were added. Null: not yet. */
  readonly granted_at: string | null;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly taken_back: string;
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly expired: string;
  /** Credits that a refund should have taken back and that were spent. Taken from what is added next. */
  readonly owed: string;
}

/** One event of the payment provider. */
export interface PaymentEvent {
  readonly provider: string;
  readonly event_id: string;
  /** As the provider names it. */
  readonly type: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly made_at: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly received_at: string;
  /** stored: not applied yet, and tried again. ignored: nothing to do with payments. */
  readonly state: "stored" | "applied" | "ignored";
  /** What is missing, if anything. */
  readonly note: string | null;
  /** How often applying it failed. */
  readonly attempts: number;
}

/** One page of events, newest first. */
export interface PaymentEventPage {
  /** The entries of this page. */
  readonly data: readonly PaymentEvent[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** One page of payments, newest first. */
export interface PaymentPage {
  /** The entries of this page. */
  readonly data: readonly Payment[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** A plan as operators see it. */
export interface Plan {
  /** A lower-case UUID. */
  readonly id: string;
  readonly name: string;
  readonly kind: "subscription" | "once";
  /** An amount of credits, as a decimal string with at most six decimal places. */
  readonly credits: string;
  /** An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY. */
  readonly price_minor: number;
  /** An ISO 4217 currency in lower case. */
  readonly currency: string;
  /** The payment provider. */
  readonly provider: string;
  /** The provider's id of the price. */
  readonly price_id: string;
  /** Whether credits left over from a period stay when the next one begins. */
  readonly rolls_over: boolean;
  readonly checkout_url: string | null;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  readonly is_retired: boolean;
}

/** All plans, cheapest first. */
export interface PlanList {
  readonly data: readonly Plan[];
}

/** A pool of workers. */
export interface Pool {
  /** A lower-case UUID. */
  readonly id: string;
  /** The lock that its workers must equal; null for any. */
  readonly lock_id: string | null;
  /** Processes that start its workers, seen within the last minute. */
  readonly scalers: readonly PoolScaler[];
}

/** A process that starts and stops workers of a pool. */
export interface PoolScaler {
  /** A lower-case UUID. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** Workers that are ready. */
  readonly running: number;
  /** Workers that are being started, or whose next start waits. */
  readonly starting: number;
  /** Workers that leave as soon as they have no job. */
  readonly draining: number;
  /** Why the newest start failed; null if none has since one succeeded. */
  readonly failure: StartFailure | null;
  /** The fewest workers it keeps. */
  readonly workers_min: number;
  /** The most workers it starts. */
  readonly workers_max: number;
  /** How many workers it follows now. */
  readonly workers_wanted: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
}

/** A connected worker. */
export interface PoolWorker {
  /** A lower-case UUID. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** What runs its graphs. */
  readonly engine: "embedded" | "application";
  /** The engine's version. */
  readonly version: string;
  /** How many jobs it runs at once. */
  readonly slots: number;
  /** How many node classes it knows. */
  readonly node_classes: number;
  /** Models it has already loaded. */
  readonly models_loaded: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly seen_at: string;
  /** true if an operator wants it to take no more jobs. */
  readonly draining: boolean;
  /** The lock of its application's folder as it is now; null if it looks at none. */
  readonly lock_id: string | null;
  /** Why it gets no jobs, such as what differs from the pinned lock. Empty if it gets them. */
  readonly problems: readonly string[];
  /** The jobs it is running. */
  readonly jobs: readonly {
    /** A lower-case UUID. */
    readonly id: string;
    /** A lower-case UUID. */
    readonly workspace_id: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly started_at: string;
  }[];
}

/** The workers of a pool. */
export interface PoolWorkerList {
  /** Workers seen within the last minute. */
  readonly data: readonly PoolWorker[];
}

/** How a price is written. */
export interface PriceFormat {
  /** The text after the amount. Defaults to /Run. */
  readonly suffix?: string;
  /** A remark after the price. */
  readonly note?: string;
  /** Marks the price as an estimate. */
  readonly approximate?: boolean;
  /** The separator between the amounts of a list. */
  readonly separator?: string;
}

/** Whether a provider responds and accepts the credential. */
export interface ProviderCheck {
  /** refused: the provider does not accept the credential. not_checked: there is no credential, or nothing to call. */
  readonly status: "ok" | "refused" | "failing" | "not_checked";
  /** How long it took; null if the provider was not called. */
  readonly ms: number | null;
  /** What was found, in plain words. */
  readonly words: string;
}

/** A provider definition. Unknown members are refused. */
export interface ProviderDefinition {
  /** The provider's name. */
  readonly provider: string;
  /** The base URL: https on a public host. */
  readonly base_url: string;
  /** How calls are authenticated. Names a setting; contains no secret. */
  readonly credential: {
    /** The scheme. */
    readonly kind: "none" | "bearer" | "header" | "key_pair" | "jwt_hs256";
  };
  /** How to call, poll, read and price each model. See docs/PROVIDER-DEFINITIONS.md. */
  readonly models: readonly {
    /** The model's own name. */
    readonly model: string;
  }[];
}

/** A provider's definition as text, to start a new one from or to change. */
export interface ProviderDefinitionText {
  /** The provider's name. */
  readonly provider: string;
  /** Where it comes from. */
  readonly source: "admin" | "file" | "built_in";
  /** The stored version; null for other sources. */
  readonly version: number | null;
  /** The definition, as JSON. */
  readonly definition: string;
  /** Null if the server has none: stored definitions have none. */
  readonly fixtures: string | null;
}

/** How a provider fares in this process's calls with one credential. */
export interface ProviderHealth {
  /** The provider's name. */
  readonly provider: string;
  /** Whose credential the calls used: the server's, or a workspace's own. */
  readonly credential: "server" | "own";
  /** The workspace whose own credential it is; null for the server's. */
  readonly workspace_id: string | null;
  /** open: it failed five times in a row, and routes ask it last. half_open: the next call of a route tries it. */
  readonly circuit: "closed" | "open" | "half_open";
  /** When one call tries it again; null while the circuit is closed. */
  readonly tries_again_at: string | null;
  /** Since this process started. */
  readonly calls: number;
  /** The share that succeeded, weighted towards the newest. */
  readonly success: number;
  /** Of those that succeeded, weighted towards the newest. */
  readonly latency_ms: number | null;
  /** The last refusal or failure; null if there was none. */
  readonly last_failure: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly at: string;
    /** The provider's HTTP status, if it responded. */
    readonly status: number | null;
    /** What happened, without secrets and URLs. */
    readonly words: string;
  } | null;
}

/** The health of all providers that were called. */
export interface ProviderHealthList {
  /** Sorted by provider, the server's credential first. */
  readonly data: readonly ProviderHealth[];
}

/** A credential of this server to store. */
export interface PutServerCredential {
  /** The key from the provider, or id:secret for a pair. It is never shown again. */
  readonly value: string;
}

/** An amount between two bounds, inclusive. */
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
  /** The reason. Recorded in the audit log. */
  readonly note?: string;
}

/** A credential of this server that a provider or partner refused. */
export interface RefusedCredential {
  /** The provider or partner, as named in usage. */
  readonly refused_by: string;
  /** The variable that holds the credential. */
  readonly setting: string;
  /** The status of the newest refusal. */
  readonly provider_status: number;
  /** Its message, without the credential. */
  readonly provider_words: string | null;
  /** Refusals so far (a lower bound). */
  readonly times: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly last_at: string;
}

/** Refused credentials, newest refusal first. */
export interface RefusedCredentialList {
  readonly data: readonly RefusedCredential[];
}

/** An operator's changes to a node. Omitted fields stay as they are. */
export interface ReviewNode {
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
  readonly status?: NodeStatus;
  /** The reason. The publisher can see it. */
  readonly status_detail?: string;
  readonly tags_admin?: readonly string[];
  readonly search_ranking?: number;
  readonly preempted_svc_node_names?: readonly string[];
}

/** An operator's decision about a version. Omitted fields stay as they are. */
export interface ReviewNodeVersion {
  readonly status?: NodeVersionStatus;
  /** The reason. The publisher can see it. */
  readonly status_reason?: string;
  /** Groups changes that can be undone together. The caller chooses it. */
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

/** A lock to keep. Under a name that exists, it becomes the next version. */
export interface SaveEnvironment {
  /** The name. */
  readonly name: string;
  /** Why this version exists. */
  readonly note?: string;
  readonly lock: EnvironmentLock;
}

/** Whether this server has a credential for a provider, and its source. The value is never shown. */
export interface ServerCredential {
  /** The provider's name. */
  readonly provider: string;
  /** The variable for it. */
  readonly setting: string;
  /** environment: the variable is set, and overrides the rest. stored: an operator entered it. made: created by the server itself, for the sandbox. */
  readonly source: "environment" | "stored" | "made" | "none";
  /** How many models the provider has. */
  readonly models: number;
  /** When an operator entered it; null for other sources. */
  readonly updated_at: string | null;
}

/** This server's credentials. Secrets are not included. */
export interface ServerCredentialList {
  /** Every provider that needs one, sorted by name. */
  readonly data: readonly ServerCredential[];
}

/** A person's role on the installation. */
export interface SetInstallationRole {
  /** null: none. */
  readonly role: InstallationRole | null;
}

/** Whether to release a model. */
export interface SetModelRelease {
  /** Whether the model is released; null lets its definition decide again. */
  readonly released: boolean | null;
}

/** When a model is deprecated and when it is removed. */
export interface SetModelRetirement {
  /** When the model is deprecated; null lets its definition decide again. */
  readonly deprecated_at: string | null;
  /** When the model starts to return 404. At least 90 days after deprecated_at. */
  readonly sunset_at?: string | null;
}

/** Whether a person is an operator. */
export interface SetOperator {
  /** Sending the current value changes nothing. */
  readonly is_operator: boolean;
}

/** A limit for one workspace. */
export interface SetWorkspaceLimit {
  /** The value for this workspace instead of the default. 0 closes a quota; other limits need 1 or more. */
  readonly value: number;
  /** The reason. Recorded in the audit log. */
  readonly reason?: string;
}

/** Why workers could not be started. */
export interface StartFailure {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly at: string;
  /** What ended, and how. */
  readonly message: string;
  /** The last lines it wrote. */
  readonly lines: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly retry_at: string;
}

/** One check. */
export interface SystemCheck {
  /** What was checked. Several findings can share a name. */
  readonly name: string;
  /** problem: something does not work. */
  readonly status: "ok" | "warning" | "problem";
  /** What was found, without secrets. */
  readonly message: string;
  /** How to fix it, with the name of the setting or command; null if all is well. */
  readonly advice: string | null;
}

/** All checks, and when they ran. */
export interface SystemCheckList {
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly checked_at: string;
  /** The server's version. */
  readonly version: string;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly started_at: string;
  /** The findings, in the order of the checks. */
  readonly data: readonly SystemCheck[];
}

/** Where to send a test message. */
export interface TestMail {
  /** An e-mail address in ASCII, without a name. */
  readonly to: string;
}

/** What the mail server said to a test message. */
export interface TestedMail {
  /** refused: it does not take this message. unavailable: it takes none, or could not be reached. */
  readonly status: "accepted" | "refused" | "unavailable";
  /** The server's words, or why there are none. */
  readonly answer: string;
}

/** A price given as text. */
export interface TextPrice {
  readonly type: "text";
  /** Shown as is. */
  readonly text: string;
}

/** The findings of the write-time check, and the prices the badge gives. */
export interface TriedBadge {
  /** true if the badge would be stored: no finding is an error. */
  readonly accepted: boolean;
  readonly findings: readonly BadgeFinding[];
  /** Empty if the expression did not compile. */
  readonly samples: readonly BadgeSample[];
}

/** A badge to check without storing it. */
export interface TryBadge {
  /** Check the badge against this node's descriptor. */
  readonly node_id?: string;
  /** The badge to check. Accepts any shape; problems come back as findings. */
  readonly badge: unknown;
  readonly platforms?: readonly BadgePlatform[];
  readonly from_version?: BadgeVersion;
  readonly until_version?: BadgeVersion | null;
  /** States to evaluate in addition to the server's own. */
  readonly probes?: readonly BadgeProbe[];
}

/** The fields to change; the rest stay as they are. An environment is replaced as a whole. */
export interface UpdateDeployment {
  /** Display name. */
  readonly name?: string;
  readonly environment?: DeploymentEnvironmentWish;
  /** Workers an autoscaler keeps even when idle; 0 scales to zero. */
  readonly workers_min?: number;
  /** The most workers an autoscaler may start. */
  readonly workers_max?: number;
  /** Unfinished jobs per wanted worker. */
  readonly jobs_per_worker?: number;
  /** The only workspace whose keys may use it; null for every workspace on this server. */
  readonly workspace_id?: string | null;
  /** An https URL of a public host, called whenever workers_wanted changes. Signed with the webhook secret of workspace_id, which is then required. */
  readonly scale_webhook_url?: string | null;
}

/** A model file that is kept on this server. */
export interface Weight {
  /** A lower-case UUID. */
  readonly id: string;
  /** Its place below the application's models folder, with forward slashes: checkpoints/base.safetensors. */
  readonly path: string;
  /** Its folder: checkpoints, loras. */
  readonly kind: string;
  /** The BLAKE3 hash of its bytes. */
  readonly blake3: string;
  /** The SHA-256 of its bytes; null until they arrived. */
  readonly sha256: string | null;
  /** The size in bytes. */
  readonly bytes: number;
  /** Whether its bytes are here. */
  readonly state: "arriving" | "ready" | "failed";
  /** How many bytes arrived so far. */
  readonly bytes_received: number;
  /** What went wrong, for people; null if nothing did. */
  readonly problem: string | null;
  /** Where it was fetched from; null if it was uploaded. */
  readonly url: string | null;
  /** Under which licence it may be used; null if nobody said. */
  readonly licence: string | null;
  /** Anything that others should know; null if there is nothing. */
  readonly note: string | null;
  /** How many kept environments need it. */
  readonly environments: number;
  /** How many workers reported it within the last minutes. */
  readonly workers: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When a worker last had it loaded; null if none did. */
  readonly last_used_at: string | null;
}

/** One page of weights, by path. */
export interface WeightPage {
  /** The entries of this page. */
  readonly data: readonly Weight[];
  /** false on the last page. A short page alone does not mean the end. */
  readonly has_more: boolean;
  readonly next_cursor?: Cursor;
  /** The page size that was used. */
  readonly limit: number;
}

/** A weight, with what needs it and who has it. */
export interface WeightWithUses {
  /** A lower-case UUID. */
  readonly id: string;
  /** Its place below the application's models folder, with forward slashes: checkpoints/base.safetensors. */
  readonly path: string;
  /** Its folder: checkpoints, loras. */
  readonly kind: string;
  /** The BLAKE3 hash of its bytes. */
  readonly blake3: string;
  /** The SHA-256 of its bytes; null until they arrived. */
  readonly sha256: string | null;
  /** The size in bytes. */
  readonly bytes: number;
  /** Whether its bytes are here. */
  readonly state: "arriving" | "ready" | "failed";
  /** How many bytes arrived so far. */
  readonly bytes_received: number;
  /** What went wrong, for people; null if nothing did. */
  readonly problem: string | null;
  /** Where it was fetched from; null if it was uploaded. */
  readonly url: string | null;
  /** Under which licence it may be used; null if nobody said. */
  readonly licence: string | null;
  /** Anything that others should know; null if there is nothing. */
  readonly note: string | null;
  /** How many kept environments need it. */
  readonly environments: number;
  /** How many workers reported it within the last minutes. */
  readonly workers: number;
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When a worker last had it loaded; null if none did. */
  readonly last_used_at: string | null;
  /** The kept environments that need it. */
  readonly needed_by: readonly {
    /** A lower-case UUID. */
    readonly environment_id: string;
    readonly name: string;
    readonly version: number;
  }[];
  /** The workers that reported it. */
  readonly had_by: readonly {
    /** A lower-case UUID. */
    readonly worker_id: string;
    readonly name: string;
    /** A lower-case UUID. */
    readonly pool_id: string;
  }[];
}

/** A worker token in a list. Only a hash of the token is stored. */
export interface WorkerToken {
  /** A lower-case UUID. */
  readonly id: string;
  /** The display name. */
  readonly name: string;
  /** Ids of the pools it may take jobs from: the shared pool or a deployment's. */
  readonly pool_ids: readonly string[];
  /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
  readonly created_at: string;
  /** When it expires; null if never. */
  readonly expires_at: string | null;
  /** Time of last use, to the minute. */
  readonly last_used_at: string | null;
  /** When it was revoked. */
  readonly revoked_at: string | null;
}

/** All worker tokens. */
export interface WorkerTokenList {
  /** All tokens, including revoked ones, newest first. */
  readonly data: readonly WorkerToken[];
}

/** One limit or quota of one workspace. */
export interface WorkspaceLimit {
  /** The limit's name. */
  readonly name: string;
  /** The kind of limit. */
  readonly kind: "quota" | "rate" | "size" | "concurrency";
  /** The value for this workspace. */
  readonly value: number;
  /** The default value. */
  readonly default: number;
  /** Whether an operator changed it for this workspace. */
  readonly overridden: boolean;
  /** What it limits. */
  readonly description: string;
}

/** All limits and quotas of one workspace. */
export interface WorkspaceLimitList {
  /** Every limit, changed or not. */
  readonly data: readonly WorkspaceLimit[];
}

/** What a workspace may run. */
export interface WorkspaceModels {
  /** Whether the workspace may use the model router. If false, calls return 403 not_enabled. */
  readonly router_enabled: boolean;
  /** Which models it may run; null for the installation's default. */
  readonly entitlements: readonly string[] | null;
}

/** Get the price badges of all nodes */
export const getBadges = "GET /nodes/pricing/badges" as Operation<{
  readonly query: {
    /** The client's version as major.minor.patch; nightly or anything unreadable means the latest. */
    readonly app_version: string;
    readonly platform: BadgePlatform;
  };
  readonly answer: BadgeMap;
}>;

/** List stored badges */
export const listBadgeRows = "GET /admin/badges" as Operation<{
  readonly query?: {
    /** Only badges of this node. */
    readonly node_id?: string;
    readonly platform?: BadgePlatform;
    /** true: only ended badges. false: only the others. */
    readonly ended?: boolean;
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
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
    /** A lower-case UUID. */
    readonly badgeRowId: string;
  };
  readonly json: BadgeRowInput;
  readonly answer: BadgeRow;
}>;

/** End a badge */
export const endBadgeRow = "POST /admin/badges/{badgeRowId}/end" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly badgeRowId: string;
  };
  readonly json?: EndBadgeRow;
  readonly answer: BadgeRow;
}>;

/** Remove a stored badge */
export const deleteBadgeRow = "DELETE /admin/badges/{badgeRowId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly badgeRowId: string;
  };
}>;

/** Check a badge and preview its prices */
export const tryBadge = "POST /admin/badges/dry-run" as Operation<{
  readonly json: TryBadge;
  readonly answer: TriedBadge;
}>;

/** List the released models */
export const listModels = "GET /v1/models" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
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

/** Estimate the cost of a call */
export const estimateModel = "POST /v1/models/{provider}/{model}/estimate viewer" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly json: ModelInput;
  readonly answer: ModelEstimate;
}>;

/** Get a model's input schema */
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
    /** Called once, when the request has completed. Must be https on port 443. */
    readonly webhook_url?: string;
  };
  readonly json: ModelInput;
  readonly answer: AcceptedModelRequest;
}>;

/** Get the status of a queued model call */
export const getModelRequestStatus = "GET /v1/models/{provider}/{model}/requests/{request_id}/status" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
    /** The request. */
    readonly request_id: string;
  };
  readonly answer: ModelRequest;
}>;

/** Get the result of a queued model call */
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
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
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

/** Enhance skin, flexible mode */
export const enhanceSkinFlexible = "POST /proxy/partner-a/v1/ai/skin-enhancer/flexible" as Operation<{
  readonly json: SkinEnhancerFlexibleRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Enhance skin, creative mode */
export const enhanceSkinCreative = "POST /proxy/partner-a/v1/ai/skin-enhancer/creative" as Operation<{
  readonly json: SkinEnhancerCreativeRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Enhance skin, faithful mode */
export const enhanceSkinFaithful = "POST /proxy/partner-a/v1/ai/skin-enhancer/faithful" as Operation<{
  readonly json: SkinEnhancerFaithfulRequest;
  readonly answer: PartnerATaskResult;
}>;

/** Read a skin enhancer task, in any mode */
export const getSkinEnhancerTask = "GET /proxy/partner-a/v1/ai/skin-enhancer/{task_id}" as Operation<{
  readonly params: {
    /** The task's id. */
    readonly task_id: string;
  };
  readonly answer: PartnerATaskResult;
}>;

/** Make a video from text */
export const createTextToVideoPrompt = "POST /proxy/partner-b/prompts/text-to-video" as Operation<{
  readonly json: TextToVideoRequest;
  readonly answer: PartnerBPrompt;
}>;

/** Make a video from an image */
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

/** Receive a partner's task notification */
export const receivePartnerCallback = "POST /callbacks/{partner}/{task_id}/{token}" as Operation<{
  readonly params: {
    /** The partner's name. */
    readonly partner: string;
    /** The task's id. */
    readonly task_id: string;
    /** The server's signature of this URL. */
    readonly token: string;
  };
  readonly json: unknown;
  readonly answer: {
  };
}>;

/** Get an upload URL for a partner file */
export const createStorageTicket = "POST /customers/storage" as Operation<{
  readonly json: StorageRequest;
  readonly answer: StorageTicket;
}>;

/** Get the caller's registry account */
export const getRegistryUser = "GET /users" as Operation<{
  readonly answer: RegistryUser;
}>;

/** List the caller's publishers */
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

/** Check whether a publisher id is free */
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

/** Get the caller's permissions on a publisher */
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

/** Create a publishing token */
export const createPublisherToken = "POST /publishers/{publisherId}/tokens" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json: CreatePublisherToken;
  readonly answer: CreatedPublisherToken;
}>;

/** List publishing tokens */
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

/** List the nodes of a publisher, paged */
export const listPublisherNodesPaged = "GET /publishers/{publisherId}/nodes/v2" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page: 10 by default, at most 100. Larger values are clamped; less than 1 means the default. */
    readonly limit?: number;
  };
  readonly answer: NodePage;
}>;

/** Update a node */
export const updateNode = "PUT /publishers/{publisherId}/nodes/{nodeId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly json: UpdateNode;
  readonly answer: Node;
}>;

/** Delete a node */
export const deleteNode = "DELETE /publishers/{publisherId}/nodes/{nodeId}" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
}>;

/** Get the caller's permissions on a node */
export const getNodePermissions = "GET /publishers/{publisherId}/nodes/{nodeId}/permissions" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly answer: EditPermission;
}>;

/** Claim an unowned node */
export const claimNode = "POST /publishers/{publisherId}/nodes/{nodeId}/claim-my-node" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly json: ClaimNode;
}>;

/** List nodes */
export const listNodes = "GET /nodes" as Operation<{
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page: 10 by default, at most 100. Larger values are clamped; less than 1 means the default. */
    readonly limit?: number;
    /** Only these nodes. */
    readonly node_id?: readonly string[];
    /** Only nodes for this operating system. */
    readonly supported_os?: string;
    /** Only nodes for this accelerator. */
    readonly supported_accelerator?: string;
    /** Only nodes for this version of the application. */
    readonly app_version?: string;
    /** How the client is installed. Does not filter. */
    readonly form_factor?: string;
    /** Include banned nodes. Off by default. */
    readonly include_banned?: boolean;
    /** Only nodes changed since this time. */
    readonly timestamp?: string;
    /** Bypass caches. */
    readonly latest?: boolean;
    /** Columns to sort by; column;desc reverses the order. */
    readonly sort?: readonly string[];
  };
  readonly answer: NodePage;
}>;

/** Search nodes */
export const searchNodes = "GET /nodes/search" as Operation<{
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page: 10 by default, at most 100. Larger values are clamped; less than 1 means the default. */
    readonly limit?: number;
    /** Words to find in the id, name, description or author. All must occur. */
    readonly search?: string;
    /** Part of the repository URL. */
    readonly repository_url_search?: string;
    /** Part of the name of a node class the node provides. */
    readonly svc_node_search?: string;
    /** Only nodes for this operating system. */
    readonly supported_os?: string;
    /** Only nodes for this accelerator. */
    readonly supported_accelerator?: string;
    /** Only nodes for this version of the application. */
    readonly app_version?: string;
    /** Include banned nodes. Off by default. */
    readonly include_banned?: boolean;
  };
  readonly answer: NodePage;
}>;

/** Export all listed nodes */
export const dumpNodes = "GET /bulk/nodes" as Operation<{
  readonly query?: {
    /** Only nodes changed since this time. */
    readonly timestamp?: string;
    /** Include banned nodes and, with timestamp, deleted ones. Off by default. */
    readonly include_banned?: boolean;
  };
}>;

/** Read a node */
export const getNode = "GET /nodes/{nodeId}" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** Include translations. */
    readonly include_translations?: boolean;
  };
  readonly answer: Node;
}>;

/** Resolve the version to install and count a download */
export const installNode = "GET /nodes/{nodeId}/install" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** The version. Defaults to the latest if absent or empty. */
    readonly version?: string;
  };
  readonly answer: NodeVersion;
}>;

/** Rate a node */
export const createReview = "POST /nodes/{nodeId}/reviews" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly query: {
    /** Stars. */
    readonly star: number;
  };
  readonly answer: Node;
}>;

/** Add translations to a node */
export const createNodeTranslations = "POST /nodes/{nodeId}/translations" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly json: TranslationsOfNode;
  readonly answer: Node;
}>;

/** Find the node that provides a node class */
export const getNodeByDescriptorName = "GET /svc-nodes/{svcNodeName}/node" as Operation<{
  readonly params: {
    /** The name of the node class. */
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
    /** The node's id, case-insensitive. */
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
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
}>;

/** Read a version's findings and status history */
export const getVersionReview = "GET /publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/review" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
  readonly answer: NodeVersionReview;
}>;

/** Ask an operator to review a flagged or rejected version */
export const appealNodeVersion = "POST /publishers/{publisherId}/nodes/{nodeId}/versions/{versionId}/appeal" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's id, a UUID. */
    readonly versionId: string;
  };
  readonly json: AppealNodeVersion;
  readonly answer: NodeVersion;
}>;

/** List the versions of a node */
export const listNodeVersions = "GET /nodes/{nodeId}/versions" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
  };
  readonly query?: {
    /** Only versions in these states. */
    readonly statuses?: readonly NodeVersionStatus[];
    /** Include the reason for each status. */
    readonly include_status_reason?: boolean;
  };
  readonly answer: readonly NodeVersion[];
}>;

/** Read a version by its number */
export const getNodeVersion = "GET /nodes/{nodeId}/versions/{version}" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly answer: NodeVersion;
}>;

/** Read a version's readme */
export const getNodeReadme = "GET /nodes/{nodeId}/versions/{version}/readme" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly answer: NodeReadme;
}>;

/** Read what a version's code can do */
export const getNodeCapabilities = "GET /nodes/{nodeId}/versions/{version}/capabilities" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly query?: {
    /** Compare with this version instead. */
    readonly since?: string;
  };
  readonly answer: NodeCapabilities;
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
    /** Include the reason for each status. */
    readonly include_status_reason?: boolean;
    /** Only versions whose reason contains this text. */
    readonly status_reason?: string;
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page. Values above 100 are refused. */
    readonly pageSize?: number;
  };
  readonly answer: NodeVersionPage;
}>;

/** List the descriptors of a version */
export const listDescriptors = "GET /nodes/{nodeId}/versions/{version}/svc-nodes" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly query?: {
    /** Page number from 1; less than 1 means 1. */
    readonly page?: number;
    /** Entries per page: 10 by default, at most 100. Larger values are clamped; less than 1 means the default. */
    readonly limit?: number;
  };
  readonly answer: DescriptorPage;
}>;

/** Read a descriptor */
export const getDescriptor = "GET /nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
    /** The name of the node class. */
    readonly svcNodeName: string;
  };
  readonly answer: NodeDescriptor;
}>;

/** Update a node descriptor */
export const updateDescriptor = "PUT /nodes/{nodeId}/versions/{version}/svc-nodes/{svcNodeName}" as Operation<{
  readonly params: {
    /** The node's id, case-insensitive. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
    /** The name of the node class. */
    readonly svcNodeName: string;
  };
  readonly json: UpdateDescriptor;
  readonly answer: NodeDescriptor;
}>;

/** List the descriptors of all nodes */
export const searchDescriptors = "GET /svc-nodes" as Operation<{
  readonly query?: {
    /** Only descriptors of this node. */
    readonly node_id?: string;
    /** Only descriptors of this version. */
    readonly node_version?: string;
    /** Only descriptors with this name. */
    readonly svc_node_name?: string;
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page. Values above 100 are refused. */
    readonly pageSize?: number;
  };
  readonly answer: DescriptorSearchPage;
}>;

/** Ban a publisher and its nodes */
export const banPublisher = "POST /publishers/{publisherId}/ban operator" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
  readonly json?: BanReason;
}>;

/** Unban a publisher */
export const unbanPublisher = "DELETE /publishers/{publisherId}/ban operator" as Operation<{
  readonly params: {
    readonly publisherId: PublisherId;
  };
}>;

/** Ban a node */
export const banNode = "POST /publishers/{publisherId}/nodes/{nodeId}/ban operator" as Operation<{
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

/** Review a version, with a reason */
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

/** Read a version's findings and status history */
export const getVersionReviewAsAdmin = "GET /admin/nodes/{nodeId}/versions/{version}/review" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly answer: NodeVersionReview;
}>;

/** Undo the status changes of one batch */
export const undoReviewBatch = "POST /admin/nodeversions/batches/{batchId}/undo" as Operation<{
  readonly params: {
    /** The batch_id of the changes. */
    readonly batchId: string;
  };
  readonly answer: readonly NodeVersion[];
}>;

/** List versions of all nodes, including deleted ones */
export const listNodeVersionsAsAdmin = "GET /admin/nodeversions" as Operation<{
  readonly query?: {
    /** Include deleted versions. */
    readonly include_deleted?: boolean;
    /** Only versions of this node. */
    readonly nodeId?: string;
    /** Only versions in these states. */
    readonly statuses?: readonly NodeVersionStatus[];
    /** Only versions whose publisher's appeal waits for an operator. */
    readonly appealed?: boolean;
    /** Page number from 1. */
    readonly page?: number;
    /** Entries per page. */
    readonly pageSize?: number;
  };
  readonly answer: NodeVersionPage;
}>;

/** Create a short-lived operator token */
export const generateAdminToken = "POST /admin/generate-token" as Operation<{
  readonly answer: GeneratedToken;
}>;

/** Store all descriptors of a version at once */
export const createDescriptors = "POST /nodes/{nodeId}/versions/{version}/svc-nodes operator" as Operation<{
  readonly params: {
    /** The node's id. */
    readonly nodeId: string;
    /** The version's number. */
    readonly version: string;
  };
  readonly json: ExtractedDescriptors;
}>;

/** Extract missing descriptors */
export const backfillDescriptors = "POST /svc-nodes/backfill operator" as Operation<{
  readonly query?: {
    /** The maximum number of nodes. */
    readonly max_node?: number;
  };
}>;

/** Rebuild the search index */
export const reindexNodes = "POST /nodes/reindex operator" as Operation<{}>;

/** Refresh the star counts of repositories */
export const updateRepositoryStars = "POST /nodes/update-github-stars operator" as Operation<{
  readonly query?: {
    /** The maximum number of nodes. */
    readonly max_batch?: number;
  };
}>;

/** Check versions that await review */
export const scanPendingVersions = "GET /security-scan operator" as Operation<{
  readonly query?: {
    /** Only versions that have waited at least this long: a number of seconds, minutes, hours or days. */
    readonly minAge?: string;
    /** The maximum number of versions. */
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
    /** Only jobs whose metadata is exactly this text. */
    readonly metadata?: string;
    /** Only the job submitted with this key. */
    readonly idempotency_key?: string;
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: JobPage;
}>;

/** Read a job */
export const getJob = "GET /api/v2/jobs/{id}" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly answer: Job;
}>;

/** Get the graph a job executed */
export const getJobWorkflow = "GET /api/v2/jobs/{id}/workflow" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly answer: JobWorkflow;
}>;

/** Get a job's newest preview image */
export const getJobPreview = "GET /api/v2/jobs/{id}/preview" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly id: string;
  };
}>;

/** Follow a job live */
export const followJobEvents = "GET /api/v2/jobs/{id}/events" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly id: string;
  };
}>;

/** Cancel a job */
export const cancelJob = "POST /api/v2/jobs/{id}/cancel" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly answer: Job;
}>;

/** Cancel one job, in the application's own format */
export const cancelOneJob = "POST /api/jobs/{job_id}/cancel" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly job_id: string;
  };
  readonly answer: CanceledJob;
}>;

/** Cancel several jobs, in the application's own format */
export const cancelManyJobs = "POST /api/jobs/cancel" as Operation<{
  readonly json: CancelJobs;
  readonly answer: CanceledJobs;
}>;

/** Read an executed graph on a deployment */
export const getExecutedWorkflow = "GET /workflow" as Operation<{
  readonly query?: {
    /** The job's id. A malformed id returns 404. */
    readonly job_id?: string;
  };
  readonly answer: JobWorkflow;
}>;

/** Convert an editor workflow to API format */
export const convertWorkflow = "POST /api/v2/workflows/convert viewer" as Operation<{
  readonly json: ConvertWorkflow;
  readonly answer: ConvertedWorkflow;
}>;

/** Get the entry point of v2 */
export const getWorkflowIndex = "GET /api/v2" as Operation<{
  readonly answer: WorkflowIndex;
}>;

/** Check the health of the v2 API */
export const getWorkflowHealth = "GET /api/v2/health" as Operation<{
  readonly answer: WorkflowHealth;
}>;

/** List the node classes available here */
export const listNodeClasses = "GET /api/v2/node-classes" as Operation<{
  readonly query?: {
    /** Words to find in the name, title, category or description, ignoring case. All must occur. Best matches first. */
    readonly q?: string;
    /** Only this category and its subcategories. */
    readonly category?: string;
    /** object_info returns the application's own format, with all matches in one map. Defaults to this API's format. */
    readonly format?: "object_info";
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: NodeClassPage | ObjectInfo;
}>;

/** Read a node class */
export const getNodeClass = "GET /api/v2/node-classes/{name}" as Operation<{
  readonly params: {
    /** The class name, URL-encoded. */
    readonly name: string;
  };
  readonly query?: {
    /** object_info returns the application's own format, with all matches in one map. Defaults to this API's format. */
    readonly format?: "object_info";
  };
  readonly answer: NodeClass | ObjectInfo;
}>;

/** Upload a file */
export const uploadAsset = "POST /api/v2/assets" as Operation<{
  readonly body: BodyInit;
  readonly answer: Asset;
}>;

/** Create an asset from a file the server already has */
export const createAssetFromHash = "POST /api/v2/assets/from-hash" as Operation<{
  readonly json: AssetFromHash;
  readonly answer: Asset;
}>;

/** Register a file that the application has already */
export const createAssetFromPath = "POST /api/v2/assets/from-path" as Operation<{
  readonly json: AssetFromPath;
  readonly answer: Asset;
}>;

/** Check whether the server already has a file */
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
    /** Only outputs of this job. */
    readonly job?: string;
    /** Only uploads, or only job outputs. */
    readonly source?: "upload" | "output";
    /** Only assets whose file_path contains this, ignoring case. */
    readonly q?: string;
    /** Only assets with this content hash. */
    readonly hash?: string;
    /** Only assets created at or after this time. */
    readonly created_from?: string;
    /** Only assets created before this time. */
    readonly created_before?: string;
    /** Only assets that expire before this time. */
    readonly expires_before?: string;
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: AssetPage;
}>;

/** Resolve an asset to a fresh URL */
export const getAsset = "GET /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly answer: Asset;
}>;

/** Add tags to or remove tags from an asset */
export const changeAssetTags = "PATCH /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly json: AssetTags;
  readonly answer: Asset;
}>;

/** Delete an asset */
export const deleteAsset = "DELETE /api/v2/assets/{id}" as Operation<{
  readonly params: {
    /** The asset's id. A malformed id returns 404. */
    readonly id: string;
  };
}>;

/** Download an asset */
export const getAssetContent = "GET /api/v2/assets/{id}/content" as Operation<{
  readonly params: {
    /** The asset's id. A malformed id returns 404. */
    readonly id: string;
  };
}>;

/** Get a thumbnail of an asset */
export const getAssetThumbnail = "GET /api/v2/assets/{id}/thumbnail" as Operation<{
  readonly params: {
    /** The asset's id. A malformed id returns 404. */
    readonly id: string;
  };
  readonly query?: {
    /** The longer side, in pixels. */
    readonly size?: "128" | "512";
  };
}>;

/** Create a resumable upload */
export const createUpload = "POST /api/v2/uploads" as Operation<{}>;

/** Get the offset of a resumable upload */
export const getUploadOffset = "HEAD /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
}>;

/** Upload a chunk of a resumable upload */
export const appendToUpload = "PATCH /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
  readonly body: BodyInit;
}>;

/** Abort a resumable upload */
export const deleteUpload = "DELETE /api/v2/uploads/{id}" as Operation<{
  readonly params: {
    /** The upload's id. */
    readonly id: string;
  };
}>;

/** Read an asset's bytes by a signed address */
export const getSignedContent = "GET /c/{assetId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
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
    /** A lower-case UUID. */
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
    /** A lower-case UUID. */
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
    /** A lower-case UUID. */
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

/** Get the caller */
export const getAccount = "GET /account" as Operation<{
  readonly answer: Account;
}>;

/** List the workspace's API keys */
export const listKeys = "GET /account/keys" as Operation<{
  readonly answer: AccountKeyList;
}>;

/** Create an API key */
export const createKey = "POST /account/keys viewer" as Operation<{
  readonly json: CreateKey;
  readonly answer: CreatedAccountKey;
}>;

/** Revoke an API key */
export const revokeKey = "DELETE /account/keys/{keyId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly answer: AccountKey;
}>;

/** Rename an API key */
export const updateKey = "PATCH /account/keys/{keyId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly json: UpdateKey;
  readonly answer: AccountKey;
}>;

/** Rotate an API key */
export const rotateKey = "POST /account/keys/{keyId}/rotation viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly json?: RotateKey;
  readonly answer: CreatedAccountKey;
}>;

/** Get a key's spending caps */
export const getKeyCaps = "GET /account/keys/{keyId}/caps" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly answer: KeyCaps;
}>;

/** Set a key's spending caps */
export const setKeyCaps = "PUT /account/keys/{keyId}/caps billing" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly json: SetKeyCaps;
  readonly answer: KeyCaps;
}>;

/** Get how many calls a key may make */
export const getKeyLimits = "GET /account/keys/{keyId}/limits" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly answer: KeyLimits;
}>;

/** Limit how many calls a key may make */
export const setKeyLimits = "PUT /account/keys/{keyId}/limits owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly keyId: string;
  };
  readonly json: SetCallLimits;
  readonly answer: KeyLimits;
}>;

/** List the workspace's service accounts */
export const listServiceAccounts = "GET /account/service-accounts" as Operation<{
  readonly answer: ServiceAccountList;
}>;

/** Create a service account */
export const createServiceAccount = "POST /account/service-accounts owner" as Operation<{
  readonly json: CreateServiceAccount;
  readonly answer: ServiceAccount;
}>;

/** Remove a service account */
export const deleteServiceAccount = "DELETE /account/service-accounts/{accountId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly accountId: string;
  };
  readonly answer: RemovedServiceAccount;
}>;

/** Delete a job output */
export const deleteJobOutput = "DELETE /account/jobs/{jobId}/outputs/{assetId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly jobId: string;
    /** A lower-case UUID. */
    readonly assetId: string;
  };
}>;

/** Get the state of the workspace's job queue */
export const getAccountQueue = "GET /account/queue" as Operation<{
  readonly answer: AccountQueue;
}>;

/** Pause or resume the workspace's job queue */
export const setAccountQueue = "PUT /account/queue owner" as Operation<{
  readonly json: SetAccountQueue;
  readonly answer: AccountQueue;
}>;

/** Get the workspace's credit balance */
export const getCredits = "GET /account/credits" as Operation<{
  readonly answer: CreditBalance;
}>;

/** List the workspace's credit journal */
export const listCreditLines = "GET /account/credits/lines" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** Only the lines of this transaction, including holds and releases. */
    readonly transaction_id?: string;
  };
  readonly answer: CreditLinePage;
}>;

/** List the workspace's usage */
export const listUsage = "GET /account/usage" as Operation<{
  readonly query?: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this exact subject. */
    readonly subject?: string;
    /** Only this exact outcome. */
    readonly outcome?: string;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Only calls with this tag: key=value. */
    readonly tag?: string;
    /** Only calls for this person. */
    readonly end_user?: string;
    /** true: only replays. false: everything except replays. */
    readonly replayed?: boolean;
    /** Only subjects with this prefix: `model` matches `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** true: only failures, without replays. false: everything else. */
    readonly failed?: boolean;
    /** Only rows of this request. Also accepts the id of a call or a queued request, and then includes its replays. */
    readonly request_id?: string;
    /** Rows per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: UsagePage;
}>;

/** Get the workspace's usage per day */
export const sumUsage = "GET /account/usage/daily" as Operation<{
  readonly query?: {
    /** The first day, in UTC. Defaults to 30 days ago. */
    readonly from?: string;
    /** The last day, in UTC, inclusive. Defaults to today. At most 400 days after `from`. */
    readonly to?: string;
    /** Return a separate sum for each subject. */
    readonly by?: "subject";
    /** Only this exact subject. */
    readonly subject?: string;
    /** Only this exact outcome. */
    readonly outcome?: string;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Only calls with this tag: key=value. */
    readonly tag?: string;
    /** Only calls for this person. */
    readonly end_user?: string;
    /** true: only replays. false: everything except replays. */
    readonly replayed?: boolean;
    /** Only subjects with this prefix: `model` matches `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** true: only failures, without replays. false: everything else. */
    readonly failed?: boolean;
  };
  readonly answer: UsageDayList;
}>;

/** Export the workspace's usage as a file */
export const exportUsage = "GET /account/usage/export" as Operation<{
  readonly query?: {
    /** Defaults to csv. */
    readonly format?: "csv" | "jsonl";
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this exact subject. */
    readonly subject?: string;
    /** Only this exact outcome. */
    readonly outcome?: string;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Only calls with this tag: key=value. */
    readonly tag?: string;
    /** Only calls for this person. */
    readonly end_user?: string;
    /** true: only replays. false: everything except replays. */
    readonly replayed?: boolean;
    /** Only subjects with this prefix: `model` matches `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** true: only failures, without replays. false: everything else. */
    readonly failed?: boolean;
  };
}>;

/** List the caller's workspaces */
export const listWorkspaces = "GET /account/workspaces" as Operation<{
  readonly answer: WorkspaceList;
}>;

/** Create a workspace */
export const createWorkspace = "POST /account/workspaces viewer" as Operation<{
  readonly json: NameWorkspace;
  readonly answer: Workspace;
}>;

/** Rename a workspace */
export const updateWorkspace = "PATCH /account/workspaces/{workspaceId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: NameWorkspace;
  readonly answer: Workspace;
}>;

/** Get whether a workspace keeps the inputs and answers of its model calls */
export const getRequestBodyKeeping = "GET /account/workspaces/{workspaceId}/request-bodies" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: RequestBodyKeeping;
}>;

/** Keep the inputs and answers of a workspace's model calls, or stop */
export const setRequestBodyKeeping = "PUT /account/workspaces/{workspaceId}/request-bodies owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: SetRequestBodyKeeping;
  readonly answer: RequestBodyKeeping;
}>;

/** Get how long a workspace keeps its files and its history */
export const getRetention = "GET /account/workspaces/{workspaceId}/retention" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: Retention;
}>;

/** Set how long a workspace keeps its files and its history */
export const setRetention = "PUT /account/workspaces/{workspaceId}/retention owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: SetRetention;
  readonly answer: Retention;
}>;

/** Count what a workspace would delete with other days */
export const estimateRetention = "POST /account/workspaces/{workspaceId}/retention/estimate viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: SetRetention;
  readonly answer: RetentionEstimate;
}>;

/** Get whether a workspace is here, moving or moved */
export const getWorkspaceMove = "GET /account/workspaces/{workspaceId}/move owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceMove;
}>;

/** Move a workspace to another server */
export const moveWorkspace = "PUT /account/workspaces/{workspaceId}/move owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: MoveWorkspace;
  readonly answer: WorkspaceMove;
}>;

/** Keep a workspace here after all */
export const undoWorkspaceMove = "DELETE /account/workspaces/{workspaceId}/move owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceMove;
}>;

/** List the members of a workspace */
export const listMembers = "GET /account/workspaces/{workspaceId}/members" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: AccountMemberList;
}>;

/** Add a member to a workspace */
export const addMember = "POST /account/workspaces/{workspaceId}/members owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: AddMember;
  readonly answer: AddedMember;
}>;

/** Create a new sign-in link for a member who has never signed in */
export const inviteMemberAgain = "POST /account/workspaces/{workspaceId}/members/{personId}/sign-in-link owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly json: InviteAgain;
  readonly answer: SignInLink;
}>;

/** Change a member's role */
export const updateMember = "PATCH /account/workspaces/{workspaceId}/members/{personId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly json: UpdateMember;
  readonly answer: AccountMember;
}>;

/** Remove a member from a workspace */
export const removeMember = "DELETE /account/workspaces/{workspaceId}/members/{personId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly query?: {
    /** Keep the person's keys working. */
    readonly keep_keys?: boolean;
  };
  readonly answer: RemovedMember;
}>;

/** Export everything about yourself */
export const exportPerson = "GET /account/person" as Operation<{
  readonly answer: PersonalData;
}>;

/** Erase yourself */
export const erasePerson = "DELETE /account/person viewer" as Operation<{
  readonly query?: {
    /** true: the workspaces keep the keys that the person made. By default they are revoked. */
    readonly keep_keys?: boolean;
  };
  readonly answer: ErasedPerson;
}>;

/** List the caller's browser sessions */
export const listSessions = "GET /account/sessions" as Operation<{
  readonly answer: AccountSessionList;
}>;

/** Sign out one browser */
export const endSession = "DELETE /account/sessions/{sessionId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly sessionId: string;
  };
}>;

/** Sign out all other browsers */
export const endOtherSessions = "DELETE /account/sessions viewer" as Operation<{
  readonly answer: EndedSessions;
}>;

/** Switch the browser session to another workspace */
export const chooseSessionWorkspace = "PUT /account/session viewer" as Operation<{
  readonly json: ChooseWorkspace;
  readonly answer: Workspace;
}>;

/** Get the public keys of the identity issuer */
export const getKeySet = "GET /.well-known/jwks.json" as Operation<{
  readonly answer: KeySet;
}>;

/** The sign-in page */
export const showSignIn = "GET /sign-in" as Operation<{}>;

/** Sign in at the OpenID Connect issuer */
export const beginOidcSignIn = "GET /sign-in/oidc" as Operation<{
  readonly query?: {
    /** The path on this server to return to. Anything else falls back to the start page. */
    readonly return_to?: string;
  };
}>;

/** Callback of the OpenID Connect issuer */
export const finishOidcSignIn = "GET /sign-in/oidc/callback" as Operation<{}>;

/** Open a sign-in link */
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

/** The API keys page */
export const showApiKeys = "GET /profile/api-keys" as Operation<{}>;

/** Sign out */
export const signOut = "POST /profile/sign-out viewer" as Operation<{
  readonly json?: EmptyBody;
}>;

/** Get the workspace's usage over time */
export const getUsageSeries = "GET /account/usage/series" as Operation<{
  readonly query?: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** The length of one point. Defaults to the shortest step with at most 300 points. At most 1500 points are returned. */
    readonly step?: "minute" | "hour" | "day";
    /** Group by this: the 8 largest groups, and `other` for the rest. */
    readonly by?: "none" | "subject" | "outcome" | "api_key_id" | "family" | "tag" | "end_user";
    /** With by=tag: the key whose values are the groups. */
    readonly tag_key?: string;
    /** Whether to return p50_ms and p95_ms. Defaults to true with by=none, else false. */
    readonly latency?: boolean;
    /** Only this exact subject. */
    readonly subject?: string;
    /** Only this exact outcome. */
    readonly outcome?: string;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Only calls with this tag: key=value. */
    readonly tag?: string;
    /** Only calls for this person. */
    readonly end_user?: string;
    /** true: only replays. false: everything except replays. */
    readonly replayed?: boolean;
    /** Only subjects with this prefix: `model` matches `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** true: only failures, without replays. false: everything else. */
    readonly failed?: boolean;
  };
  readonly answer: UsageSeries;
}>;

/** Group failures by kind */
export const listErrorGroups = "GET /account/errors" as Operation<{
  readonly query?: {
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly from?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly to?: string;
    /** Only this exact subject. */
    readonly subject?: string;
    /** Only this exact outcome. */
    readonly outcome?: string;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Only subjects with this prefix: `model` matches `model:…`. */
    readonly family?: "model" | "partner" | "node" | "job";
    /** How many groups to return: 20 by default, at most 100. Larger values are clamped; 0 or less means the default. */
    readonly limit?: number;
  };
  readonly answer: ErrorGroupList;
}>;

/** List the models that the workspace can call, with titles and prices */
export const listAccountModels = "GET /account/models" as Operation<{
  readonly answer: AccountModelList;
}>;

/** Get recent model statistics for the workspace */
export const getModelStats = "GET /account/models/stats" as Operation<{
  readonly query?: {
    /** How many hours to look back; 24 by default. */
    readonly hours?: number;
  };
  readonly answer: ModelStatsList;
}>;

/** Get all details of one request */
export const getAccountRequest = "GET /account/requests/{requestId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly requestId: string;
  };
  readonly answer: AccountRequest;
}>;

/** Get the input and the answer of a request */
export const getRequestBodies = "GET /account/requests/{requestId}/bodies" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly requestId: string;
  };
  readonly answer: RequestBodies;
}>;

/** List the errors that callers got */
export const listErrorAnswers = "GET /account/error-answers" as Operation<{
  readonly query?: {
    /** Only this HTTP status. */
    readonly status?: number;
    /** A lower-case UUID. */
    readonly api_key_id?: string;
    /** Rows per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: ErrorAnswerPage;
}>;

/** Get the charges of several jobs */
export const listJobCharges = "GET /account/jobs/charges" as Operation<{
  readonly query: {
    /** Job ids of the workspace. Repeat the parameter for each job. */
    readonly job_id: readonly string[];
  };
  readonly answer: JobChargeList;
}>;

/** Get a job's charge, itemised */
export const getJobCharges = "GET /account/jobs/{jobId}/charges" as Operation<{
  readonly params: {
    /** The job's id. A malformed id returns 404. */
    readonly jobId: string;
  };
  readonly answer: JobCharges;
}>;

/** Estimate the cost of a workflow */
export const createEstimate = "POST /account/estimates viewer" as Operation<{
  readonly query?: {
    /** The deployment that would run it. Defaults to the managed cloud. */
    readonly deployment_id?: string;
  };
  readonly json: AskEstimate;
  readonly answer: GraphEstimate;
}>;

/** Look up an id or the start of a name */
export const findThings = "GET /account/find" as Operation<{
  readonly query: {
    /** An id (job, request, call, asset, delivery, key), an Idempotency-Key, blake3:… or at least eight of its digits, or the start of a key, a model name or a node name. */
    readonly q: string;
  };
  readonly answer: FoundThings;
}>;

/** Save a model's output as an asset */
export const keepModelOutput = "POST /account/model-outputs" as Operation<{
  readonly json: KeepModelOutput;
  readonly answer: KeptModelOutput;
}>;

/** List what you ran in the playground */
export const listPlaygroundRuns = "GET /account/playground-runs" as Operation<{
  readonly query?: {
    /** Only runs of this model. */
    readonly model?: string;
    /** Runs per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: PlaygroundRunPage;
}>;

/** Remember a run of the playground */
export const keepPlaygroundRun = "POST /account/playground-runs" as Operation<{
  readonly json: KeepPlaygroundRun;
  readonly answer: PlaygroundRun;
}>;

/** Forget a run of the playground */
export const deletePlaygroundRun = "DELETE /account/playground-runs/{runId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly runId: string;
  };
}>;

/** Forget everything you ran in the playground */
export const deletePlaygroundRuns = "DELETE /account/playground-runs viewer" as Operation<{}>;

/** List the workspace's own provider credentials */
export const listProviderCredentials = "GET /account/provider-credentials" as Operation<{
  readonly answer: ProviderCredentialList;
}>;

/** Store the workspace's own credential for a provider */
export const putProviderCredential = "PUT /account/provider-credentials/{provider} owner" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly json: PutProviderCredential;
  readonly answer: ProviderCredential;
}>;

/** Remove the workspace's own credential for a provider */
export const deleteProviderCredential = "DELETE /account/provider-credentials/{provider} owner" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
}>;

/** List the routes that the workspace can call */
export const listRoutes = "GET /account/routes" as Operation<{
  readonly answer: ModelRouteList;
}>;

/** Read a route */
export const getRoute = "GET /account/routes/{name}" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
  readonly answer: ModelRoute;
}>;

/** Write a route */
export const putRoute = "PUT /account/routes/{name} owner" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
  readonly json: PutRoute;
  readonly answer: ModelRoute;
}>;

/** Remove a route */
export const deleteRoute = "DELETE /account/routes/{name} owner" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
}>;

/** Summarize the workspace's assets */
export const getGallery = "GET /account/gallery" as Operation<{
  readonly answer: Gallery;
}>;

/** Get the note on an asset */
export const getAssetNote = "GET /account/assets/{assetId}/note" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly assetId: string;
  };
  readonly answer: AssetNote;
}>;

/** Write a note on an asset */
export const setAssetNote = "PUT /account/assets/{assetId}/note" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly assetId: string;
  };
  readonly json: SetAssetNote;
  readonly answer: AssetNote;
}>;

/** List and search the workspace's saved workflows */
export const listSavedWorkflows = "GET /account/workflows" as Operation<{
  readonly query?: {
    /** Words to search for in the name, folder, tags, node classes, titles, model names and texts. Every word must match, at least as a prefix. */
    readonly q?: string;
    /** Only this folder and its subfolders. */
    readonly folder?: string;
    /** Only workflows with this tag. */
    readonly tag?: string;
    /** Only workflows with a node of exactly this class. */
    readonly class?: string;
    /** true lists archived workflows instead. */
    readonly archived?: "true" | "false";
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
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
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly answer: SavedWorkflow;
}>;

/** Rename, move, tag or archive a saved workflow */
export const changeSavedWorkflow = "PATCH /account/workflows/{workflowId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly json: ChangeSavedWorkflow;
  readonly answer: SavedWorkflow;
}>;

/** Delete a saved workflow with all its versions */
export const deleteSavedWorkflow = "DELETE /account/workflows/{workflowId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
}>;

/** Copy a version into a new workflow */
export const duplicateSavedWorkflow = "POST /account/workflows/{workflowId}/duplicate" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly json: DuplicateWorkflow;
  readonly answer: SavedWorkflow;
}>;

/** List the versions of a saved workflow */
export const listWorkflowVersions = "GET /account/workflows/{workflowId}/versions" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WorkflowVersionList;
}>;

/** Save a new version, or restore an earlier one */
export const saveWorkflowVersion = "POST /account/workflows/{workflowId}/versions" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly json: SaveWorkflowVersion;
  readonly answer: WorkflowVersion;
}>;

/** Read the document of a version */
export const getWorkflowDocument = "GET /account/workflows/{workflowId}/versions/{version}/document" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
    /** A version number, or latest. */
    readonly version: string;
  };
  readonly query?: {
    /** The format to return. Defaults to the format it was saved in. An editor document can be converted to api if this server knows its classes; api cannot be converted to editor. */
    readonly format?: "editor" | "api";
  };
  readonly answer: { readonly [name: string]: unknown };
}>;

/** Compare two versions */
export const diffWorkflowVersions = "GET /account/workflows/{workflowId}/diff" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly query?: {
    /** The earlier version. Defaults to the one before `to`. */
    readonly from?: number;
    /** The later version. Defaults to the latest. */
    readonly to?: number;
  };
  readonly answer: WorkflowDiff;
}>;

/** List budgets */
export const listBudgets = "GET /account/budgets" as Operation<{
  readonly answer: BudgetList;
}>;

/** Get a budget and its alerts */
export const getBudget = "GET /account/budgets/{name}" as Operation<{
  readonly params: {
    /** The budget's name. */
    readonly name: string;
  };
  readonly answer: Budget;
}>;

/** Set a budget */
export const putBudget = "PUT /account/budgets/{name} billing" as Operation<{
  readonly params: {
    /** The budget's name. */
    readonly name: string;
  };
  readonly json: PutBudget;
  readonly answer: Budget;
}>;

/** Delete a budget */
export const deleteBudget = "DELETE /account/budgets/{name} billing" as Operation<{
  readonly params: {
    /** The budget's name. */
    readonly name: string;
  };
}>;

/** Get how alerts reach people */
export const getAlertSettings = "GET /account/alerts" as Operation<{
  readonly answer: AlertSettings;
}>;

/** Get alerts by e-mail, or not */
export const setAlertMail = "PUT /account/alerts/mail viewer" as Operation<{
  readonly json: SetAlertMail;
  readonly answer: AlertSettings;
}>;

/** Watch for odd spending, or not */
export const setOddSpending = "PUT /account/alerts/odd-spending billing" as Operation<{
  readonly json: SetOddSpending;
  readonly answer: AlertSettings;
}>;

/** List e-mails about the workspace */
export const listMails = "GET /account/mails billing" as Operation<{
  readonly answer: SentMailList;
}>;

/** Get the workspace's plan and the plans it can buy */
export const getPlans = "GET /account/plans" as Operation<{
  readonly answer: PlanOverview;
}>;

/** List the workspace's invoices */
export const listInvoices = "GET /account/invoices billing" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: InvoicePage;
}>;

/** Get an invoice */
export const getInvoice = "GET /account/invoices/{invoiceId} billing" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly invoiceId: string;
  };
  readonly answer: Invoice;
}>;

/** Download an invoice as PDF */
export const getInvoicePdf = "GET /account/invoices/{invoiceId}/pdf billing" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly invoiceId: string;
  };
}>;

/** Receive an event of the payment provider */
export const receivePaymentEvent = "POST /payments/events/{provider}" as Operation<{
  readonly params: {
    /** The provider's name: stripe. */
    readonly provider: string;
  };
  readonly json: unknown;
  readonly answer: ReceivedEvent;
}>;

/** Make a token */
export const createIdentityToken = "POST /account/tokens viewer" as Operation<{
  readonly json?: NewToken;
  readonly answer: CreatedToken;
}>;

/** List tokens */
export const listTokens = "GET /account/tokens" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: AccountTokenPage;
}>;

/** Get a token */
export const getToken = "GET /account/tokens/{tokenId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly tokenId: string;
  };
  readonly answer: AccountToken;
}>;

/** Revoke a token */
export const revokeToken = "DELETE /account/tokens/{tokenId} viewer" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly tokenId: string;
  };
  readonly answer: AccountToken;
}>;

/** Read the form of a saved workflow, and what else it could contain */
export const getWorkflowForm = "GET /account/workflows/{workflowId}/form" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly query?: {
    /** The latest by default. */
    readonly version?: number;
  };
  readonly answer: WorkflowForm;
}>;

/** Save a form with a workflow, as a new version */
export const saveWorkflowForm = "PUT /account/workflows/{workflowId}/form" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workflowId: string;
  };
  readonly json: SaveWorkflowForm;
  readonly answer: WorkflowForm;
}>;

/** List the workspace's works */
export const listWorks = "GET /account/works" as Operation<{
  readonly query?: {
    /** Only names or titles that contain this. */
    readonly q?: string;
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WorkList;
}>;

/** Find works that the workspace can call */
export const listCallableWorks = "GET /account/models/works" as Operation<{
  readonly query?: {
    /** Only names or titles that contain this. */
    readonly q?: string;
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: CallableWorkPage;
}>;

/** Publish a saved workflow as a work, or a new version of a work */
export const publishWork = "PUT /account/works/{name}" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly json: PublishWork;
  readonly answer: Work;
}>;

/** Read a work */
export const getWork = "GET /account/works/{name}" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly answer: Work;
}>;

/** Describe, share or deprecate a work, or choose its current version */
export const changeWork = "PATCH /account/works/{name}" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly json: ChangeWork;
  readonly answer: Work;
}>;

/** Withdraw a work with all its versions */
export const deleteWork = "DELETE /account/works/{name} owner" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
}>;

/** List the versions of a work */
export const listWorkVersions = "GET /account/works/{name}/versions" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WorkVersionList;
}>;

/** Read a version of a work */
export const getWorkVersion = "GET /account/works/{name}/versions/{version}" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
    /** A version, or latest. */
    readonly version: string;
  };
  readonly answer: WorkVersion;
}>;

/** See what changed between two versions of a work */
export const diffWorkVersions = "GET /account/works/{name}/diff" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly query?: {
    /** The one before `to` by default. */
    readonly from?: number;
    /** The last one by default. */
    readonly to?: number;
  };
  readonly answer: WorkDiff;
}>;

/** Make a link with which people without an account can run a work */
export const createWorkLink = "POST /account/works/{name}/links" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly json: NewWorkLink;
  readonly answer: CreatedWorkLink;
}>;

/** List the links of a work */
export const listWorkLinks = "GET /account/works/{name}/links" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
  };
  readonly answer: WorkLinkList;
}>;

/** End a link */
export const deleteWorkLink = "DELETE /account/works/{name}/links/{linkId}" as Operation<{
  readonly params: {
    /** Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version. */
    readonly name: string;
    /** A lower-case UUID. */
    readonly linkId: string;
  };
}>;

/** List workflows to start from */
export const listTemplates = "GET /account/templates" as Operation<{
  readonly query?: {
    /** From the operator's own folder, or one of the public templates that the operator installed. */
    readonly source?: "operator" | "installed";
  };
  readonly answer: TemplateList;
}>;

/** Get a template's workflow */
export const getTemplate = "GET /account/templates/{name}" as Operation<{
  readonly params: {
    /** The file's name without its ending. */
    readonly name: string;
  };
  readonly answer: TemplateWorkflow;
}>;

/** Estimate the cost of a template */
export const getTemplateEstimate = "GET /account/templates/{name}/estimate" as Operation<{
  readonly params: {
    /** The file's name without its ending. */
    readonly name: string;
  };
  readonly answer: GraphEstimate;
}>;

/** Get a template's picture */
export const getTemplatePicture = "GET /account/templates/{name}/picture" as Operation<{
  readonly params: {
    /** The file's name without its ending. */
    readonly name: string;
  };
}>;

/** List webhook deliveries */
export const listWebhookDeliveries = "GET /account/webhooks/deliveries" as Operation<{
  readonly query?: {
    readonly status?: WebhookDeliveryStatus;
    /** Only deliveries about this task, prompt or job. */
    readonly subject_id?: string;
    /** Only this exact kind. */
    readonly type?: string;
    /** Only deliveries to this receiver: scheme, host and port. */
    readonly receiver?: string;
    /** Only deliveries for this endpoint, deleted or not. */
    readonly endpoint_id?: string;
    /** Deliveries per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WebhookDeliveryPage;
}>;

/** Get one delivery with its body and attempts */
export const getWebhookDelivery = "GET /account/webhooks/deliveries/{deliveryId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deliveryId: string;
  };
  readonly answer: WebhookDeliveryDetail;
}>;

/** Send a delivery again */
export const redeliverWebhook = "POST /account/webhooks/deliveries/{deliveryId}/redeliver" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deliveryId: string;
  };
  readonly answer: WebhookDelivery;
}>;

/** Send a test event */
export const sendTestWebhook = "POST /account/webhooks/test" as Operation<{
  readonly json: SendTestWebhook;
  readonly answer: WebhookDelivery;
}>;

/** List failing receivers */
export const listWebhookReceivers = "GET /account/webhooks/receivers" as Operation<{
  readonly answer: WebhookReceiverList;
}>;

/** List the loopback receivers that webhooks may reach */
export const getWebhookTargets = "GET /account/webhooks/targets" as Operation<{
  readonly answer: WebhookTargets;
}>;

/** Allow loopback receivers for development */
export const replaceWebhookTargets = "PUT /account/webhooks/targets owner" as Operation<{
  readonly json: ReplaceWebhookTargets;
  readonly answer: WebhookTargets;
}>;

/** List the webhook secrets */
export const listWebhookSecrets = "GET /account/webhooks/secrets" as Operation<{
  readonly answer: WebhookSecretList;
}>;

/** Create a new webhook secret */
export const rotateWebhookSecret = "POST /account/webhooks/secrets owner" as Operation<{
  readonly json?: RotateWebhookSecret;
  readonly answer: WebhookSecret;
}>;

/** List webhook endpoints */
export const listWebhookEndpoints = "GET /account/webhooks/endpoints" as Operation<{
  readonly answer: WebhookEndpointList;
}>;

/** Add a webhook endpoint */
export const createWebhookEndpoint = "POST /account/webhooks/endpoints owner" as Operation<{
  readonly json: NewWebhookEndpoint;
  readonly answer: CreatedWebhookEndpoint;
}>;

/** Get a webhook endpoint */
export const getWebhookEndpoint = "GET /account/webhooks/endpoints/{endpointId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly answer: WebhookEndpoint;
}>;

/** Change a webhook endpoint */
export const updateWebhookEndpoint = "PATCH /account/webhooks/endpoints/{endpointId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly json: UpdateWebhookEndpoint;
  readonly answer: WebhookEndpoint;
}>;

/** Delete a webhook endpoint */
export const deleteWebhookEndpoint = "DELETE /account/webhooks/endpoints/{endpointId} owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
}>;

/** Send a test event to an endpoint */
export const testWebhookEndpoint = "POST /account/webhooks/endpoints/{endpointId}/test" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly answer: WebhookDelivery;
}>;

/** Create a new secret for an endpoint */
export const rotateWebhookEndpointSecret = "POST /account/webhooks/endpoints/{endpointId}/secrets owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly json?: RotateWebhookSecret;
  readonly answer: WebhookSecret;
}>;

/** Pause a webhook endpoint */
export const pauseWebhookEndpoint = "POST /account/webhooks/endpoints/{endpointId}/pause owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly answer: WebhookEndpoint;
}>;

/** Resume a webhook endpoint */
export const resumeWebhookEndpoint = "POST /account/webhooks/endpoints/{endpointId}/resume owner" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly endpointId: string;
  };
  readonly answer: WebhookEndpoint;
}>;

/** Run the server's self-check */
export const runChecks = "GET /admin/checks" as Operation<{
  readonly answer: SystemCheckList;
}>;

/** List background work */
export const listBackgroundWork = "GET /admin/background-work" as Operation<{
  readonly answer: BackgroundProcessList;
}>;

/** List backups */
export const listBackups = "GET /admin/backups" as Operation<{
  readonly answer: BackupList;
}>;

/** Send a test message */
export const testMail = "POST /admin/mail/test" as Operation<{
  readonly json: TestMail;
  readonly answer: TestedMail;
}>;

/** Begin a backup now */
export const beginBackup = "POST /admin/backups" as Operation<{
  readonly answer: Backup;
}>;

/** List the settings in effect */
export const listSettings = "GET /admin/settings" as Operation<{
  readonly answer: EffectiveSettingList;
}>;

/** Get the usage of all workspaces over time */
export const getInstallationUsage = "GET /admin/usage/series" as Operation<{
  readonly query?: {
    /** How many hours to look back; 24 by default. */
    readonly hours?: number;
    /** Group by this: the 8 largest groups, and `other` for the rest. */
    readonly by?: "none" | "outcome" | "family" | "subject" | "workspace";
  };
  readonly answer: InstallationUsage;
}>;

/** Get the jobs of all workspaces over time, and what is stored */
export const getInstallationFigures = "GET /admin/figures" as Operation<{
  readonly query?: {
    /** How many hours to look back; 24 by default. */
    readonly hours?: number;
  };
  readonly answer: InstallationFigures;
}>;

/** List this server's refused credentials */
export const listRefusedCredentials = "GET /admin/refused-credentials" as Operation<{
  readonly answer: RefusedCredentialList;
}>;

/** List the people of this installation */
export const listPeople = "GET /admin/people" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** true: only operators. */
    readonly is_operator?: boolean;
  };
  readonly answer: AdminPersonPage;
}>;

/** Grant or revoke a person's operator rights */
export const setOperator = "PUT /admin/people/{personId}/operator" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly json: SetOperator;
  readonly answer: AdminPerson;
}>;

/** Set a person's role on the installation */
export const setInstallationRole = "PUT /admin/people/{personId}/role" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly json: SetInstallationRole;
  readonly answer: AdminPerson;
}>;

/** Export everything about a person */
export const exportPersonAsAdmin = "GET /admin/people/{personId} operator" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly answer: PersonalData;
}>;

/** Erase a person */
export const erasePersonAsAdmin = "DELETE /admin/people/{personId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly personId: string;
  };
  readonly query?: {
    /** true: the workspaces keep the keys that the person made. By default they are revoked. */
    readonly keep_keys?: boolean;
  };
  readonly answer: ErasedPerson;
}>;

/** List operator tokens */
export const listAdminTokens = "GET /admin/tokens" as Operation<{
  readonly answer: AdminTokenList;
}>;

/** Create an operator token */
export const createAdminToken = "POST /admin/tokens" as Operation<{
  readonly json: CreateAdminToken;
  readonly answer: CreatedAdminToken;
}>;

/** Revoke an operator token */
export const revokeAdminToken = "DELETE /admin/tokens/{tokenId}" as Operation<{
  readonly params: {
    /** The token's id. */
    readonly tokenId: string;
  };
}>;

/** Read the audit log */
export const listAuditEntries = "GET /admin/audit" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** A lower-case UUID. */
    readonly workspace_id?: string;
    /** The kind of actor. */
    readonly actor_kind?: "person" | "api_key" | "service_account" | "admin_token" | "system";
    /** The actor's id. */
    readonly actor_id?: string;
    /** The exact action, as thing.verb. */
    readonly action?: string;
    /** The kind of target. */
    readonly subject_kind?: string;
    /** The target's id. */
    readonly subject_id?: string;
    /** The request that performed the action. */
    readonly request_id?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly since?: string;
    /** A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds. */
    readonly until?: string;
  };
  readonly answer: AuditPage;
}>;

/** List all workspaces */
export const listWorkspacesAsAdmin = "GET /admin/workspaces" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: AdminWorkspacePage;
}>;

/** Create a workspace for a person */
export const createWorkspaceAsAdmin = "POST /admin/workspaces" as Operation<{
  readonly json: CreateWorkspaceAsAdmin;
  readonly answer: AdminWorkspace;
}>;

/** Read one workspace */
export const getWorkspaceAsAdmin = "GET /admin/workspaces/{workspaceId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: AdminWorkspace;
}>;

/** Read the limits and quotas of a workspace */
export const listWorkspaceLimits = "GET /admin/workspaces/{workspaceId}/limits" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceLimitList;
}>;

/** Change a limit or quota for one workspace */
export const setWorkspaceLimit = "PUT /admin/workspaces/{workspaceId}/limits/{name}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
    /** The limit's name. */
    readonly name: string;
  };
  readonly json: SetWorkspaceLimit;
  readonly answer: WorkspaceLimit;
}>;

/** Reset a limit to its default */
export const resetWorkspaceLimit = "DELETE /admin/workspaces/{workspaceId}/limits/{name}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
    /** The limit's name. */
    readonly name: string;
  };
  readonly answer: WorkspaceLimit;
}>;

/** List models with limits */
export const listModelLimits = "GET /admin/model-limits" as Operation<{
  readonly answer: ModelLimitsList;
}>;

/** Limit how many calls a model takes */
export const setModelLimits = "PUT /admin/model-limits/{provider}/{model}" as Operation<{
  readonly params: {
    readonly provider: ProviderSegment;
    readonly model: ModelSegment;
  };
  readonly json: SetCallLimits;
  readonly answer: ModelLimits;
}>;

/** Get the credit balance of a workspace */
export const getWorkspaceCredits = "GET /admin/workspaces/{workspaceId}/credits" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: CreditBalance;
}>;

/** List a workspace's credit journal */
export const listWorkspaceCreditLines = "GET /admin/workspaces/{workspaceId}/credits/lines" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** Only the lines of this transaction, including holds and releases. */
    readonly transaction_id?: string;
  };
  readonly answer: CreditLinePage;
}>;

/** Add credits to a workspace */
export const topUpWorkspace = "POST /admin/workspaces/{workspaceId}/credits" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: MoveCredits;
  readonly answer: CreditMove;
}>;

/** Remove credits from a workspace */
export const withdrawFromWorkspace = "POST /admin/workspaces/{workspaceId}/credits/withdrawals" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: MoveCredits;
  readonly answer: CreditMove;
}>;

/** Refund a call */
export const refundCall = "POST /admin/calls/{callId}/refund" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly callId: string;
  };
  readonly json?: RefundCall;
  readonly answer: CreditMove;
}>;

/** List the providers and their models */
export const listProviders = "GET /admin/providers" as Operation<{
  readonly answer: AdminProviderList;
}>;

/** Read a provider and its definition */
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

/** Read a definition as text */
export const getProviderDefinition = "GET /admin/provider-definitions/{provider}" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly answer: ProviderDefinitionText;
}>;

/** Check a definition without storing it */
export const checkProviderDefinition = "POST /admin/provider-definitions/check" as Operation<{
  readonly json: CheckProviderDefinition;
  readonly answer: DefinitionCheck;
}>;

/** See how providers fare */
export const listProviderHealth = "GET /admin/provider-health" as Operation<{
  readonly answer: ProviderHealthList;
}>;

/** List this server's provider credentials */
export const listServerCredentials = "GET /admin/provider-credentials" as Operation<{
  readonly answer: ServerCredentialList;
}>;

/** Store this server's credential for a provider */
export const putServerCredential = "PUT /admin/providers/{provider}/credential" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly json: PutServerCredential;
  readonly answer: ServerCredential;
}>;

/** Remove this server's stored credential for a provider */
export const deleteServerCredential = "DELETE /admin/providers/{provider}/credential" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
}>;

/** Check that a provider responds and accepts the credential */
export const checkProvider = "POST /admin/providers/{provider}/check" as Operation<{
  readonly params: {
    /** The provider's name. */
    readonly provider: string;
  };
  readonly answer: ProviderCheck;
}>;

/** Release or withdraw a model */
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

/** Deprecate a model and set its sunset */
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
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly answer: WorkspaceModels;
}>;

/** Change what a workspace may run */
export const setWorkspaceModels = "PUT /admin/workspaces/{workspaceId}/models" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly workspaceId: string;
  };
  readonly json: WorkspaceModels;
  readonly answer: WorkspaceModels;
}>;

/** List the deployments */
export const listDeployments = "GET /admin/deployments" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: DeploymentPage;
}>;

/** Create a deployment */
export const createDeployment = "POST /admin/deployments" as Operation<{
  readonly json: CreateDeployment;
  readonly answer: Deployment;
}>;

/** Read one deployment, its workers and why it is not ready */
export const getDeployment = "GET /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Change a deployment */
export const updateDeployment = "PATCH /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deploymentId: string;
  };
  readonly json: UpdateDeployment;
  readonly answer: Deployment;
}>;

/** Stop a deployment */
export const stopDeployment = "POST /admin/deployments/{deploymentId}/stop" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Start a stopped deployment */
export const startDeployment = "POST /admin/deployments/{deploymentId}/start" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deploymentId: string;
  };
  readonly answer: Deployment;
}>;

/** Remove a stopped deployment */
export const deleteDeployment = "DELETE /admin/deployments/{deploymentId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly deploymentId: string;
  };
}>;

/** List the environments */
export const listEnvironments = "GET /admin/environments" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: EnvironmentPage;
}>;

/** Keep a lock under a name */
export const saveEnvironment = "POST /admin/environments" as Operation<{
  readonly json: SaveEnvironment;
  readonly answer: Environment;
}>;

/** Read an environment with its lock */
export const getEnvironment = "GET /admin/environments/{environmentId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly environmentId: string;
  };
  readonly answer: EnvironmentWithLock;
}>;

/** Say what differs between two environments */
export const compareEnvironments = "GET /admin/environments/{environmentId}/differences" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly environmentId: string;
  };
  readonly query: {
    /** A lower-case UUID. */
    readonly to: string;
  };
  readonly answer: EnvironmentDifferences;
}>;

/** Remove an environment */
export const deleteEnvironment = "DELETE /admin/environments/{environmentId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly environmentId: string;
  };
}>;

/** List the plans that are sold */
export const listPlans = "GET /admin/plans" as Operation<{
  readonly answer: PlanList;
}>;

/** Create a plan */
export const createPlan = "POST /admin/plans" as Operation<{
  readonly json: CreatePlan;
  readonly answer: Plan;
}>;

/** Change or retire a plan */
export const changePlan = "PATCH /admin/plans/{planId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly planId: string;
  };
  readonly json: ChangePlan;
  readonly answer: Plan;
}>;

/** List payments */
export const listPayments = "GET /admin/payments" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** true: only payments that brought no credits yet. */
    readonly waiting?: boolean;
  };
  readonly answer: PaymentPage;
}>;

/** Assign a payment to a workspace */
export const assignPayment = "POST /admin/payments/{paymentId}/assign" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly paymentId: string;
  };
  readonly json: AssignPayment;
  readonly answer: Payment;
}>;

/** List the payment provider's events */
export const listPaymentEvents = "GET /admin/payments/events" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
    /** Only events in this state. */
    readonly state?: "stored" | "applied" | "ignored";
  };
  readonly answer: PaymentEventPage;
}>;

/** List the server's routes */
export const listServerRoutes = "GET /admin/routes" as Operation<{
  readonly answer: ModelRouteList;
}>;

/** Read a route of the server */
export const getServerRoute = "GET /admin/routes/{name}" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
  readonly answer: ModelRoute;
}>;

/** Write a route of the server */
export const putServerRoute = "PUT /admin/routes/{name}" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
  readonly json: PutRoute;
  readonly answer: ModelRoute;
}>;

/** Remove a route of the server */
export const deleteServerRoute = "DELETE /admin/routes/{name}" as Operation<{
  readonly params: {
    readonly name: ModelSegment;
  };
}>;

/** List worker tokens */
export const listWorkerTokens = "GET /admin/worker-tokens" as Operation<{
  readonly answer: WorkerTokenList;
}>;

/** Create a worker token */
export const createWorkerToken = "POST /admin/worker-tokens" as Operation<{
  readonly json: CreateWorkerToken;
  readonly answer: CreatedWorkerToken;
}>;

/** Revoke a worker token */
export const revokeWorkerToken = "DELETE /admin/worker-tokens/{tokenId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly tokenId: string;
  };
}>;

/** Read a pool */
export const getPool = "GET /admin/pools/{poolId}" as Operation<{
  readonly params: {
    /** The pool's id, or `shared`. */
    readonly poolId: string;
  };
  readonly answer: Pool;
}>;

/** Pin a lock for a pool */
export const changePool = "PATCH /admin/pools/{poolId}" as Operation<{
  readonly params: {
    /** The pool's id, or `shared`. */
    readonly poolId: string;
  };
  readonly json: ChangePool;
  readonly answer: Pool;
}>;

/** List the connected workers of a pool */
export const listPoolWorkers = "GET /admin/pools/{poolId}/workers" as Operation<{
  readonly params: {
    /** The pool's id, or `shared`. */
    readonly poolId: string;
  };
  readonly answer: PoolWorkerList;
}>;

/** Drain a worker, or let it take jobs again */
export const changePoolWorker = "PATCH /admin/pools/{poolId}/workers/{workerId}" as Operation<{
  readonly params: {
    /** The pool's id, or `shared`. */
    readonly poolId: string;
    /** A lower-case UUID. */
    readonly workerId: string;
  };
  readonly json: ChangePoolWorker;
}>;

/** List the weights */
export const listWeights = "GET /admin/weights" as Operation<{
  readonly query?: {
    /** Page size. Values above the cap are clamped; 0 or less means the default. */
    readonly limit?: number;
    readonly cursor?: Cursor;
  };
  readonly answer: WeightPage;
}>;

/** Keep a weight */
export const addWeight = "POST /admin/weights" as Operation<{
  readonly json: AddWeight;
  readonly answer: Weight;
}>;

/** Read a weight */
export const getWeight = "GET /admin/weights/{weightId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly weightId: string;
  };
  readonly answer: WeightWithUses;
}>;

/** Change licence and note of a weight */
export const changeWeight = "PATCH /admin/weights/{weightId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly weightId: string;
  };
  readonly json: ChangeWeight;
  readonly answer: Weight;
}>;

/** Remove a weight */
export const deleteWeight = "DELETE /admin/weights/{weightId}" as Operation<{
  readonly params: {
    /** A lower-case UUID. */
    readonly weightId: string;
  };
}>;

/** List the workers that fill their folders */
export const listFills = "GET /admin/fills" as Operation<{
  readonly answer: FillList;
}>;

/** Send one Model Context Protocol message */
export const callMcp = "POST /mcp viewer" as Operation<{
  readonly json: JsonRpcMessage;
  readonly answer: JsonRpcMessage;
}>;

/** Open the console */
export const showConsole = "GET /console" as Operation<{}>;

/** Open a console page */
export const showConsolePage = "GET /console/{page}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
  };
}>;

/** Open a console page about one item */
export const showConsoleThing = "GET /console/{page}/{id}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
    /** The item. */
    readonly id: string;
  };
}>;

/** Open a console page about part of an item */
export const showConsolePart = "GET /console/{page}/{id}/{part}" as Operation<{
  readonly params: {
    /** The page. */
    readonly page: string;
    /** The item. */
    readonly id: string;
    /** The part. */
    readonly part: string;
  };
}>;

/** Open the page of a work, for people who never see a graph */
export const showWork = "GET /w/{provider}/{name}" as Operation<{
  readonly params: {
    /** The first half of the work's id. */
    readonly provider: string;
    /** The second half. */
    readonly name: string;
  };
}>;

/** Get a console file */
export const getConsoleFile = "GET /console/files/{name}" as Operation<{
  readonly params: {
    /** The file's name. */
    readonly name: string;
  };
  readonly answer: string;
}>;

/** Download an SDK or the command line */
export const getClientPackage = "GET /packages/{name}" as Operation<{
  readonly params: {
    /** `sdk.tgz`, `cli.tgz` or the wheel's name. */
    readonly name: string;
  };
}>;

/** Get the console's start-up settings */
export const getConsoleConfig = "GET /console/config.json" as Operation<{
  readonly answer: ConsoleConfig;
}>;

/** Find this server's documentation */
export const getIndex = "GET /" as Operation<{
  readonly answer: Index;
}>;

/** Check that the process responds */
export const getHealth = "GET /health" as Operation<{
  readonly query?: {
    /** A random value. The response then contains a proof that anyone who can read the data folder can verify. Malformed values are ignored. */
    readonly challenge?: string;
  };
  readonly answer: Health;
}>;

/** Check that the process is alive */
export const getLiveness = "GET /livez" as Operation<{
  readonly answer: Health;
}>;

/** Check that the process is ready */
export const getReadiness = "GET /readyz" as Operation<{
  readonly answer: Readiness;
}>;

/** Read the metrics as Prometheus text */
export const getMetrics = "GET /metrics auditor" as Operation<{}>;

/** Get the OpenAPI document of all mounted operations */
export const getOpenApi = "GET /openapi.json" as Operation<{
  readonly answer: OpenApiDocument;
}>;

/** Get the OpenAPI document at the path registry clients use */
export const getRegistryOpenApi = "GET /openapi" as Operation<{
  readonly answer: OpenApiDocument;
}>;

/** Read the API reference */
export const getDocs = "GET /docs" as Operation<{}>;

/** Read the list of guides */
export const listGuides = "GET /docs/guides" as Operation<{}>;

/** Read a guide */
export const getGuide = "GET /docs/guides/{name}" as Operation<{
  readonly params: {
    /** The document's name, in lower case. */
    readonly name: string;
  };
}>;

/** Read the service's description for language models */
export const getLlmsText = "GET /llms.txt" as Operation<{}>;

/** Find out where to report a security problem */
export const getSecurityContact = "GET /.well-known/security.txt" as Operation<{}>;

/** Get the dated release notes */
export const getReleaseNotes = "GET /release-notes" as Operation<{
  readonly query?: {
    /** The format. Without it, Accept decides. */
    readonly format?: "markdown" | "html" | "json" | "atom";
  };
  readonly answer: string;
}>;

/** Get the dated release notes as JSON */
export const listReleaseNotes = "GET /release-notes.json" as Operation<{
  readonly answer: ReleaseNoteList;
}>;

