"""What the server sends and accepts. Generated from the contract by `npm run openapi`; a test compares them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Literal, Mapping, Sequence, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
elif TYPE_CHECKING:
    from typing_extensions import NotRequired


class AcceptedModelRequest(TypedDict):
    """A model call that was queued. Its credits are held."""

    request_id: str
    """A lower-case UUID."""
    status: ModelRequestStatus
    queue_position: NotRequired[int]
    """How many of the workspace's requests are ahead of it. Only while IN_QUEUE."""
    status_url: str
    """Its status."""
    response_url: str
    """Its result, once it has completed."""
    cancel_url: str
    """Send a PUT here to cancel it."""


class AccountSession2(TypedDict):
    id: str
    """A lower-case UUID."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class Account(TypedDict):
    """Who the caller is: a key or a person, with the workspace and role."""

    workspace: Workspace
    role: MemberRole
    scopes: Sequence[KeyScope]
    person: NotRequired[AccountPerson]
    is_operator: bool
    """Whether the person may also use the admin API of this installation."""
    installation_role: NotRequired[Union[Literal["auditor", "operator"], None]]
    """The person's role on this installation: auditors read the admin API, operators also change things."""
    session: Union[AccountSession2, None]
    """The caller's browser session, or the one the token was issued from."""
    key: NotRequired[AccountKey]


class AccountKeyServiceAccount(TypedDict):
    id: str
    """A lower-case UUID."""
    name: str


class AccountKey(TypedDict):
    """An API key, as shown to its workspace."""

    id: str
    """A lower-case UUID."""
    name: str
    """What the key is for."""
    hint: str
    """The start of the key, enough to recognise it."""
    scopes: Sequence[KeyScope]
    """The key's scopes."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    expires_at: Union[str, None]
    """When it expires; null if never."""
    last_used_at: Union[str, None]
    """Approximate time of last use."""
    revoked_at: Union[str, None]
    """When it was revoked; null if it is active."""
    daily_credits_max: NotRequired[Union[str, None]]
    """Credits it may spend per day."""
    monthly_credits_max: NotRequired[Union[str, None]]
    """Credits it may spend per month."""
    role: MemberRole
    created_by: Union[str, None]
    """The person who created it, if known."""
    service_account: NotRequired[Union[AccountKeyServiceAccount, None]]
    """The service account whose key it is; null if none."""


class AccountKeyList(TypedDict):
    """The active keys and the 100 most recently revoked, newest first."""

    data: Sequence[AccountKey]


class AccountMember(TypedDict):
    """A person in a workspace."""

    id: str
    """A lower-case UUID."""
    name: str
    email: Union[str, None]
    """Helps people recognise each other; owners and billing people get alerts there if the server sends mail."""
    role: MemberRole
    joined_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    has_signed_in: NotRequired[bool]
    """Whether they have ever signed in. Until then an owner can create a new link for them."""


class AccountMemberList(TypedDict):
    """Everyone in the workspace, longest-standing member first."""

    data: Sequence[AccountMember]


class AccountModel(TypedDict):
    """A model, for people choosing one: what it makes and what it costs."""

    id: ModelId
    provider: ProviderSegment
    model: ModelSegment
    billing: BillingFacts
    title: NotRequired[str]
    """The display name."""
    description: NotRequired[str]
    """What it makes, and from what."""
    kind: NotRequired[Literal["image", "video", "audio", "text", "other"]]
    """What it makes. Absent if its definition does not say."""
    deprecated_at: NotRequired[str]
    """When it was deprecated; also in the Deprecation header."""
    sunset_at: NotRequired[str]
    """When it starts to return 404; also in the Sunset header."""
    verified: Union[str, None]
    """When the operator's live check last succeeded with exactly this definition; null if never. A definition written only from documentation has none."""
    price: str
    """The price of a call in credits, as text. 0 means free."""
    prompt_input: Union[str, None]
    """The input that takes a prompt, if a call needs nothing else; null if it needs more, or something else."""


class AccountModelList(TypedDict):
    """Every model of a provider that the workspace can call. Works are listed separately."""

    data: Sequence[AccountModel]
    """Sorted by id, bytewise."""
    locked: Sequence[LockedModel]
    """Models that need a credential first, sorted by id, bytewise."""


class AccountPerson(TypedDict):
    """A person who can sign in."""

    id: str
    """A lower-case UUID."""
    name: str
    email: Union[str, None]
    """Helps people recognise each other; owners and billing people get alerts there if the server sends mail."""


class AccountQueue(TypedDict):
    """The workspace's job queue, across all pools."""

    paused: bool
    """true: jobs are accepted and wait. Running jobs continue, and no new ones start."""
    paused_at: Union[str, None]
    """When it was paused; null if it is not."""
    queued: int
    """Waiting jobs."""
    running: int
    """Running jobs."""


class AccountRequestErrorAnswerFieldsItem(TypedDict):
    loc: Sequence[Union[str, int]]
    msg: str


class AccountRequestErrorAnswer(TypedDict):
    """The error the caller saw."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    status: int
    code: str
    """The router's error type, or the error code of the other APIs."""
    message: str
    method: str
    path: str
    """Secrets are removed."""
    fields: Sequence[AccountRequestErrorAnswerFieldsItem]
    """The rejected fields, at most 20."""


class AccountRequestAttemptsItem(TypedDict):
    """One call to the provider."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ms: int
    step: Literal["submit", "poll"]
    """`submit`: start the task. `poll`: ask for its status."""
    status: Union[int, None]
    """The provider's HTTP status; null if it did not respond."""
    words: Union[str, None]
    """The start of its response, without secrets and URLs, or why there was none."""
    target: NotRequired[str]
    """On a call of a route: the model that was asked."""


class AccountRequestChecksItem(TypedDict):
    """One question to the operator's safety hook."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ms: int
    """How long the verdict took."""
    stage: Literal["input", "answer"]
    """`input`: before the call was sent. `answer`: before its answer was delivered."""
    verdict: Literal["allowed", "refused", "replaced", "passed_unchecked", "failed"]
    """`passed_unchecked`: no verdict came, and the operator lets such calls pass. `failed`: no usable verdict came, and the call ended."""
    reason: Union[str, None]
    """Why it was refused, or why there was no verdict."""


class AccountRequestCall(TypedDict):
    """The call that paid for it."""

    id: str
    """A lower-case UUID."""
    state: Literal["open", "finished", "unknown"]
    """`unknown`: the outcome can never be known; nothing was charged."""
    outcome: Union[str, None]
    """The outcome of the call itself, which can differ from what the caller saw: if the response was lost, the caller got a 502, but the call can still succeed later. Null while the call is open."""
    model: Union[str, None]
    """provider/model; null if it is not a model call."""
    held: Union[str, None]
    """The credits held for it."""
    charged: Union[str, None]
    """What it cost; null while the call is open."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ended_at: Union[str, None]
    """Null while the call is open."""
    idempotency_key: Union[str, None]
    """The idempotency key it was sent with; null if there was none or the server chose it."""
    key_answers_until: Union[str, None]
    """Until when a retry with that key gets the recorded response."""


class AccountRequestPartnerTask(TypedDict):
    """The task at a partner."""

    id: str
    """A lower-case UUID."""
    partner: str
    operation: str
    state: Literal["created", "running", "completed", "failed"]
    """Its status."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ended_at: Union[str, None]
    """Null while the task is open."""


class AccountRequestAnswer(TypedDict):
    """The recorded response."""

    stored: bool
    """The bytes that a retry gets."""
    status: int
    content_type: Union[str, None]
    """The content type of the bytes."""
    bytes: int
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class AccountRequest(TypedDict):
    """One request with all its details."""

    request_id: str
    """The id that was looked up: of the request, its call or the queued request."""
    subject: str
    """What was called: model:provider/model, partner:operation or node:class. For a request that was refused before any call: its method and path."""
    outcome: Union[str, None]
    """The outcome the caller saw: `succeeded` or an error code; null while it is in progress."""
    status: Union[int, None]
    """The HTTP status of the response, if there was one."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    replayed: bool
    """Whether the response replays an earlier one with the same key."""
    total_ms: Union[int, None]
    """From request to response; null while it is in progress."""
    provider_ms: Union[int, None]
    """The provider's share of that time, if one was called."""
    api_key_id: Union[str, None]
    """The key that made the request; null for a person."""
    key_name: Union[str, None]
    """The key's name."""
    error_answer: Union[AccountRequestErrorAnswer, None]
    """Null if the request did not fail or the error is no longer kept."""
    attempts: Sequence[AccountRequestAttemptsItem]
    """The calls to the provider, if the first one did not succeed. For a route: all of them."""
    checks: Sequence[AccountRequestChecksItem]
    """What the operator's safety hook said, in order. Empty without one."""
    kept_outputs: Sequence[str]
    """The assets that hold copies of the response's files."""
    rows: Sequence[UsageRow]
    """Its usage rows including replays, newest first; at most 20."""
    call: Union[AccountRequestCall, None]
    """Null if no call was started."""
    queued: Union[ModelRequest, None]
    """Null if it was not queued, or completed more than a day ago."""
    partner_task: Union[AccountRequestPartnerTask, None]
    """Null if no partner was called."""
    job_id: Union[str, None]
    """The job that made the call."""
    node_id: Union[str, None]
    """The node of that job."""
    credit_lines: Sequence[CreditLine]
    """The journal lines it wrote."""
    replays: int
    """How often its response was replayed."""
    answer: Union[AccountRequestAnswer, None]
    """Null if no response is recorded."""


class AccountSession(TypedDict):
    """A signed-in browser."""

    id: str
    """A lower-case UUID."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    last_seen_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    user_agent: Union[str, None]
    """The browser's user agent at sign-in."""
    address: Union[str, None]
    """The IP address it signed in from."""
    signed_in_by: Literal["link", "oidc"]
    """With a one-time link, or through the OpenID Connect issuer."""
    is_current: bool
    """Whether this is the caller's own session."""


class AccountSessionList(TypedDict):
    """The person's sessions, newest first."""

    data: Sequence[AccountSession]


class AccountToken(TypedDict):
    """A token that was made from a key, a session or a token."""

    id: str
    """A lower-case UUID."""
    hint: str
    """The start of the token, enough to recognise it."""
    label: Union[str, None]
    """What it is for."""
    parent_id: Union[str, None]
    """The token or key it was made from; null for a person's session."""
    depth: int
    """1 if made from a key or session."""
    capabilities: Sequence[TokenCapability]
    """What it may do."""
    models: Sequence[str]
    """The models and works it may use."""
    origins: Union[Sequence[str], None]
    """The origins of pages that may use it, and nothing else may; null: not restricted."""
    addresses: Union[Sequence[str], None]
    """The addresses it works from; null: any."""
    end_user: Union[str, None]
    """Your own id of the person who uses it."""
    credits_max: Union[str, None]
    """What it may spend; null if only what it was made from limits it."""
    credits_spent: str
    """What it and tokens made from it have spent."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    revoked_at: Union[str, None]
    """When it was revoked; null if it was not."""


class AccountTokenPage(TypedDict):
    """Tokens, the newest first."""

    data: Sequence[AccountToken]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class AddMember2(TypedDict):
    person_id: str
    """A lower-case UUID."""
    role: NotRequired[MemberRole]


class AddMember22(TypedDict):
    name: str
    """1 to 100 characters after trimming, without line breaks."""
    email: NotRequired[Union[str, None]]
    """An e-mail address that helps people recognise each other. Owners and billing people get alerts there if the server sends mail."""
    role: NotRequired[MemberRole]
    link_hours: NotRequired[int]
    """How many hours the sign-in link works."""


class AddedMemberSignIn(TypedDict):
    """For a new person: works once, for three days unless link_hours is set. Pass it on now; it is only shown once."""

    url: str
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class AddedMember(TypedDict):
    """The new member."""

    id: str
    """A lower-case UUID."""
    name: str
    email: Union[str, None]
    """Helps people recognise each other; owners and billing people get alerts there if the server sends mail."""
    role: MemberRole
    joined_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    has_signed_in: NotRequired[bool]
    """Whether they have ever signed in. Until then an owner can create a new link for them."""
    sign_in: NotRequired[AddedMemberSignIn]
    """For a new person: works once, for three days unless link_hours is set. Pass it on now; it is only shown once."""


class AlertSettingsOddSpending(TypedDict):
    """Hours in which the workspace spends far more than in the same hour of past weeks."""

    watched: bool
    at_least: str
    """Less in an hour is never odd."""
    alerts: Sequence[SpendingAlert]
    """The last 20, newest first."""


class AlertSettings(TypedDict):
    """How alerts of this workspace reach people."""

    sends_mail: bool
    """Whether this server sends mail at all."""
    mail_wanted: Union[bool, None]
    """Whether the caller wants alerts by e-mail. Owners and billing people with an address get them unless they say no. Null for a key that acts for nobody."""
    odd_spending: AlertSettingsOddSpending
    """Hours in which the workspace spends far more than in the same hour of past weeks."""


class AppealNodeVersion(TypedDict):
    """The publisher's answer to the findings."""

    reason: str
    """Why the findings are harmless. Operators read it before they decide."""


class AskEstimateExtraData(TypedDict):
    """Only passed to the running attempt. Never in reads, logs or events."""

    api_key_service: NotRequired[str]
    """The key that partner nodes use."""


class AskEstimate(TypedDict):
    """The workflow to estimate, in the body that would submit it. Nothing is stored, held or billed."""

    workflow: NotRequired[Union[WorkflowGraph, EditorGraph]]
    """In API format, or as the editor saves it if this server knows all of its node classes."""
    work: NotRequired[ModelId]
    inputs: NotRequired[Mapping[str, Any]]
    """The inputs of the work, as its openapi.json describes them. Refused without a work."""
    webhook_url: NotRequired[str]
    """Called on every status change. Must be https on port 443."""
    metadata: NotRequired[JobMetadata]
    priority: NotRequired[int]
    """Higher runs first. Only orders the caller's own jobs."""
    output_target: NotRequired[OutputTarget]
    extra_data: NotRequired[AskEstimateExtraData]
    """Only passed to the running attempt. Never in reads, logs or events."""


class Asset(TypedDict):
    """A stored file."""

    id: str
    """A lower-case UUID."""
    hash: Union[BlobHash, None]
    """The hash of the bytes; null until known."""
    size_bytes: int
    """Size in bytes."""
    content_type: str
    """The media type."""
    kind: NotRequired[Literal["image", "video", "audio", "text", "file", "latent"]]
    """The kind of file, detected from its bytes."""
    file_path: NotRequired[Union[str, None]]
    """The name as given on upload."""
    tags: NotRequired[Sequence[str]]
    """Its tags."""
    created_new: NotRequired[bool]
    """On creation only: false if the server already had the bytes."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    url: str
    """A signed URL of the bytes. It can be shared and works without a credential until url_expires_at. Self-hosted surfaces do not sign URLs: there it is the content endpoint, with normal authentication."""
    url_expires_at: Union[str, None]
    """When url expires; null if it is not signed."""
    expires_at: NotRequired[Union[str, None]]
    """When the asset is deleted; null or absent if never."""
    job_id: NotRequired[Union[str, None]]
    """The job that made it. Absent for uploads."""
    urls: ContentUrls


class AssetFromHash(TypedDict):
    """A new asset from bytes the workspace already has."""

    hash: BlobHash
    file_path: NotRequired[Union[str, None]]
    """The file name."""
    tags: NotRequired[Sequence[str]]
    """Tags, in printable characters."""
    expires_in: NotRequired[Union[int, None]]
    """Seconds to keep it. Can only extend the current expiry."""


class AssetFromPath(TypedDict):
    """A new record over a file that the application has already."""

    file_path: str
    """A file below input, output, temp or models in the application's folder."""
    content_type: NotRequired[Union[str, None]]
    """The media type; by its name if absent."""
    expected_hash: NotRequired[Union[BlobHash, None]]
    """What the bytes must hash to."""
    tags: NotRequired[Sequence[str]]
    """Tags, in printable characters."""
    expires_in: NotRequired[Union[int, None]]
    """Seconds to keep it. Can only extend the current expiry."""


class AssetNote(TypedDict):
    """What somebody wrote about an asset."""

    text: str
    """Plain text. Empty if there is no note."""
    updated_at: Union[str, None]
    """When it was last changed."""


class AssetPage(TypedDict):
    """One page of assets, newest first."""

    data: Sequence[Asset]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""
    next: NotRequired[str]
    """The next page, relative to the host. Absent on the last page."""


class AssetTags(TypedDict):
    """Tags to add and to remove. A tag in both lists is removed."""

    add: NotRequired[Sequence[str]]
    """Tags, in printable characters."""
    remove: NotRequired[Sequence[str]]
    """Tags, in printable characters."""


class AssetUpload(TypedDict):
    """A multipart form, with its parts in any order."""

    content_type: str
    """The media type."""
    file_path: str
    """A file name, or a path below a known root."""
    expected_hash: NotRequired[BlobHash]
    tags: NotRequired[Sequence[str]]
    """Tags, in printable characters."""
    expires_in: NotRequired[int]
    """Seconds to keep it. Can only extend the current expiry."""
    file: str
    """The bytes."""


class Badge(TypedDict):
    """The price badge of one node."""

    engine: Literal["jsonata"]
    """The language of expr."""
    depends_on: BadgeDependencies
    expr: str
    """A JSONata expression over widgets, inputs and inputGroups that gives a price."""


class BadgeDependencies(TypedDict):
    """Everything the expression reads. All three lists are always present."""

    widgets: Sequence[BadgeWidget]
    """Widgets whose values the price depends on."""
    inputs: Sequence[str]
    """Input slots for which the price depends on whether they are connected."""
    input_groups: Sequence[str]
    """Growable input groups for which the price depends on the number of connected members."""


class BadgeWidget(TypedDict):
    """A widget whose value the price depends on."""

    name: str
    """The widget's name. A dotted name stays one flat key."""
    type: str
    """The widget's io type, such as INT, FLOAT, BOOLEAN or COMBO."""


class BillingFacts(TypedDict):
    """Facts about billing, never prices."""

    charges_on_policy_rejection: Literal["yes", "no", "unknown"]
    """Whether a call that the model refuses on policy grounds is still charged. Treat unknown as possibly."""


class Budget(TypedDict):
    """A budget and what counts against it."""

    name: str
    scope: Literal["workspace", "key", "tag", "end_user"]
    """What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user."""
    subject: Union[str, None]
    """The id of the key, the tag as key=value, or the end user; null for the workspace."""
    period: Literal["day", "week", "month"]
    """In UTC; a week begins on Monday."""
    amount: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    at_limit: Literal["stop", "warn"]
    """What happens at 100 %."""
    webhook_url: Union[str, None]
    """Where alerts are sent."""
    emails: Sequence[str]
    """Who else gets alerts by e-mail."""
    period_start: str
    """The UTC day on which the period began."""
    spent: str
    """What ended calls have cost in this period."""
    held: str
    """The most that open calls can still cost."""
    alerted: int
    """The highest threshold reached in this period."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    alerts: Sequence[BudgetAlert]
    """The last 20 alerts, newest first."""


class BudgetAlert(TypedDict):
    """A threshold that was reached."""

    sequence: int
    """Counts the alerts of one budget."""
    threshold: int
    """In percent: 50, 80 or 100."""
    period_start: str
    """The UTC day on which the period began."""
    amount: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    spent: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    held: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class BudgetListDataItem(TypedDict):
    name: str
    scope: Literal["workspace", "key", "tag", "end_user"]
    """What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user."""
    subject: Union[str, None]
    """The id of the key, the tag as key=value, or the end user; null for the workspace."""
    period: Literal["day", "week", "month"]
    """In UTC; a week begins on Monday."""
    amount: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    at_limit: Literal["stop", "warn"]
    """What happens at 100 %."""
    webhook_url: Union[str, None]
    """Where alerts are sent."""
    emails: Sequence[str]
    """Who else gets alerts by e-mail."""
    period_start: str
    """The UTC day on which the period began."""
    spent: str
    """What ended calls have cost in this period."""
    held: str
    """The most that open calls can still cost."""
    alerted: int
    """The highest threshold reached in this period."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class BudgetList(TypedDict):
    """The budgets of a workspace."""

    data: Sequence[BudgetListDataItem]
    """By name."""


class BulkNodeVersionsNodeVersionsItem(TypedDict):
    identifier: NodeVersionIdentifier
    status: Literal["success", "not_found", "error"]
    node_version: NotRequired[NodeVersion]
    error_message: NotRequired[str]
    """Why the lookup failed."""


class BulkNodeVersions(TypedDict):
    """A result for every requested version, in the same order."""

    node_versions: Sequence[BulkNodeVersionsNodeVersionsItem]


class BulkNodeVersionsRequest(TypedDict):
    """Versions to look up in one call."""

    node_versions: Sequence[NodeVersionIdentifier]


class CallableWork(TypedDict):
    """A work that the workspace can call: its own, shared with it, or public."""

    id: ModelId
    provider: ProviderSegment
    model: ModelSegment
    title: Union[str, None]
    """Its name for people; null if it has none."""
    description: Union[str, None]
    """What it does; null if nothing is said."""
    cover: Union[str, None]
    """An asset of this workspace that an example made; null for works of other workspaces and those without a picture."""


class CallableWorkPage(TypedDict):
    """One page of works, sorted by id, bytewise."""

    data: Sequence[CallableWork]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class CancelJobs(TypedDict):
    """Jobs to cancel in one call. If any is unknown, none is canceled."""

    job_ids: Sequence[str]
    """Jobs to cancel."""


class CanceledJob(TypedDict):
    """Whether this call canceled the job."""

    cancelled: bool
    """true if this call started the cancellation; false if the job had ended or was already being canceled."""


class CanceledJobs(TypedDict):
    """Which jobs this call canceled."""

    cancelled: Sequence[str]
    """The jobs this call started to cancel. Ended jobs are left out."""


class CatalogEntry(TypedDict):
    """A released model in the catalog."""

    id: ModelId
    provider: ProviderSegment
    model: ModelSegment
    billing: BillingFacts


class CatalogPage(TypedDict):
    """One page of the catalog, sorted by id, bytewise."""

    data: Sequence[CatalogEntry]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class ChangeSavedWorkflow(TypedDict):
    """The fields to change. Omitted fields stay as they are."""

    name: NotRequired[str]
    """1 to 100 characters after trimming, without slashes or line breaks."""
    folder: NotRequired[str]
    """Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it."""
    tags: NotRequired[Sequence[str]]
    """Search tags. Stored in lower case, without duplicates."""
    archived: NotRequired[bool]
    """Archived workflows are not listed, and their names can be reused."""


class ChangeWork(TypedDict):
    """What to change; members that are left out stay."""

    title: NotRequired[Union[str, None]]
    description: NotRequired[Union[str, None]]
    visibility: NotRequired[Literal["private", "shared", "public"]]
    """private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job."""
    shared_with: NotRequired[Sequence[str]]
    """Ids of workspaces."""
    version: NotRequired[int]
    """The version that the id without .v3 stands for."""
    deprecated_at: NotRequired[Union[str, None]]
    sunset_at: NotRequired[Union[str, None]]
    """Not before deprecated_at."""


class ClaimNode(TypedDict):
    """Proof that the caller owns the node's repository."""

    GH_TOKEN: str
    """A code-host token that proves access to the repository."""


class ConsoleConfigSignInOidc(TypedDict):
    name: str
    """The provider's display name."""
    url: str
    """Where to start signing in there."""


class ConsoleConfigSignIn(TypedDict):
    """The available ways to sign in."""

    links: bool
    """Whether one-time links are accepted."""
    oidc: Union[ConsoleConfigSignInOidc, None]
    """Sign-in with an OpenID provider, if one is configured."""


class ConsoleConfig(TypedDict):
    """Public facts about the server behind the console."""

    version: str
    """The server's version."""
    surface: Literal["cloud", "self_hosted"]
    """`cloud`: the full product. `self_hosted`: only the v2 API in front of your own application, without accounts."""
    auth: Literal["session", "token", "none"]
    """How calls are authenticated: by a person's session, by a token set by the operator, or not at all."""
    base_url: str
    """The base URL for paths in the examples."""
    content_url: Union[str, None]
    """The origin that serves user files; null if it is the same one."""
    credits_per_usd: Union[int, None]
    """How many credits one US dollar buys; null where nothing is sold."""
    sells_credits: bool
    """Whether workspaces can buy credits here."""
    editor_url: Union[str, None]
    """Where the ecosystem's editor is, with `workflow`, `job` or `picture` in the query; null if it is not installed."""
    sign_in: ConsoleConfigSignIn
    """The available ways to sign in."""


class ContentUrls(TypedDict):
    """Related links, relative to the host."""

    self: str
    """The asset."""
    content: str
    """The bytes. Needs the caller's credential."""
    thumbnail: NotRequired[str]
    """A thumbnail. Needs the caller's credential. Absent if none can be made."""


class ConvertWorkflow(TypedDict):
    """A workflow as the editor exports it."""

    workflow: Mapping[str, Any]


class ConvertedWorkflow(TypedDict):
    """The same workflow in API format."""

    workflow: WorkflowGraph
    format: Literal["api"]


class CreateKey(TypedDict):
    """The API key to create."""

    name: str
    """1 to 100 characters after trimming, without line breaks."""
    scopes: NotRequired[Sequence[KeyScope]]
    """At most the caller's own scopes. Defaults to all of them except account."""
    role: NotRequired[MemberRole]
    expires_at: NotRequired[Union[str, None]]
    """When it expires. Absent or null: never."""
    service_account_id: NotRequired[Union[str, None]]
    """The service account that it is for. Owners only; the key has at most that account's role."""


class CreateNode(TypedDict):
    """A node to create. Fields managed by the server are ignored."""

    id: NodeId
    name: str
    """Display name."""
    author: NotRequired[str]
    """Who wrote it."""
    category: NotRequired[str]
    """Use tags instead; will be removed in a later version."""
    license: NotRequired[str]
    """The path of the licence file in the repository, or its text as JSON."""
    repository: NotRequired[str]
    """URL of the repository: http, https, ssh or git's short form. Empty for none."""
    icon: NotRequired[str]
    """URL of the icon, http or https. Empty for none."""
    banner_url: NotRequired[str]
    """URL of the banner, http or https. Empty for none."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""
    translations: NotRequired[Mapping[str, Mapping[str, Any]]]
    """Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters."""
    description: NotRequired[str]
    """What the node does."""
    tags: NotRequired[Sequence[str]]
    """Tags."""


class CreatePublisher(TypedDict):
    """A publisher to create; the caller becomes its owner."""

    id: PublisherId
    name: str
    """Display name."""
    description: NotRequired[str]
    """What the publisher does."""
    logo: NotRequired[str]
    """URL of the logo, http or https. Empty for none."""
    website: NotRequired[str]
    """URL of the website, http or https. Empty for none."""
    support: NotRequired[str]
    """Where users find help: an http or https URL, an e-mail address, or plain text without markup."""
    source_code_repo: NotRequired[str]
    """URL of the source code, or git's short form. Empty for none."""
    visibility: NotRequired[PublisherVisibility]


class CreatePublisherMember(TypedDict):
    """A person to add to the publisher."""

    email: str
    """The person to invite."""
    role: NotRequired[Literal["owner", "member"]]
    """What they may do."""


class CreatePublisherToken(TypedDict):
    """A publishing token."""

    name: str
    """What the token is for."""
    description: NotRequired[str]
    """A longer description."""
    expires_at: NotRequired[str]
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class CreateServiceAccount(TypedDict):
    """The service account to create."""

    name: str
    """1 to 100 characters after trimming, without line breaks."""
    role: NotRequired[MemberRole]


class CreatedAccountKeyServiceAccount(TypedDict):
    id: str
    """A lower-case UUID."""
    name: str


class CreatedAccountKey(TypedDict):
    """A new API key."""

    id: str
    """A lower-case UUID."""
    name: str
    """What the key is for."""
    hint: str
    """The start of the key, enough to recognise it."""
    scopes: Sequence[KeyScope]
    """The key's scopes."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    expires_at: Union[str, None]
    """When it expires; null if never."""
    last_used_at: Union[str, None]
    """Approximate time of last use."""
    revoked_at: Union[str, None]
    """When it was revoked; null if it is active."""
    daily_credits_max: NotRequired[Union[str, None]]
    """Credits it may spend per day."""
    monthly_credits_max: NotRequired[Union[str, None]]
    """Credits it may spend per month."""
    role: MemberRole
    created_by: Union[str, None]
    """The person who created it, if known."""
    service_account: NotRequired[Union[CreatedAccountKeyServiceAccount, None]]
    """The service account whose key it is; null if none."""
    secret: str
    """The key itself, shown only once."""


class CreatedPublisherToken(TypedDict):
    """A new token."""

    id: str
    """A lower-case UUID."""
    token: str
    """The token itself, shown only once."""


class CreatedToken(TypedDict):
    """A new token. Without a body in the request: a person's identity token for one workspace, valid for 15 minutes, with token and expires_at alone."""

    token: str
    """The token itself, for Authorization: Bearer. Shown only once."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    id: NotRequired[str]
    """A lower-case UUID."""
    hint: NotRequired[str]
    """The start of the token, enough to recognise it."""
    label: NotRequired[Union[str, None]]
    """What it is for."""
    parent_id: NotRequired[Union[str, None]]
    """The token or key it was made from; null for a person's session."""
    depth: NotRequired[int]
    """1 if made from a key or session."""
    capabilities: NotRequired[Sequence[TokenCapability]]
    """What it may do."""
    models: NotRequired[Sequence[str]]
    """The models and works it may use."""
    origins: NotRequired[Union[Sequence[str], None]]
    """The origins of pages that may use it, and nothing else may; null: not restricted."""
    addresses: NotRequired[Union[Sequence[str], None]]
    """The addresses it works from; null: any."""
    end_user: NotRequired[Union[str, None]]
    """Your own id of the person who uses it."""
    credits_max: NotRequired[Union[str, None]]
    """What it may spend; null if only what it was made from limits it."""
    credits_spent: NotRequired[str]
    """What it and tokens made from it have spent."""
    created_at: NotRequired[str]
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    revoked_at: NotRequired[Union[str, None]]
    """When it was revoked; null if it was not."""


class CreatedWebhookEndpointLastDelivery(TypedDict):
    id: str
    """A lower-case UUID."""
    type: str
    """What happened."""
    status: Literal["pending", "delivered", "dead", "gone"]
    """How it went."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class CreatedWebhookEndpoint(TypedDict):
    """The new endpoint and its secret."""

    id: str
    """A lower-case UUID."""
    url: str
    """Where events go."""
    description: str
    types: Sequence[WebhookEventType]
    """What is sent there."""
    filter: WebhookEndpointFilter
    status: Literal["active", "failing", "disabled", "paused"]
    """active: events are sent. failing: its receiver failed five times in a row and is tried once a minute. disabled: its receiver took nothing for five days, so sending has stopped. paused: a person paused it. While disabled or paused, events become dead deliveries that can be redelivered."""
    status_detail: Union[str, None]
    """Why it is not active, and what to do; null if it is active."""
    last_delivery: Union[CreatedWebhookEndpointLastDelivery, None]
    """The newest delivery to it."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    paused_at: Union[str, None]
    """When a person paused it."""
    secret: str
    """Signs deliveries to it. Only shown here. Store it."""


class CreatedWorkLink(TypedDict):
    """The link, with its address. It is shown this once."""

    id: str
    """A lower-case UUID."""
    label: Union[str, None]
    """Whom it is for."""
    budget: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    spent: str
    """What its runs have cost so far."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ended_at: Union[str, None]
    """When it was ended by hand; null if it was not."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    url: str
    """What to send to people. The part after # is the secret."""


class CreditBalance(TypedDict):
    """What a workspace can spend, and what its open calls hold."""

    available: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    held: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    in_flight: int
    """Calls currently at providers."""


class CreditLine(TypedDict):
    """One line of the journal. Lines are only ever added, never changed."""

    transaction_id: str
    """The call, top-up or withdrawal."""
    kind: Literal["fund", "hold", "settle", "release", "refund", "withdraw"]
    """fund: topped up. settle: charged. refund: refunded. withdraw: removed by an operator. hold and release: set aside for an open call, and returned."""
    amount: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    change: str
    """How much the line changed the workspace's credits (available plus held)."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class CreditLinePage(TypedDict):
    """One page of the journal, newest line first."""

    data: Sequence[CreditLine]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class CreditRange(TypedDict):
    """The range of the charge, inclusive."""

    lowest: str
    """The least a successful run of this input is charged. A run that fails, is replayed under a known key or reuses earlier results may cost less, down to nothing. Credits, as a decimal text."""
    highest: str
    """The most it can be charged, no matter what the provider reports. Credits, as a decimal text."""


class CurrentPlan(TypedDict):
    """A subscription that the workspace paid for."""

    subscription: str
    """The payment provider's id of it."""
    plan_id: Union[str, None]
    """Null if the operator has no plan for its price any more."""
    name: str
    """The plan's name."""
    state: Literal["active", "grace", "ending", "ended"]
    """grace: the last payment failed, and the plan goes on until grace_until. ending: cancelled, until period_end."""
    period_end: Union[str, None]
    """When the paid period ends."""
    grace_until: Union[str, None]
    """How long the plan goes on without the payment that is missing."""


class DescriptorPage(TypedDict):
    """One page of the descriptors of a version."""

    svc_nodes: Sequence[NodeDescriptor]
    totalNumberOfPages: int
    """How many pages there are."""


class DescriptorSearchPage(TypedDict):
    """One page of the descriptors of all nodes."""

    svc_nodes: Sequence[NodeDescriptor]
    total: int
    """The total across all pages."""


class DuplicateWorkflow(TypedDict):
    """Where the copy goes."""

    name: str
    """1 to 100 characters after trimming, without slashes or line breaks."""
    folder: NotRequired[str]
    """Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it."""
    version: NotRequired[int]
    """Starts at 1, without gaps."""


class EditPermission(TypedDict):
    """The caller's permissions."""

    canEdit: bool
    """Whether the caller may change it."""


class EditorGraph(TypedDict):
    """A workflow in the editor's format."""

    nodes: Sequence[Mapping[str, Any]]


class EndedSessions(TypedDict):
    """How many sessions ended."""

    ended: int


class ErasedPerson(TypedDict):
    """What was removed or changed."""

    erased: Mapping[str, int]
    """How many of each kind."""


class ErrorAnswerPage(TypedDict):
    """One page of errors, newest first."""

    data: Sequence[ErrorAnswerRow]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class ErrorAnswerRow(TypedDict):
    """An error as its caller saw it."""

    request_id: str
    """A lower-case UUID."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    method: str
    path: str
    """Secrets are removed."""
    status: int
    code: str
    """The router's error type, or the error code of the other APIs."""
    message: str
    api_key_id: Union[str, None]
    """The key that made the request; null for a person."""


class ErrorGroup(TypedDict):
    """Failures of one kind."""

    outcome: str
    """The error code."""
    subject: str
    """What was called."""
    status: Union[int, None]
    """The HTTP status of the responses."""
    count: int
    """How many times."""
    first_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    last_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    last_request_id: Union[str, None]
    """The latest request of this kind."""


class ErrorGroupListTotal(TypedDict):
    """The total for the requested range."""

    count: int
    """Failures."""
    groups: int
    """All groups, including those not listed."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""


# Failures by kind.
ErrorGroupList = TypedDict(
    "ErrorGroupList",
    {
        "from": "str",
        "to": "str",
        "data": "Sequence[ErrorGroup]",
        "total": "ErrorGroupListTotal",
    },
)


class ExpectedSeconds(TypedDict):
    """How long past runs on this server took. Not a promise."""

    median: float
    """The median, in seconds."""
    p90: float
    """The 90th percentile, in seconds."""
    count: int
    """How many runs were measured."""


class FoundThing(TypedDict):
    """A match."""

    kind: Literal["job", "request", "asset", "model", "node", "key", "delivery", "publisher", "node_class"]
    """The kind of match."""
    id: str
    """The id to read it by."""
    title: str
    """The display name."""
    subtitle: Union[str, None]
    """More details."""
    at: Union[str, None]
    """When it was created."""


class FoundThings(TypedDict):
    """The matches."""

    data: Sequence[FoundThing]
    """Best match first."""


class GalleryExpiring(TypedDict):
    """Assets that are about to expire."""

    assets: int
    """How many expire within 7 days; counted up to 10,000."""
    first_at: Union[str, None]
    """When the first of them expires."""
    before: str
    """7 days from now, for the list's `expires_before`."""


class Gallery(TypedDict):
    """A summary of the workspace's assets."""

    assets: int
    """All of them, outputs and uploads."""
    size_bytes: int
    """Their size together."""
    boards: Sequence[GalleryBoard]
    """By name; at most 200."""
    expiring: GalleryExpiring
    """Assets that are about to expire."""


class GalleryBoard(TypedDict):
    """Assets that share a tag `board:{name}`."""

    name: str
    """The board's name. In the tag it is percent-encoded, since tags are ASCII."""
    tag: str
    """The tag to add, remove and filter by."""
    assets: int
    cover_asset_id: str
    """Its newest asset."""


class GenericError(TypedDict):
    """An error of the price badges, the partner proxy, the registry and the other APIs."""

    error: str
    """A stable snake_case code to branch on."""
    message: str
    """A human-readable message."""
    details: NotRequired[Any]
    """Details, such as every rejected field."""


class GivenExample(TypedDict):
    """Inputs to run when the work is published."""

    title: NotRequired[str]
    """Its name for people."""
    inputs: Mapping[str, Any]


class GraphEstimate(TypedDict):
    """What a fresh run of this graph would cost now."""

    credits: CreditRange
    hold: str
    """What a submission holds of the workspace's balance. Equals highest, unless only the run decides which model is called or how often, or another key pays: then each call holds its own amount. Credits, as a decimal text."""
    is_exact: bool
    """Whether lowest and highest are equal."""
    expected_seconds: NotRequired[ExpectedSeconds]
    nodes: Sequence[NodeEstimate]
    """Every node that will run and calls a model, in graph order, plus the running time if it is charged. Nodes that are not listed cost nothing."""


class GraphNode(TypedDict):
    """One node of a graph."""

    class_type: str
    """The node's class."""
    inputs: Mapping[str, Any]
    """Values, links ([node id, output index]) or asset references (__type core/ASSET with info.id)."""
    _meta: NotRequired[Mapping[str, Any]]


class Health(TypedDict):
    """The process responds. Nothing else was checked."""

    status: Literal["ok"]
    proof: NotRequired[str]
    """On /health with a challenge: base64url HMAC-SHA256, keyed with proof_key from server.json in the data folder, over `atelier-health`, the Host in lower case and the challenge, joined by line feeds."""


class ImageToVideoRequest(TypedDict):
    """An image or key frames to make a video from."""

    prompt_text: NotRequired[str]
    """What the video should show."""
    image_url: NotRequired[str]
    """The image the video starts from: an http or https URL."""
    inference_params: NotRequired[InferenceParams]
    webhook_url: NotRequired[str]
    """Called on every status change of the prompt. Must be https on port 443."""
    keyframes: NotRequired[Keyframes]


class IndexUrls(TypedDict):
    openapi: str
    """The OpenAPI document."""
    docs: str
    """The API reference."""
    llms: str
    """The description for language models."""
    ready: str
    """Whether the process is ready."""


class Index(TypedDict):
    """What this server is and where its documents are."""

    name: str
    """The name of the software."""
    version: str
    """The server's version."""
    urls: IndexUrls


class InferenceParams(TypedDict):
    """Settings of the video generation."""

    add_quality_guidance: NotRequired[bool]
    """Adds guidance towards higher quality."""
    caching_coefficient: NotRequired[float]
    """How much is reused from the cache."""
    caching_cooldown: NotRequired[int]
    """Final steps that do not use the cache."""
    caching_warmup: NotRequired[int]
    """First steps that do not use the cache."""
    clip_value: NotRequired[float]
    """Where guidance is clipped."""
    conditioning_frame_index: NotRequired[int]
    """The frame that the image conditions."""
    cooldown_steps: NotRequired[int]
    """Steps over which guidance fades out."""
    fps: NotRequired[int]
    """Frames per second."""
    guidance_scale: NotRequired[float]
    """How closely the prompt is followed."""
    height: NotRequired[int]
    """Height in pixels."""
    negative_prompt: NotRequired[str]
    """What the video should not show."""
    num_frames: NotRequired[int]
    """How many frames are made."""
    seed: NotRequired[int]
    """Any 64-bit integer. The same seed gives the same noise. Random by default."""
    shift_value: NotRequired[float]
    """Time step shift."""
    steps: NotRequired[int]
    """Denoising steps."""
    use_guidance_schedule: NotRequired[bool]
    """Lets guidance change over the steps."""
    use_negative_prompts: NotRequired[bool]
    """Whether negative_prompt is used."""
    use_timestep_transform: NotRequired[bool]
    """Transforms the time steps."""
    warmup_steps: NotRequired[int]
    """Steps over which guidance ramps up."""
    width: NotRequired[int]
    """Width in pixels."""


class InputSchemaDocumentInfo(TypedDict):
    title: ModelId
    version: str


class InputSchemaDocument(TypedDict):
    """A self-contained OpenAPI document of one model. Its input is validated against exactly this document."""

    openapi: str
    info: InputSchemaDocumentInfo
    paths: Mapping[str, Any]
    components: NotRequired[Mapping[str, Any]]


class InviteAgain(TypedDict):
    """How long the new link works."""

    link_hours: NotRequired[int]
    """How many hours the sign-in link works."""


class InvoiceCustomer(TypedDict):
    """Who paid, as the provider knows them."""

    name: Union[str, None]
    email: Union[str, None]
    address: Sequence[str]
    tax_ids: Sequence[str]


class InvoiceLinesItem(TypedDict):
    text: str
    quantity: Union[int, None]
    amount_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""


class InvoiceTaxesItem(TypedDict):
    label: str
    amount_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""


class Invoice(TypedDict):
    """A payment, as the payment provider invoiced it."""

    id: str
    """A lower-case UUID."""
    number: Union[str, None]
    """The provider's number. Null for a payment that has no invoice there."""
    paid_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    plan: Union[str, None]
    """The plan's name."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    currency: str
    """An ISO 4217 currency in lower case."""
    customer: InvoiceCustomer
    """Who paid, as the provider knows them."""
    lines: Sequence[InvoiceLinesItem]
    """What was bought."""
    subtotal_minor: Union[int, None]
    """Before discounts and taxes."""
    discount_minor: Union[int, None]
    """What was taken off."""
    taxes: Sequence[InvoiceTaxesItem]
    """As the provider worked them out."""
    total_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""
    paid_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""
    refunded_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""
    provider_url: Union[str, None]
    """The provider's own page of it."""


class InvoicePage(TypedDict):
    """One page of invoices, newest first."""

    data: Sequence[Invoice]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class Job(TypedDict):
    """One run of a workflow."""

    id: str
    """A lower-case UUID."""
    status: JobState
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    started_at: Union[str, None]
    """When it started running."""
    completed_at: Union[str, None]
    """When it ended."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    queue_position: Union[int, None]
    """How many jobs are ahead of it while it is queued."""
    waiting_for: NotRequired[WaitingFor]
    progress: Union[Progress, None]
    outputs: Sequence[Output]
    """Its outputs so far. Grows while it runs."""
    error: Union[JobError, None]
    metrics: NotRequired[Mapping[str, Union[int, None]]]
    """Durations such as queue_ms and execution_ms; null until known."""
    outputs_reused: NotRequired[bool]
    """true if at least one node reused an earlier result."""
    metadata: NotRequired[JobMetadata]
    priority: NotRequired[int]
    """The priority of the submission; 0 by default."""
    output_delivery: NotRequired[OutputDelivery]
    lock_id: NotRequired[str]
    """The lock of the environment that ran it. Absent if its worker had none, or it has not run."""
    urls: JobUrls


class JobCharge(TypedDict):
    """What one job was charged."""

    job_id: str
    """A lower-case UUID."""
    credits: Union[str, None]
    """What the workspace was charged for the job: its running time and its nodes' model calls; null until it has ended."""


class JobChargeList(TypedDict):
    """What several jobs were charged."""

    data: Sequence[JobCharge]
    """In the requested order. Unknown jobs are left out."""


class JobCharges(TypedDict):
    """The itemised charge of one job."""

    job_id: str
    """A lower-case UUID."""
    credits: Union[str, None]
    """What the workspace was charged for the job: its running time and its nodes' model calls; null until it has ended."""
    running_time: Union[str, None]
    """The charge for its running time; null until it has ended."""
    nodes: Sequence[NodeCharge]
    """Nodes whose model calls have ended, by id, even while the job is running. Calls paid for by another workspace's key are not included."""


class JobError(TypedDict):
    """Why a job failed. Part of the job; reading the job still returns 200."""

    code: str
    """A stable code, such as node_execution_error."""
    message: str
    """A human-readable message."""
    node_id: NotRequired[Union[str, None]]
    """The node that failed."""
    class_type: NotRequired[Union[str, None]]
    """Its class."""
    traceback: NotRequired[Union[str, None]]
    """Where it failed, if the caller may see that."""


class JobNode(TypedDict):
    """The state of one graph node in the job's newest attempt."""

    node_id: str
    """The node's id in the submitted graph."""
    class_type: str
    """Its class."""
    title: NotRequired[str]
    """Its title in the graph (_meta.title). Absent if it has none."""
    state: NodeState
    progress: float
    """The node's progress from 0 to 1. Never decreases."""
    began_ms: NotRequired[int]
    """When it started, in milliseconds after its worker took the attempt. Absent if it did not run or the worker does not report it."""
    ms: Union[int, None]
    """How long it has run so far, or in total; null if it did not run."""


class JobPage(TypedDict):
    """One page of jobs, newest first."""

    data: Sequence[Job]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""
    next: NotRequired[str]
    """The next page, relative to the host. Absent on the last page."""


class JobUrls(TypedDict):
    """Related links, relative to the host."""

    self: str
    """The job."""
    events: str
    """Its event stream."""
    cancel: str
    """POST here to cancel it."""
    workflow: str
    """The executed graph."""
    preview: str
    """Its newest preview image."""


class JobWorkflow(TypedDict):
    """The graph that a job executed."""

    workflow: Mapping[str, Any]
    format: Literal["api", "save"]
    """api: the executed graph. save: the editor's version."""
    lock_id: NotRequired[str]
    """The lock of the environment that ran it. Absent if its worker had none, or it has not run."""


class JsonRpcMessage(TypedDict):
    """One JSON-RPC 2.0 message."""

    jsonrpc: Literal["2.0"]


class KeepModelOutput(TypedDict):
    """A model output, by the URL in the model's response."""

    request_id: str
    """The X-Service-Request-Id of the response that contained the URL, or the id of the queued request. Only responses to calls with an Idempotency-Key and to queued calls are recorded."""
    idempotency_key: NotRequired[str]
    """The key the call was sent with. It finds the call even if the response was a replay a moment ago, whose request id is recorded a little later."""
    url: str
    """Exactly as it appears in that response. It is downloaded from the provider's own hosts or from a public https URL."""
    name: str
    """The file name in the gallery."""
    tags: NotRequired[Sequence[str]]
    """The asset's tags."""


class KeepPlaygroundRun(TypedDict):
    """A run to remember."""

    model: str
    """provider/model, or the id of a work."""
    input: str
    """The input: a JSON object as text, so that large integers keep their digits."""
    request_id: Union[str, None]
    """The request id from the response."""
    credits: Union[str, None]
    """What it cost; null if that is not known."""
    asset_ids: Sequence[str]
    """The outputs that were saved as assets."""


class KeptModelOutput(TypedDict):
    """The saved file and its asset."""

    asset_id: str
    """A lower-case UUID."""
    created_new: bool
    """false if the workspace already had this file."""


class KeyCaps(TypedDict):
    """How much one key may spend, and what it has spent."""

    key_id: str
    """A lower-case UUID."""
    daily_credits_max: Union[str, None]
    """Credits it may spend per UTC day; null for no cap."""
    monthly_credits_max: Union[str, None]
    """Credits it may spend per UTC month; null for no cap."""
    spent_today: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    spent_this_month: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    held: str
    """The most its open calls can still cost. Counts against the caps."""


class KeyLimits(TypedDict):
    """How many calls one key may make, with all tokens made from it."""

    key_id: str
    """A lower-case UUID."""
    calls_per_minute: Union[int, None]
    """Calls that may begin in a minute; null for any number."""
    concurrency: Union[int, None]
    """Calls that may be open at once, queued ones included; null for any number."""
    in_flight: int
    """Calls that are open now. 0 without a concurrency."""


class KeySet(TypedDict):
    """The public keys of this installation's identity issuer (JWKS)."""

    keys: Sequence[Mapping[str, Any]]


class KeyframesValue(TypedDict):
    image_url: str


class LockedModel(TypedDict):
    """A model that this server knows but cannot call, because its provider has no credential."""

    id: ModelId
    provider: ProviderSegment
    model: ModelSegment
    billing: BillingFacts
    title: NotRequired[str]
    """The display name."""
    description: NotRequired[str]
    """What it makes, and from what."""
    kind: NotRequired[Literal["image", "video", "audio", "text", "other"]]
    """What it makes. Absent if its definition does not say."""
    price: str
    """The price of a call in credits, as text. 0 means free."""
    own_credential: bool
    """Whether a workspace can add a credential of its own."""


class ModelDetailExamplesItem(TypedDict):
    title: Union[str, None]
    """Null if it has none."""
    inputs: Mapping[str, Any]
    urls: Sequence[str]
    """What it made, as signed URLs that expire."""


class ModelDetail(TypedDict):
    """One model, with fields that lists do not include."""

    id: ModelId
    provider: ProviderSegment
    model: ModelSegment
    billing: BillingFacts
    input_schema_url: NotRequired[str]
    """The URL of the input schema. Absent if there is none."""
    title: NotRequired[str]
    """The display name."""
    description: NotRequired[str]
    """What it makes, and from what."""
    kind: NotRequired[Literal["image", "video", "audio", "text", "other"]]
    """What it makes. Absent if its definition does not say."""
    deprecated_at: NotRequired[str]
    """When it was deprecated; also in the Deprecation header."""
    sunset_at: NotRequired[str]
    """When it starts to return 404; also in the Sunset header."""
    verified: Union[str, None]
    """When the operator's live check last succeeded with exactly this definition; null if never. A definition written only from documentation has none."""
    examples: NotRequired[Sequence[ModelDetailExamplesItem]]
    """Examples of a work, which ran when it was published. Absent for other models."""


class ModelEstimatePartsItemQuantitiesItem(TypedDict):
    unit: Literal["second", "item", "megapixel", "million_tokens"]
    """What is counted."""
    lowest: str
    """The least that counts."""
    highest: str
    """The most that counts."""
    reported: bool
    """Whether the provider reports it at the end; otherwise the input decides."""


class ModelEstimatePartsItem(TypedDict):
    each: str
    """Credits for one of each quantity."""
    quantities: Sequence[ModelEstimatePartsItemQuantitiesItem]
    """Multiplied with each other and with `each`. Empty: a fixed price."""


class ModelEstimate(TypedDict):
    """What a call to this model with this input would cost now."""

    model: ModelId
    credits: CreditRange
    hold: str
    """The hold on the balance while the call runs. Equals highest. Credits, as a decimal text."""
    is_exact: bool
    """Whether lowest and highest are equal."""
    parts: NotRequired[Sequence[ModelEstimatePartsItem]]
    """How the amounts come about: the parts are added up. Absent if several prices are possible."""
    expected_seconds: NotRequired[ExpectedSeconds]


class ModelRequest(TypedDict):
    """The status of a queued model call."""

    request_id: str
    """A lower-case UUID."""
    status: ModelRequestStatus
    queue_position: NotRequired[int]
    """How many of the workspace's requests are ahead of it. Only while IN_QUEUE."""
    status_url: str
    """Its status."""
    response_url: str
    """Its result, once it has completed."""
    cancel_url: str
    """Send a PUT here to cancel it."""
    model: ModelId
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    started_at: NotRequired[str]
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    completed_at: NotRequired[str]
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    error_type: NotRequired[RouterBucket]
    code: NotRequired[RequestReason]
    detail: NotRequired[Union[str, Sequence[RouterValidationEntry]]]
    """With error_type: a human-readable message, or a list if the provider rejected fields."""
    credits_used: NotRequired[str]
    """An amount of credits, as a decimal string with at most six decimal places."""
    hold_until: NotRequired[str]
    """Only set if the process that ran it died and its outcome is being determined. Its credits stay held until this time at the latest."""


class ModelRequestError(TypedDict):
    """An error on a route of queued model calls. error_type equals X-Service-Error-Type, and code equals X-Service-Error-Reason."""

    detail: str
    """A human-readable message."""
    error_type: RouterBucket
    code: NotRequired[RequestReason]


class ModelRequestPage(TypedDict):
    """One page of requests, newest first."""

    data: Sequence[ModelRequest]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class ModelRoute(TypedDict):
    """A route."""

    id: ModelId
    name: ModelSegment
    scope: Literal["workspace", "server"]
    """Who wrote it. A workspace's own comes before the server's."""
    title: Union[str, None]
    description: Union[str, None]
    rule: Literal["order", "price", "latency", "success", "weight"]
    strict: bool
    targets: Sequence[RouteTarget]
    version: int
    """Also the ETag."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    updated_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class ModelRouteList(TypedDict):
    """Routes, sorted by name."""

    data: Sequence[ModelRoute]


class ModelStats(TypedDict):
    """Statistics of a model for this workspace. Replays are not counted."""

    model: str
    """provider/model."""
    calls: int
    """The number of calls."""
    successes: int
    """Calls that succeeded."""
    failures: int
    """Calls that failed."""
    success_rate: Union[float, None]
    """Successful calls divided by all calls."""
    p50_ms: Union[int, None]
    """Median duration of successful calls, accurate to 5 %; null if there are none."""
    p95_ms: Union[int, None]
    """95th percentile of the duration of successful calls, accurate to 5 %; null if there are none."""
    last_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class ModelStatsList(TypedDict):
    """Recent model statistics for this workspace."""

    hours: int
    """How many hours back."""
    data: Sequence[ModelStats]
    """The models that were called, most called first."""


class MoveWorkspace(TypedDict):
    """Where a workspace goes."""

    moved_to: str
    """The other server's address, such as https://atelier.example."""
    is_done: NotRequired[bool]
    """true: it is complete there. From then on this server only says where it is."""


class NameWorkspace(TypedDict):
    """A workspace's name."""

    name: str
    """1 to 100 characters after trimming, without line breaks."""


class NewToken(TypedDict):
    """The token to make. Each restriction is combined with those of the caller: the narrower one applies."""

    capabilities: Sequence[TokenCapability]
    """What it may do. Anything else is refused."""
    models: NotRequired[Sequence[str]]
    """The models and works it may use. Required with call_models and read_models, unless the caller is a token: then absent means the caller's."""
    credits_max: NotRequired[str]
    """What it and all tokens made from it may spend together. Required with call_models, unless the caller is a token."""
    expires_in_seconds: NotRequired[int]
    """How long it works: an hour by default, and never longer than what it is made from."""
    end_user: NotRequired[str]
    """Your own id of the person who uses it, in visible ASCII characters."""
    origins: NotRequired[Sequence[str]]
    """Only pages of these origins may use it, and browsers let them. Absent: any program, and no page that the server does not know."""
    addresses: NotRequired[Sequence[str]]
    """It works only from these addresses."""
    label: NotRequired[str]
    """What it is for."""


class NewWebhookEndpoint(TypedDict):
    """An endpoint to add."""

    url: str
    """An https URL of a public host, on port 443. Each address once per workspace."""
    types: Sequence[WebhookEventType]
    """What is sent there."""
    filter: NotRequired[WebhookEndpointFilter]
    description: NotRequired[str]
    """For people."""


class NewWorkLink(TypedDict):
    """A link with which people without an account can run the work."""

    label: NotRequired[str]
    """Whom it is for."""
    budget: str
    """What all runs through the link may cost together, in credits."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class Node(TypedDict):
    """A registry node."""

    id: NodeId
    name: str
    """Display name."""
    description: str
    """What the node does. Empty if not given."""
    author: NotRequired[str]
    """Who wrote it."""
    category: NotRequired[str]
    """Use tags instead; will be removed in a later version."""
    license: NotRequired[str]
    """The path of the licence file in the repository, or its text as JSON."""
    repository: NotRequired[str]
    """URL of the repository."""
    icon: NotRequired[str]
    """URL of the icon."""
    banner_url: NotRequired[str]
    """URL of the banner."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""
    translations: NotRequired[Mapping[str, Mapping[str, Any]]]
    """Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters."""
    tags: Sequence[str]
    """Tags."""
    tags_admin: NotRequired[Sequence[str]]
    """Operator tags, only shown to admins. Tags starting with `warning:` also appear in warnings."""
    warnings: NotRequired[Sequence[str]]
    """Warnings from the operators, to be shown before installing. Absent if there are none."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    downloads: int
    """Installs, counted once per client and day."""
    github_stars: NotRequired[int]
    """The repository's star count."""
    rating: NotRequired[float]
    """The average review."""
    search_ranking: NotRequired[int]
    """Rank in search results."""
    status: NodeStatus
    status_detail: NotRequired[str]
    """Why it has this status."""
    preempted_svc_node_names: NotRequired[Sequence[str]]
    """Node names this node takes precedence for."""
    latest_version: NotRequired[NodeVersion]
    publisher: NotRequired[Publisher]


class NodeCapabilitiesUsesItem(TypedDict):
    kind: str
    """network, processes, files, code, native or environment."""
    at_import: bool
    """Whether it happens when the application loads the node, without anybody running it."""
    name: str
    """What is used, for example requests.get."""
    file: str
    """The file."""
    line: NotRequired[int]
    """The line. Absent for compiled files."""
    within: NotRequired[str]
    """The function. Absent at the top of a module."""


class NodeCapabilitiesAddedItem(TypedDict):
    kind: str
    """network, processes, files, code, native or environment."""
    at_import: bool
    """Whether it happens when the application loads the node, without anybody running it."""
    name: str
    """What is used, for example requests.get."""
    file: str
    """The file."""
    line: NotRequired[int]
    """The line. Absent for compiled files."""
    within: NotRequired[str]
    """The function. Absent at the top of a module."""
    is_new_kind: bool
    """Whether the other version cannot do this anywhere."""
    text: str
    """In a sentence."""


class NodeCapabilitiesRemovedItem(TypedDict):
    kind: str
    """network, processes, files, code, native or environment."""
    at_import: bool
    """Whether it happens when the application loads the node, without anybody running it."""
    name: str
    """What is used, for example requests.get."""
    file: str
    """The file."""
    line: NotRequired[int]
    """The line. Absent for compiled files."""
    within: NotRequired[str]
    """The function. Absent at the top of a module."""


class NodeCapabilities(TypedDict):
    """What the code of a version can do, where, and what is new since another version."""

    version: str
    """The version."""
    capabilities: Sequence[str]
    """In words, as the version itself lists them."""
    uses: Sequence[NodeCapabilitiesUsesItem]
    """Every place, by file and line."""
    compared_with: NotRequired[str]
    """The version it is compared with. Absent if there is no earlier one."""
    added: Sequence[NodeCapabilitiesAddedItem]
    """Places that the other version does not have, new capabilities first."""
    removed: Sequence[NodeCapabilitiesRemovedItem]
    """Places that only the other version has."""


class NodeCharge(TypedDict):
    """The charge for one node's model calls."""

    node_id: str
    """The node's id in the job's graph."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    calls: int
    """How many of its calls have ended."""
    request_ids: Sequence[str]
    """The newest of these calls, newest first: each id is found at GET /account/requests/{requestId}."""


class NodeClass(TypedDict):
    """A node class available here."""

    name: str
    """The class_type in graphs."""
    title: str
    """The name editors show."""
    category: str
    """Where editors list it. Slashes separate subcategories."""
    description: str
    """What it does. Empty if not given."""
    is_output: bool
    """Whether it is an output node, which saves or shows something."""
    is_deprecated: bool
    """Whether it is deprecated in favour of something newer."""
    is_experimental: bool
    """Whether it may still change."""
    inputs: Sequence[NodeClassInput]
    """In the class's own order, required inputs first."""
    outputs: Sequence[NodeClassOutput]
    """In order."""
    runs_on: NodeClassLocation


class NodeClassInput(TypedDict):
    """One input of a node class."""

    name: str
    """Its name in graphs."""
    type: str
    """INT, FLOAT, STRING, BOOLEAN, COMBO, or the type of a socket such as IMAGE."""
    is_required: bool
    """Whether a graph must set it."""
    is_link: bool
    """Whether it only accepts a link to another node."""
    is_file: bool
    """Whether it takes one of the caller's files: an asset reference, or the path of an uploaded asset."""
    default: NotRequired[Any]
    """The initial value in editors. A graph must still set it."""
    min: NotRequired[float]
    """The minimum. Integers beyond 2^53 are exact."""
    max: NotRequired[float]
    """The maximum. Integers beyond 2^53 are exact."""
    step: NotRequired[float]
    """The step size in editors."""
    choices: NotRequired[Sequence[Any]]
    """The choices of a COMBO."""
    is_multiline: NotRequired[bool]
    """Whether the text can have several lines."""
    is_color: NotRequired[bool]
    """Whether the integer is a color: 0xRRGGBB."""
    tooltip: NotRequired[str]
    """What it is for."""


class NodeClassLocation(TypedDict):
    """Where a node class runs."""

    engine: bool
    """In the server's own engine."""
    pools: Sequence[str]
    """Ids of the pools that have a worker with this class: the shared pool or a deployment's."""
    application: bool
    """In the application behind this surface."""


class NodeClassOutput(TypedDict):
    """One output of a node class. Links refer to it by its index."""

    name: str
    """Its name in editors."""
    type: str
    """Its type, such as IMAGE."""
    is_list: bool
    """Whether it returns a list of values."""


class NodeClassPage(TypedDict):
    """One page of node classes."""

    data: Sequence[NodeClass]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""
    next: NotRequired[str]
    """The next page, relative to the host. Absent on the last page."""


class NodeCounts(TypedDict):
    """How many nodes are in each state. Exact, no matter how large the graph is."""

    waiting: int
    """Nodes in the state waiting."""
    running: int
    """Nodes in the state running."""
    cached: int
    """Nodes in the state cached."""
    done: int
    """Nodes in the state done."""
    failed: int
    """Nodes in the state failed."""


class NodeDescriptor(TypedDict):
    """One node class that a version of a registry node provides."""

    category: NotRequired[str]
    """The node's place in the menu."""
    deprecated: NotRequired[bool]
    """Deprecated nodes are hidden in the menu."""
    description: NotRequired[str]
    """What the node does."""
    display_name: NotRequired[str]
    """The node's name for people."""
    experimental: NotRequired[bool]
    """May change or be removed."""
    function: NotRequired[str]
    """The name of the entry-point function."""
    input_types: NotRequired[str]
    """The input parameters, as a JSON string."""
    output_is_list: NotRequired[Sequence[bool]]
    """For each output, whether it is a list."""
    output_node: NotRequired[bool]
    """Whether it ends a workflow, such as a node that saves."""
    policy: NotRequired[NodePolicy]
    return_names: NotRequired[str]
    """The outputs' names, as a JSON string."""
    return_types: NotRequired[str]
    """The outputs' types, as a JSON string."""
    svc_node_name: str
    """The node's unique name."""


class NodeEstimate(TypedDict):
    """What one part of a graph would cost."""

    node_id: str
    """The node's id in the graph, or run for the job's running time."""
    class_type: NotRequired[str]
    """The node's class. Absent for the running time."""
    title: NotRequired[str]
    """The node's title, if the graph has one."""
    credits: CreditRange
    is_exact: bool
    """Whether lowest and highest are equal."""
    expected_seconds: NotRequired[ExpectedSeconds]


class NodePage(TypedDict):
    """One page of nodes."""

    nodes: Sequence[Node]
    total: int
    """The total across all pages."""
    page: int
    """The number of this page."""
    limit: int
    """The page size that was used."""
    totalPages: int
    """How many pages there are."""


class NodeReadme(TypedDict):
    """The readme that a version's archive contains."""

    file: str
    """Its name in the archive."""
    text: str
    """Its text, without control characters. Usually Markdown."""
    truncated: bool
    """Whether the end was left out because the file is long."""


class NodeVersion(TypedDict):
    """A published version of a node."""

    id: str
    """A lower-case UUID."""
    node_id: NodeId
    version: str
    """A semantic version."""
    changelog: NotRequired[str]
    """What changed."""
    createdAt: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    dependencies: Sequence[str]
    """Packages it needs."""
    deprecated: bool
    """Whether its publisher has deprecated it."""
    deprecated_at: NotRequired[str]
    """When it was deprecated; also in the Deprecation header. Absent if it is not."""
    sunset_at: NotRequired[str]
    """When its publisher will remove it; also in the Sunset header."""
    downloadUrl: NotRequired[str]
    """The URL of the archive. Absent until its upload completes."""
    archive_hash: NotRequired[str]
    """The hash of the archive: blake3: and 64 hexadecimal digits."""
    archive_size: NotRequired[int]
    """Size of the archive in bytes."""
    status: NodeVersionStatus
    status_reason: NotRequired[str]
    """Why it has this status."""
    svc_node_extract_status: NotRequired[str]
    """The state of the descriptor extraction: pending, success, partial or failed."""
    extract_reasons: NotRequired[Sequence[str]]
    """Why the extraction is partial or failed: what is computed at run time, with file and line. Absent if there is nothing to say."""
    capabilities: NotRequired[Sequence[str]]
    """What its code can do: network, processes, files, code, native, environment; with _at_import if it happens when the application loads it. Absent until its code was read."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""
    tags: NotRequired[Sequence[str]]
    """Tags."""
    tags_admin: NotRequired[Sequence[str]]
    """Operator tags, only shown to admins."""
    warnings: NotRequired[Sequence[str]]
    """Warnings from the operators, to be shown before installing; the node's own warnings come first. Absent if there are none."""
    findings: NotRequired[Sequence[NodeVersionFinding]]
    """The findings of the checks, only shown to members and admins."""
    readme: NotRequired[str]
    """The name of the readme in the archive. Absent if it has none that this reader may see."""
    appeal: NotRequired[NodeVersionAppeal]


class NodeVersionAppeal(TypedDict):
    """The publisher's appeal while it waits for an operator. Only shown to members and admins."""

    reason: str
    """Why the publisher thinks that the findings are harmless."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class NodeVersionFinding(TypedDict):
    """One finding of the built-in checks in an archive."""

    code: str
    """The rule's stable code."""
    message: str
    """A human-readable description."""
    file: NotRequired[str]
    """The file with the finding."""
    line: NotRequired[int]
    """The line number."""
    source: NotRequired[str]
    """That line of the file, at most 200 characters."""


class NodeVersionIdentifier(TypedDict):
    """Identifies one version."""

    node_id: str
    version: str


class NodeVersionMove(TypedDict):
    """One change of a version's status."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    status_before: NodeVersionStatus
    status_after: NodeVersionStatus
    reason: NotRequired[str]
    """The reason."""
    by: Literal["admin", "publisher", "checks", "registry"]
    """Who changed it."""
    name: NotRequired[str]
    """The operator's name, only shown to operators."""
    batch_id: NotRequired[str]
    """A lower-case UUID."""


class NodeVersionPage(TypedDict):
    """One page of versions."""

    versions: Sequence[NodeVersion]
    total: int
    """The total across all pages."""
    page: int
    """The number of this page."""
    pageSize: int
    """The page size that was used."""
    totalPages: int
    """How many pages there are."""


class NodeVersionReview(TypedDict):
    """A version's findings and status history."""

    node_version: NodeVersion
    rule_set: NotRequired[str]
    """The version of the rules behind the verdict."""
    checked_at: Union[str, None]
    findings: Sequence[NodeVersionFinding]
    """The findings of the checks."""
    history: Sequence[NodeVersionMove]
    """Every status change, oldest first."""
    capabilities: NotRequired[NodeCapabilities]


class Output(TypedDict):
    """A job output. While the job is kept, its id is also an asset id."""

    id: str
    """A lower-case UUID."""
    node_id: str
    """The node that made it."""
    name: str
    """The file name without folders. The asset's file_path includes them."""
    type: Literal["image", "video", "audio", "text", "file", "latent"]
    """The kind of file, detected from its bytes."""
    content_type: str
    """The media type."""
    size_bytes: int
    """Size in bytes."""
    hash: Union[BlobHash, None]
    """The hash of the bytes; null until known."""
    url: str
    """The content endpoint. It needs the credential, so do not share it. For a signed URL to share, use the `url` of GET /api/v2/assets/{id} (urls.self) with this output's id."""
    url_expires_at: Union[str, None]
    """The job's expires_at; null on self-hosted surfaces. Not the expiry of a signed URL."""
    job_id: NotRequired[Union[str, None]]
    """The job that made it."""
    is_preview: NotRequired[bool]
    """true: made by a preview node such as PreviewImage, so it is not a saved result and is not sent to an output target. Absent for results."""
    urls: ContentUrls


class OutputDelivery(TypedDict):
    """The state of the deliveries to the output target."""

    delivered: int
    """Delivered outputs."""
    pending: int
    """Outputs being delivered or retried."""
    failed: int
    """Outputs abandoned after ten attempts."""
    last_error: Union[str, None]
    """The error of the newest failed attempt."""


class OutputTarget2(TypedDict):
    kind: Literal["https"]
    url: str
    """An https URL of a public host with {name} in its path or query, which is replaced with each output's name; it may also contain {job_id}. Outputs are sent with PUT, signed like webhooks."""


class OutputTarget22(TypedDict):
    kind: Literal["s3"]
    endpoint: str
    """An https URL of a public host. The bucket is added to the path."""
    bucket: str
    """The bucket."""
    prefix: NotRequired[str]
    """A prefix for each name."""
    region: NotRequired[str]
    """Defaults to us-east-1."""
    access_key_id: str
    """The id of the access key."""
    secret_access_key: str
    """Stored encrypted. Never in reads, logs or events."""


class PartnerATaskResultData(TypedDict):
    task_id: str
    """A lower-case UUID."""
    status: PartnerATaskStatus
    generated: Sequence[str]
    """URLs or data of the results. Empty until COMPLETED."""


class PartnerATaskResult(TypedDict):
    """A task at partner-a: created, running or ended."""

    data: PartnerATaskResultData


class PartnerBPromptError(TypedDict):
    """Why the prompt failed. Absent otherwise."""

    code: str
    message: str


class PartnerBPromptFrameConditioning(TypedDict):
    """The submitted image or key frames. Empty if there were none."""

    image_url: NotRequired[str]
    keyframes: NotRequired[Keyframes]


class PartnerBPromptModelParams(TypedDict):
    """The model to use."""

    model: str


class PartnerBPromptMeta(TypedDict):
    """When it happened."""

    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    completed_at: NotRequired[str]
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    duration_s: NotRequired[float]
    """Seconds from creation to completion."""


class PartnerBPrompt(TypedDict):
    """A prompt at partner-b: waiting, running or ended."""

    id: str
    """The prompt's id."""
    status: PromptStatus
    prompt_text: str
    """The submitted text. Empty if there was none."""
    output_url: NotRequired[str]
    """The video. Absent until completed."""
    error: NotRequired[PartnerBPromptError]
    """Why the prompt failed. Absent otherwise."""
    frame_conditioning: PartnerBPromptFrameConditioning
    """The submitted image or key frames. Empty if there were none."""
    inference_params: InferenceParams
    model_params: PartnerBPromptModelParams
    """The model to use."""
    meta: PartnerBPromptMeta
    """When it happened."""


class PersonalData(TypedDict):
    """Everything this server holds about one person, newest first in each list."""

    profile: Sequence[Mapping[str, Any]]
    """Name, e-mail address, the subject at the identity provider, and roles on the installation."""
    memberships: Sequence[Mapping[str, Any]]
    """The person's workspaces and roles, ended ones too."""
    keys: Sequence[Mapping[str, Any]]
    """Keys and tokens that the person made. Secrets are not included."""
    sessions: Sequence[Mapping[str, Any]]
    """Browsers, with the address they signed in from."""
    requests: Sequence[Mapping[str, Any]]
    """Requests made with the person's keys, by id."""
    jobs: Sequence[Mapping[str, Any]]
    """Jobs submitted with the person's keys, by id."""
    audit: Sequence[Mapping[str, Any]]
    """Audit entries by and about the person."""
    cut: Sequence[str]
    """The lists that have more than the 10,000 rows shown."""


class PlainForm(TypedDict):
    """A form with only a button."""

    csrf: str
    """The form's own token."""


class PlanOffer(TypedDict):
    """A plan that can be bought."""

    id: str
    """A lower-case UUID."""
    name: str
    """Its name."""
    kind: Literal["subscription", "once"]
    """subscription: credits for each paid period. once: credits for one payment."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    price_minor: int
    """An amount of money in the currency's minor unit: 1900 is 19.00 EUR, or 1900 JPY."""
    currency: str
    """An ISO 4217 currency in lower case."""
    rolls_over: bool
    """Whether credits left over from a period stay when the next one begins."""
    checkout_url: Union[str, None]
    """The payment provider's page where it is bought for this workspace. Null: ask the operator."""


class PlanOverview(TypedDict):
    """What a workspace has and what it can buy."""

    current: Sequence[CurrentPlan]
    """Newest first. Ended ones are listed for 90 days."""
    offers: Sequence[PlanOffer]
    """Cheapest first."""


class PlaygroundRun(TypedDict):
    """A run in the playground."""

    id: str
    """A lower-case UUID."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    model: str
    """provider/model, or the id of a work."""
    input: str
    """The input: a JSON object as text, so that large integers keep their digits."""
    request_id: Union[str, None]
    """The request id from the response."""
    credits: Union[str, None]
    """What it cost; null if that is not known."""
    asset_ids: Sequence[str]
    """The outputs that were saved as assets."""


class PlaygroundRunPage(TypedDict):
    """One page of runs, newest first."""

    data: Sequence[PlaygroundRun]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class ProgramRelease(TypedDict):
    """A release of the software."""

    version: str
    """The version number, or Unreleased."""
    date: Union[str, None]
    """The day of the release."""
    text: str
    """Its notes, in Markdown."""


class Progress(TypedDict):
    """A complete progress snapshot of the job."""

    value: float
    """Progress of the whole graph from 0 to 1. Never decreases."""
    nodes_done: int
    """Nodes that have ended."""
    nodes_total: int
    """Nodes of the submitted graph."""
    current_node: NotRequired[Union[str, None]]
    """The running node."""
    current_node_class: NotRequired[Union[str, None]]
    """Its class."""
    step: NotRequired[Union[int, None]]
    """The current step."""
    steps: NotRequired[Union[int, None]]
    """The total number of steps."""
    message: NotRequired[Union[str, None]]
    """The progress as text."""
    nodes: NotRequired[Sequence[JobNode]]
    """The nodes that the outputs depend on, in graph order. If there are more than 500: the failed, the running and the most recently changed ones. Absent in lists and webhooks, before the first attempt, and if the worker does not report them."""
    node_counts: NotRequired[NodeCounts]


class ProviderCredential(TypedDict):
    """A workspace's own credential for a provider."""

    provider: str
    """The first part of the provider's model ids."""
    hosts: Sequence[str]
    """The only hosts it is sent to."""
    is_used: bool
    """Whether calls use it now: the provider accepts workspace credentials and is still at these hosts."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    updated_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class ProviderCredentialList(TypedDict):
    """The workspace's credentials. Secrets are not included."""

    data: Sequence[ProviderCredential]
    providers: Sequence[str]
    """Providers that accept a workspace's own credential here."""


class PublishNodeVersionNode(TypedDict):
    name: NotRequired[str]
    """Display name."""
    author: NotRequired[str]
    """Who wrote it."""
    category: NotRequired[str]
    """Use tags instead; will be removed in a later version."""
    license: NotRequired[str]
    """The path of the licence file in the repository, or its text as JSON."""
    repository: NotRequired[str]
    """URL of the repository: http, https, ssh or git's short form. Empty for none."""
    icon: NotRequired[str]
    """URL of the icon, http or https. Empty for none."""
    banner_url: NotRequired[str]
    """URL of the banner, http or https. Empty for none."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""
    translations: NotRequired[Mapping[str, Mapping[str, Any]]]
    """Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters."""
    description: NotRequired[str]
    """What the node does."""
    tags: NotRequired[Sequence[str]]
    """Tags."""
    id: NotRequired[str]
    """The node's id."""


class PublishNodeVersionNodeVersion(TypedDict):
    version: str
    """A semantic version. 1, 1.2 and v1.2.3 are accepted too."""
    changelog: NotRequired[str]
    """What changed."""
    dependencies: NotRequired[Sequence[str]]
    """Packages it needs."""
    tags: NotRequired[Sequence[str]]
    """Tags."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""


class PublishNodeVersion(TypedDict):
    """A version to publish, and the metadata of its node."""

    personal_access_token: NotRequired[str]
    """A publisher token. Not needed with a member's bearer token."""
    node: NotRequired[PublishNodeVersionNode]
    node_version: PublishNodeVersionNodeVersion


class PublishWork(TypedDict):
    """A version of a saved workflow, and what callers may set."""

    workflow_id: str
    """A lower-case UUID."""
    version: NotRequired[int]
    """Of the saved workflow; the latest by default."""
    form: NotRequired[WorkForm]
    title: NotRequired[str]
    """Its name for people."""
    description: NotRequired[str]
    """What it does, for the people who use it."""
    note: NotRequired[str]
    """What is new in this version."""
    visibility: NotRequired[Literal["private", "shared", "public"]]
    """private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job."""
    shared_with: NotRequired[Sequence[str]]
    """Ids of workspaces."""
    examples: NotRequired[Sequence[GivenExample]]
    """Each is run first, and paid for; if one fails, nothing is published. One run with the defaults if left out; none if empty."""
    provider: NotRequired[str]
    """The first half of the ids of all works of this workspace. Chosen with the first work and never changed; made from the workspace's name if left out."""


class PublishedNodeVersion(TypedDict):
    """The version, waiting for its archive."""

    node_version: NodeVersion
    signedUrl: str
    """PUT the archive here. Returns 200."""


class Publisher(TypedDict):
    """Who publishes nodes."""

    id: PublisherId
    name: str
    """Display name."""
    description: NotRequired[str]
    """What the publisher does."""
    logo: NotRequired[str]
    """URL of the logo."""
    website: NotRequired[str]
    """URL of the website."""
    support: NotRequired[str]
    """Where users find help."""
    source_code_repo: NotRequired[str]
    """URL of the source code."""
    createdAt: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    status: PublisherStatus
    visibility: NotRequired[PublisherVisibility]
    members: NotRequired[Sequence[PublisherMember]]
    """The people who act for the publisher."""


class PublisherAvailability(TypedDict):
    """Whether a publisher id is available."""

    isAvailable: bool
    """Whether the id is free."""


class PublisherMemberUser(TypedDict):
    id: NotRequired[str]
    """The person's id."""
    name: NotRequired[str]
    """The person's name."""
    email: NotRequired[str]
    """Shown to members and admins only."""


class PublisherMember(TypedDict):
    """A person who acts for a publisher."""

    id: NotRequired[str]
    """The membership's id."""
    role: NotRequired[str]
    """What the member may do. An owner may do everything."""
    user: NotRequired[PublisherMemberUser]


class PublisherToken(TypedDict):
    """A publishing token, masked."""

    id: str
    """A lower-case UUID."""
    name: str
    """What the token is for."""
    description: NotRequired[str]
    """A longer description."""
    token: str
    """The first characters, followed by asterisks."""
    createdAt: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    last_used_at: Union[str, None]
    expires_at: Union[str, None]


class PutBudget(TypedDict):
    """A budget to set."""

    scope: Literal["workspace", "key", "tag", "end_user"]
    """What counts: every call of the workspace, or those of one key (with all tokens made from it), tag or end user."""
    subject: NotRequired[str]
    """The id of the key, the tag as key=value, or the end user. Absent with the scope workspace."""
    period: Literal["day", "week", "month"]
    """In UTC; a week begins on Monday."""
    amount: str
    """In credits, as a decimal string with at most six decimal places."""
    at_limit: NotRequired[Literal["stop", "warn"]]
    """At 100 %: refuse calls that could cost more than is left (insufficient_credits), or only send the alert. Defaults to stop."""
    webhook_url: NotRequired[Union[str, None]]
    """Where alerts are sent, signed. Absent or null: nowhere."""
    emails: NotRequired[Sequence[str]]
    """Who gets alerts by e-mail, besides the workspace's owners and billing people, if the server sends mail. Absent: nobody else."""


class PutProviderCredential(TypedDict):
    """A credential to store."""

    credential: str
    """The key from the provider, or id:secret for a pair. It is never shown again."""


class PutRoute(TypedDict):
    """A route to store."""

    title: NotRequired[str]
    """The display name."""
    description: NotRequired[str]
    rule: NotRequired[Literal["order", "price", "latency", "success", "weight"]]
    """Which target is asked first. order: as listed, the default. price: the cheapest for this input. latency and success: by this server's own recent calls. weight: in turn, by weight. Targets whose provider keeps failing come last."""
    strict: NotRequired[bool]
    """Whether a target is skipped if it would drop an input of the call."""
    targets: Sequence[RouteTarget]
    """The first decides what the route takes and makes."""


class ReadinessChecksValue(TypedDict):
    status: Literal["ok", "failing"]
    message: NotRequired[str]
    """What is wrong, without addresses or secrets."""


class Readiness(TypedDict):
    """Whether this process should receive work."""

    status: Literal["ready", "not_ready"]
    """not_ready comes with status 503."""
    checks: Mapping[str, ReadinessChecksValue]
    """What was checked: database, blob store, release state and others."""


class ReceivedEvent(TypedDict):
    """The event is stored."""

    event_id: str
    state: Literal["stored", "applied", "ignored"]


class RegistryUser(TypedDict):
    """The caller's registry account."""

    id: str
    """The person's id."""
    email: NotRequired[str]
    """The person's e-mail address."""
    name: NotRequired[str]
    """The person's name."""
    isAdmin: bool
    """Whether the person is an operator."""
    isApproved: bool
    """Whether the person may publish."""


class ReleaseNote(TypedDict):
    """One dated change to what this server offers."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    kind: Literal["model", "partner_tool", "badge", "node_version"]
    """What it is about."""
    subject: str
    """A model's id, a partner's operation, a node's id, or a node's id and version."""
    change: Literal["added", "changed", "deprecated", "removed"]
    """What happened to it."""
    deprecated_at: Union[str, None]
    """Since when it is deprecated."""
    sunset_at: Union[str, None]
    """When it is or was removed."""


class ReleaseNoteList(TypedDict):
    """Changes to what this server offers, and releases of the software."""

    server: Sequence[ReleaseNote]
    """Changes to this server, newest first."""
    program: Sequence[ProgramRelease]
    """Releases of the software, newest first."""


class RelightRequest(TypedDict):
    """An image and how to relight it."""

    image: str
    """The image to relight: base64 or an http(s) URL."""
    prompt: NotRequired[str]
    """Guides the light. (phrase:1.3) emphasises a phrase by a factor from 1 to 1.4."""
    transfer_light_from_reference_image: NotRequired[str]
    """Takes the light from this image (base64 or URL); cannot be combined with a lightmap."""
    transfer_light_from_lightmap: NotRequired[str]
    """Takes the light from this map (base64 or URL); cannot be combined with a reference image."""
    light_transfer_strength: NotRequired[int]
    """0 stays closest to the original, 100 transfers all the light."""
    interpolate_from_original: NotRequired[bool]
    """Blends the result with the original according to the strength."""
    change_background: NotRequired[bool]
    """Lets the prompt or reference image change the background."""
    style: NotRequired[Literal["standard", "darker_but_realistic", "clean", "smooth", "brighter", "contrasted_n_hdr", "just_composition"]]
    """The style of the result."""
    preserve_details: NotRequired[bool]
    """Keeps texture and fine details."""
    advanced_settings: NotRequired[RelightSettings]
    webhook_url: NotRequired[str]
    """Called on every status change of the task. Must be https on port 443."""


class RelightSettings(TypedDict):
    """Advanced relighting settings."""

    whites: NotRequired[float]
    """White level."""
    blacks: NotRequired[float]
    """Black level."""
    brightness: NotRequired[float]
    """Brightness."""
    contrast: NotRequired[float]
    """Contrast."""
    saturation: NotRequired[float]
    """Saturation."""
    engine: NotRequired[Literal["automatic", "balanced", "cool", "real", "illusio", "fairy", "colorful_anime", "hard_transform", "softy"]]
    """The partner's engine to use."""
    transfer_light_a: NotRequired[Literal["automatic", "low", "medium", "normal", "high", "high_on_faces"]]
    """How strongly the light is transferred."""
    transfer_light_b: NotRequired[Literal["automatic", "composition", "straight", "smooth_in", "smooth_out", "smooth_both", "reverse_both", "soft_in", "soft_out", "soft_mid", "strong_mid", "style_shift", "strong_shift"]]
    """The curve used to transfer the light."""
    fixed_generation: NotRequired[bool]
    """The same settings give the same result."""


class RemovedMember(TypedDict):
    """What was removed along with the member."""

    revoked_keys: Sequence[str]
    """The person's keys, revoked at the same time."""


class RemovedServiceAccount(TypedDict):
    """What was removed along with the account."""

    revoked_keys: Sequence[str]
    """Its keys, revoked at the same time."""


class ReplaceWebhookTargets(TypedDict):
    """The receivers on this machine to allow."""

    targets: Sequence[str]
    """The complete list. An empty list closes all."""


class RequestBodies(TypedDict):
    """What the workspace keeps of a request."""

    request_id: str
    """A lower-case UUID."""
    keeping: bool
    """Whether the workspace keeps bodies now."""
    kept_at: Union[str, None]
    """When they were kept; null if they are not."""
    expires_at: Union[str, None]
    """When they are deleted; null if they are not kept."""
    input: Union[RequestBody, None]
    """What the caller sent; null if it is not kept."""
    answer: Union[RequestBody, None]
    """What the call was answered; null if it is not kept."""
    status: Union[int, None]
    """The status of the answer."""


class RequestBodyRemovedItem(TypedDict):
    at: str
    """Where it was: a JSON pointer, or an empty text if that is not known."""
    what: Union[Literal["secret"], Literal["file"]]


class RequestBody(TypedDict):
    """The input or the answer of a request, as it is kept."""

    kind: Union[Literal["json"], Literal["text"], Literal["file"], Literal["too_large"]]
    """Of a file, and of a body that was too large, only type, size and hash are kept."""
    content_type: Union[str, None]
    """Its media type; null if there was none."""
    bytes: int
    """Its size as it was sent."""
    sha256: str
    """The SHA-256 of the bytes as they were sent."""
    text: Union[str, None]
    """Its text, without secrets and files. JSON is text too, so that large integers keep their digits."""
    removed: Sequence[RequestBodyRemovedItem]
    """What was removed before it was kept: at most the first 100."""


class RequestBodyKeeping(TypedDict):
    """Whether a workspace keeps bodies, and how long."""

    enabled: bool
    keep_hours: int
    """How long each body is kept."""
    keep_hours_max: int
    """The operator's bound. 0: this server keeps no bodies."""
    body_bytes_max: int
    """The largest body of which the text is kept."""
    changed_at: Union[str, None]
    """When this was last changed; null: never."""
    kept_requests: int
    """How many requests have bodies now."""
    kept_bytes: int
    """How much they take up, encrypted."""


class Retention(TypedDict):
    """How long a workspace keeps its files and its history."""

    outputs_days: Union[int, None]
    """After how many days files that jobs made are deleted, unless something still needs them. Null: as long as the server keeps them."""
    uploads_days: Union[int, None]
    """After how many days files that were uploaded, or kept from answers of models, are deleted, unless something still needs them. Null: as long as the server keeps them."""
    history_days: Union[int, None]
    """After how many days ended jobs with their workflows, errors, playground runs, and the tags and end users of requests are deleted; the lines of the books stay. Null: as long as the server keeps them."""
    days_min: int
    """The operator's bound: the fewest days that can be set."""
    days_max: Union[int, None]
    """The operator's bound: nothing is kept longer. Null: no bound, and null can be set."""
    changed_at: Union[str, None]
    """When it was last changed; null: never."""
    applies_at: Union[str, None]
    """From when on the last change applies: a day after it was made."""


class RetentionEstimateOutputs(TypedDict):
    """Files that jobs made."""

    things: int
    """How many."""
    bytes: int
    """How large their files are together."""


class RetentionEstimateUploads(TypedDict):
    """Files that were uploaded or kept."""

    things: int
    """How many."""
    bytes: int
    """How large their files are together."""


class RetentionEstimateHistory(TypedDict):
    """Jobs, errors, playground runs, and requests with tags or an end user."""

    things: int
    """How many."""
    bytes: int
    """How large their files are together."""


class RetentionEstimate(TypedDict):
    """What would be deleted if these days applied now."""

    outputs: RetentionEstimateOutputs
    """Files that jobs made."""
    uploads: RetentionEstimateUploads
    """Files that were uploaded or kept."""
    history: RetentionEstimateHistory
    """Jobs, errors, playground runs, and requests with tags or an end user."""
    applies_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class RotateKey(TypedDict):
    """How to rotate a key."""

    overlap_seconds: NotRequired[int]
    """How long the old key keeps working alongside the new one. 24 hours by default; 0 ends it now."""


class RotateWebhookSecret(TypedDict):
    """How to rotate the secret."""

    overlap_seconds: NotRequired[int]
    """How long the old secret keeps signing alongside the new one. 24 hours by default; 0 ends it now."""


class RouteInputs(TypedDict):
    """How the route's inputs become those of a target. The route takes the inputs of its first target; anything not named here keeps its name and value."""

    rename: NotRequired[Mapping[str, str]]
    """The route's name of an input → the target's."""
    constants: NotRequired[Mapping[str, Any]]
    """Inputs that this target always gets, by its own names."""
    drop: NotRequired[Sequence[str]]
    """Inputs that this target does not get. X-Service-Dropped-Params names those that a call had."""
    choices: NotRequired[Mapping[str, Mapping[str, Any]]]
    """For each input: the route's value → the target's. A call with another value does not go to this target."""


class RouteTarget(TypedDict):
    """A model that a route may call."""

    model: ModelId
    credential: NotRequired[Literal["own", "server"]]
    """own: only with the workspace's own credential. server: only with the server's. Absent: the workspace's own if it has one."""
    weight: NotRequired[int]
    """Its share under the rule weight. 1 if absent."""
    inputs: NotRequired[RouteInputs]


class RouterError(TypedDict):
    """An error of the model router. error_type equals X-Service-Error-Type."""

    detail: str
    """A human-readable message."""
    error_type: RouterBucket


class RouterValidationEntry(TypedDict):
    """One rejected field of a model input."""

    loc: Sequence[Union[str, int]]
    """The path of the rejected field, starting with body. Array positions are integers."""
    msg: str
    """What is wrong with the field, as text."""
    type: str
    """The specific reason. More may be added; do not match exhaustively."""
    ctx: NotRequired[Mapping[str, Any]]
    input: NotRequired[Any]
    """The rejected value, if it is echoed."""


class RouterValidationError(TypedDict):
    """A model input that violates the model's input schema."""

    detail: Sequence[RouterValidationEntry]
    """One entry per rejected field."""


class SaveWorkflow(TypedDict):
    """A workflow to save: a document or the workflow of a job."""

    name: str
    """1 to 100 characters after trimming, without slashes or line breaks."""
    folder: NotRequired[str]
    """Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it."""
    tags: NotRequired[Sequence[str]]
    """Search tags. Stored in lower case, without duplicates."""
    note: NotRequired[str]
    """Why this version was made; shown in its history."""
    document: NotRequired[Mapping[str, Any]]
    """The workflow, in either format. Stored byte for byte, including members this server does not know."""
    job_id: NotRequired[str]
    """Instead of a document: use the workflow of this job."""


class SaveWorkflowForm(TypedDict):
    """A form to save with a workflow."""

    form: WorkForm
    note: NotRequired[str]
    """Why, for people who read the history."""


class SaveWorkflowVersion(TypedDict):
    """A new version: a document, the workflow of a job, or an earlier version."""

    note: NotRequired[str]
    """Why this version was made; shown in its history."""
    document: NotRequired[Mapping[str, Any]]
    """The workflow, in either format. Stored byte for byte, including members this server does not know."""
    job_id: NotRequired[str]
    """Instead of a document: use the workflow of this job."""
    restore: NotRequired[int]
    """Instead of a document: restore this version."""


class SavedWorkflow(TypedDict):
    """A workflow saved in the workspace."""

    id: str
    """A lower-case UUID."""
    name: str
    """Unique in its folder among workflows that are not archived."""
    folder: str
    """Folder names joined by slashes, at most 8 levels; empty for the top level. A folder exists while something is in it."""
    tags: Sequence[str]
    """Search tags. Stored in lower case, without duplicates."""
    version: int
    """The latest version."""
    format: Literal["editor", "api"]
    """editor: the graph editor's format. api: nodes by id, as jobs run it."""
    nodes: int
    """Number of nodes in the latest version."""
    bytes: int
    """Size of the latest version in bytes."""
    archived_at: Union[str, None]
    """When it was archived; null if it is not."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    updated_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    last_job: Union[WorkflowRun, None]
    """Jobs are matched by their label `workflow`, whose value is the id of the saved workflow. Null if there is none."""


class SavedWorkflowList(TypedDict):
    """One page of saved workflows, most recently changed first."""

    data: Sequence[SavedWorkflow]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class SendTestWebhook(TypedDict):
    """Where a test event goes."""

    url: str
    """An https URL of a public host, on port 443."""


class SentMail(TypedDict):
    """An e-mail about the workspace."""

    id: str
    """A lower-case UUID."""
    type: str
    """What it reports: budget.threshold or spending.odd."""
    to: str
    """The address."""
    subject: str
    status: Literal["waiting", "sent", "failed"]
    """sent: the mail server accepted it. failed: the server refused it for good, or no attempt succeeded in three days."""
    attempts: int
    last_answer: Union[str, None]
    """What the mail server said last, or why it said nothing."""
    next_attempt_at: Union[str, None]
    """Null unless it waits."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    sent_at: Union[str, None]


class SentMailList(TypedDict):
    """E-mails about the workspace."""

    data: Sequence[SentMail]
    """The newest 100."""


class ServiceAccount(TypedDict):
    """A program with a name of its own in a workspace."""

    id: str
    """A lower-case UUID."""
    name: str
    role: MemberRole
    created_by: Union[str, None]
    """The person who created it, if known."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class ServiceAccountList(TypedDict):
    """The workspace's service accounts, oldest first."""

    data: Sequence[ServiceAccount]


class SetAccountQueue(TypedDict):
    """Whether the workspace's queue is paused."""

    paused: bool
    """true pauses, false resumes. Sending the current state changes nothing."""


class SetAlertMail(TypedDict):
    """Whether the caller wants alerts by e-mail."""

    wanted: bool
    """False: no mail about this workspace to the caller's own address."""


class SetAssetNote(TypedDict):
    """A note. Empty text deletes it."""

    text: str
    """Plain text."""


class SetCallLimits(TypedDict):
    """How many calls may be made. Two nulls remove the limits."""

    calls_per_minute: Union[int, None]
    """Calls that may begin in a minute; null for any number."""
    concurrency: Union[int, None]
    """Calls that may be open at once, queued ones included; null for any number."""


class SetKeyCaps(TypedDict):
    """How much one key may spend."""

    daily_credits_max: Union[str, None]
    """Credits per UTC day, 0 or more; null for no cap."""
    monthly_credits_max: Union[str, None]
    """Credits per UTC month, 0 or more; null for no cap."""


class SetOddSpending(TypedDict):
    """Whether the workspace's spending is watched."""

    watched: bool
    """Whether odd hours are reported."""
    at_least: NotRequired[Union[str, None]]
    """In credits: less in an hour is never odd. Absent or null: 200."""


class SetRequestBodyKeeping(TypedDict):
    """Whether to keep bodies, and how long."""

    enabled: bool
    """Turning it off deletes everything that is kept."""
    keep_hours: NotRequired[int]
    """How long each body is kept, at most keep_hours_max. A shorter time also applies to what is already kept. Default: unchanged, at first 72."""


class SetRetention(TypedDict):
    """How long a workspace keeps its files and its history."""

    outputs_days: Union[int, None]
    """After how many days files that jobs made are deleted, unless something still needs them. Null: as long as the server keeps them."""
    uploads_days: Union[int, None]
    """After how many days files that were uploaded, or kept from answers of models, are deleted, unless something still needs them. Null: as long as the server keeps them."""
    history_days: Union[int, None]
    """After how many days ended jobs with their workflows, errors, playground runs, and the tags and end users of requests are deleted; the lines of the books stay. Null: as long as the server keeps them."""


class SignInLink(TypedDict):
    """A sign-in link that works once."""

    url: str
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class SignInLookPerson(TypedDict):
    """Who would be signed in."""

    name: str


class SignInLook(TypedDict):
    """What a sign-in link would do."""

    person: SignInLookPerson
    """Who would be signed in."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class SkinEnhancerCreativeRequest(TypedDict):
    """A portrait to enhance in creative mode."""

    image: str
    """The portrait: base64 or a public https URL."""
    sharpen: NotRequired[int]
    """How much to sharpen the result."""
    smart_grain: NotRequired[int]
    """How much grain to add."""
    webhook_url: NotRequired[str]
    """Called on every status change of the task. Must be https on port 443."""


class SkinEnhancerFaithfulRequest(TypedDict):
    """A portrait to enhance in faithful mode."""

    image: str
    """The portrait: base64 or a public https URL."""
    sharpen: NotRequired[int]
    """How much to sharpen the result."""
    smart_grain: NotRequired[int]
    """How much grain to add."""
    webhook_url: NotRequired[str]
    """Called on every status change of the task. Must be https on port 443."""
    skin_detail: NotRequired[int]
    """How much skin detail to keep."""


class SkinEnhancerFlexibleRequest(TypedDict):
    """A portrait to enhance in flexible mode."""

    image: str
    """The portrait: base64 or a public https URL."""
    sharpen: NotRequired[int]
    """How much to sharpen the result."""
    smart_grain: NotRequired[int]
    """How much grain to add."""
    webhook_url: NotRequired[str]
    """Called on every status change of the task. Must be https on port 443."""
    optimized_for: NotRequired[Literal["enhance_skin", "improve_lighting", "enhance_everything", "transform_to_real", "no_make_up"]]
    """What the enhancer optimises for."""


class SpendingAlert(TypedDict):
    """An hour in which a workspace spent far more than usual."""

    hour: str
    """When the hour began."""
    spent: str
    """What the workspace spent in it."""
    average: str
    """Spent on average in the same hour of the past weeks."""
    highest: str
    """The most spent in the same hour of one of them."""
    weeks: int
    """How many weeks it was compared with."""
    sequence: int
    """Counts the workspace's odd hours."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class StorageRequest(TypedDict):
    """A file to be uploaded."""

    file_name: str
    """The file's name."""
    content_type: NotRequired[str]
    """The media type of the file. Guessed from the file name if missing."""
    file_hash: NotRequired[str]
    """SHA-256 of the bytes. A known file needs no upload."""


class StorageTicket(TypedDict):
    """Where to upload the file and where to download it."""

    upload_url: str
    """PUT the bytes here."""
    download_url: str
    """Where the bytes are after the upload. Pass this to the partner."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    existing_file: bool
    """true: the server already has the bytes, so no upload is needed."""


class SubmitJobExtraData(TypedDict):
    """Only passed to the running attempt. Never in reads, logs or events."""

    api_key_service: NotRequired[str]
    """The key that partner nodes use."""


class SubmitJob(TypedDict):
    """What to run: a workflow, or a work with its inputs."""

    workflow: NotRequired[Union[WorkflowGraph, EditorGraph]]
    """In API format, or as the editor saves it if this server knows all of its node classes."""
    work: NotRequired[ModelId]
    inputs: NotRequired[Mapping[str, Any]]
    """The inputs of the work, as its openapi.json describes them. Refused without a work."""
    webhook_url: NotRequired[str]
    """Called on every status change. Must be https on port 443."""
    metadata: NotRequired[JobMetadata]
    priority: NotRequired[int]
    """Higher runs first. Only orders the caller's own jobs."""
    output_target: NotRequired[OutputTarget]
    extra_data: NotRequired[SubmitJobExtraData]
    """Only passed to the running attempt. Never in reads, logs or events."""


class Template(TypedDict):
    """A workflow to start from."""

    name: str
    """The file's name without its ending."""
    source: Literal["operator", "installed"]
    """From the operator's own folder, or one of the public templates that the operator installed."""
    title: str
    """Its name for people; made from the file's name if nothing else is known."""
    description: Union[str, None]
    """What it makes."""
    category: Union[str, None]
    """The group it belongs to."""
    tags: Sequence[str]
    """Words for it."""
    has_picture: bool
    """Whether there is a picture of what it makes."""
    runs_here: bool
    """Whether nothing is missing except files to load. Its estimate says what it costs, or why it would be refused."""
    needs: TemplateNeeds
    files: Sequence[str]
    """Files it loads, which you replace by your own."""


class TemplateList(TypedDict):
    """Templates. Empty if there are none."""

    data: Sequence[Template]
    """The operator's first; in the order of the folder's index, then by name."""


class TemplateNeeds(TypedDict):
    """What a template needs that this server does not have."""

    classes: Sequence[str]
    """Node classes."""
    weights: Sequence[str]
    """Weights, by file name."""
    providers: Sequence[str]
    """Providers of models that this workspace cannot call, for lack of a credential or a release."""


class TextToVideoRequest(TypedDict):
    """A text, with or without an image, to make a video from."""

    prompt_text: NotRequired[str]
    """What the video should show."""
    image_url: NotRequired[str]
    """The image the video starts from: an http or https URL."""
    inference_params: NotRequired[InferenceParams]
    webhook_url: NotRequired[str]
    """Called on every status change of the prompt. Must be https on port 443."""


class TranslationsOfNode(TypedDict):
    """The node's translations."""

    data: Mapping[str, Mapping[str, Any]]
    """Translations by language: at most 100 languages in total, each a tag such as fr or pt-BR of at most 35 characters."""


class UpdateDescriptor(TypedDict):
    """Changes to a descriptor. Omitted fields stay as they are. Only admins can change policy."""

    category: NotRequired[str]
    """The node's place in the menu."""
    deprecated: NotRequired[bool]
    """Deprecated nodes are hidden in the menu."""
    description: NotRequired[str]
    """What the node does."""
    display_name: NotRequired[str]
    """The node's name for people."""
    experimental: NotRequired[bool]
    """May change or be removed."""
    function: NotRequired[str]
    """The name of the entry-point function."""
    input_types: NotRequired[str]
    """The input parameters, as a JSON string."""
    output_is_list: NotRequired[Sequence[bool]]
    """For each output, whether it is a list."""
    output_node: NotRequired[bool]
    """Whether it ends a workflow, such as a node that saves."""
    policy: NotRequired[NodePolicy]
    return_names: NotRequired[str]
    """The outputs' names, as a JSON string."""
    return_types: NotRequired[str]
    """The outputs' types, as a JSON string."""


class UpdateKey(TypedDict):
    """A key's new name."""

    name: str
    """1 to 100 characters after trimming, without line breaks."""


class UpdateMember(TypedDict):
    """A new role."""

    role: MemberRole


class UpdateNode(TypedDict):
    """The fields to change. Omitted fields stay as they are. Id and publisher cannot change."""

    name: NotRequired[str]
    """Display name."""
    author: NotRequired[str]
    """Who wrote it."""
    category: NotRequired[str]
    """Use tags instead; will be removed in a later version."""
    license: NotRequired[str]
    """The path of the licence file in the repository, or its text as JSON."""
    repository: NotRequired[str]
    """URL of the repository: http, https, ssh or git's short form. Empty for none."""
    icon: NotRequired[str]
    """URL of the icon, http or https. Empty for none."""
    banner_url: NotRequired[str]
    """URL of the banner, http or https. Empty for none."""
    supported_accelerators: NotRequired[Sequence[str]]
    """Accelerators it runs on, for example CUDA, DirectML, ROCm."""
    supported_os: NotRequired[Sequence[str]]
    """Operating systems it runs on."""
    supported_app_version: NotRequired[str]
    """Versions of the application it works with."""
    supported_app_frontend_version: NotRequired[str]
    """Versions of the application's frontend it works with."""
    translations: NotRequired[Mapping[str, Mapping[str, Any]]]
    """Translations by language: at most 100, each a tag such as fr or pt-BR of at most 35 characters."""
    description: NotRequired[str]
    """What the node does."""
    tags: NotRequired[Sequence[str]]
    """Tags."""


class UpdateNodeVersion(TypedDict):
    """The fields to change. Omitted fields stay as they are. The archive cannot change."""

    changelog: NotRequired[str]
    """What changed."""
    deprecated: NotRequired[bool]
    """Deprecates the version. false undoes that and clears the dates."""
    sunset_at: NotRequired[str]
    """When a deprecated version will be removed. Shown to people who install it."""
    tags: NotRequired[Sequence[str]]
    """Tags."""


class UpdatePublisher(TypedDict):
    """The fields to change. Omitted fields stay as they are."""

    name: NotRequired[str]
    """Display name."""
    description: NotRequired[str]
    """What the publisher does."""
    logo: NotRequired[str]
    """URL of the logo, http or https. Empty for none."""
    website: NotRequired[str]
    """URL of the website, http or https. Empty for none."""
    support: NotRequired[str]
    """Where users find help: an http or https URL, an e-mail address, or plain text without markup."""
    source_code_repo: NotRequired[str]
    """URL of the source code, or git's short form. Empty for none."""
    visibility: NotRequired[PublisherVisibility]


class UpdateWebhookEndpoint(TypedDict):
    """What to change. Absent members stay; an empty filter sends all events of the types."""

    url: NotRequired[str]
    """An https URL of a public host, on port 443. Each address once per workspace."""
    types: NotRequired[Sequence[WebhookEventType]]
    """What is sent there."""
    filter: NotRequired[WebhookEndpointFilter]
    description: NotRequired[str]
    """For people."""


class UploadedArchive(TypedDict):
    """What was stored and, for a node archive, the verdict on it."""

    size_bytes: int
    """Bytes that are stored."""
    status: NotRequired[NodeVersionStatus]
    findings: NotRequired[Sequence[NodeVersionFinding]]
    """Of a node archive: what the checks found in it."""


class UsageDay(TypedDict):
    """Usage on one day."""

    day: str
    """A UTC day."""
    subject: NotRequired[str]
    """With by=subject: the subject of the sum."""
    calls: int
    """All calls except replays."""
    failures: int
    """Calls that failed."""
    replays: int
    """Responses replayed for the same key."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""


class UsageDayListTotal(TypedDict):
    """The total."""

    calls: int
    """The number of calls."""
    failures: int
    """Failures."""
    replays: int
    """Replays."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""


class UsageDayList(TypedDict):
    """Usage per day."""

    data: Sequence[UsageDay]
    """Days with usage, newest first."""
    total: UsageDayListTotal
    """The total."""


class UsagePage(TypedDict):
    """One page of usage, newest row first."""

    data: Sequence[UsageRow]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class UsagePoint(TypedDict):
    """Usage in one interval."""

    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    key: NotRequired[str]
    """The group of the point. Absent with by=none."""
    calls: int
    """All calls except replays."""
    failures: int
    """Calls that failed."""
    replays: int
    """Responses replayed for the same key."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    p50_ms: Union[int, None]
    """Median duration, accurate to 5 %; null if not requested."""
    p95_ms: Union[int, None]
    """95th percentile of the duration, accurate to 5 %; null if not requested."""


class UsageRow(TypedDict):
    """One usage row."""

    id: str
    """A lower-case UUID."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    request_id: Union[str, None]
    """The request id from the response."""
    call_id: Union[str, None]
    """The call. For a replay, the call it repeats."""
    api_key_id: Union[str, None]
    """The key that made the request; null for a person."""
    tags: Union[Mapping[str, str], None]
    """The tags of the call: X-Service-Tags, or the labels of its job."""
    end_user: Union[str, None]
    """Your own id of the person the call was for."""
    subject: str
    """What was called: model:provider/model, partner:operation or node:class."""
    outcome: str
    """`succeeded`, or an error code."""
    status: Union[int, None]
    """The HTTP status of the response, if there was one."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    replayed: bool
    """Whether the response replays an earlier one with the same key. Replays are free."""
    total_ms: int
    """From request to response, in milliseconds."""
    provider_ms: Union[int, None]
    """The provider's share of that time, if one was called."""
    refused_by: Union[str, None]
    """Set if the call failed because a provider or partner refused the account it was called with: which one."""
    provider_status: Union[int, None]
    """With `refused_by`: its status."""
    provider_words: Union[str, None]
    """With `refused_by`: its message, without the credential."""
    advice: Union[str, None]
    """With `refused_by`: who can fix it."""


class UsageSeriesGroupsItem(TypedDict):
    key: str
    """The group. `person` stands for requests made without a key, `(none)` for those without the tag or end user."""
    calls: int
    """All calls except replays."""
    failures: int
    """Calls that failed."""
    replays: int
    """Responses replayed for the same key."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""


class UsageSeriesTotal(TypedDict):
    """The total for the requested range."""

    calls: int
    """All calls except replays."""
    failures: int
    """Calls that failed."""
    replays: int
    """Responses replayed for the same key."""
    credits: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    p50_ms: Union[int, None]
    """Median duration, accurate to 5 %; null if not requested."""
    p95_ms: Union[int, None]
    """95th percentile of the duration, accurate to 5 %; null if not requested."""


# Usage over time.
UsageSeries = TypedDict(
    "UsageSeries",
    {
        "from": "str",
        "to": "str",
        "step": "Literal[\"minute\", \"hour\", \"day\"]",
        "by": "Literal[\"none\", \"subject\", \"outcome\", \"api_key_id\", \"family\", \"tag\", \"end_user\"]",
        "data": "Sequence[UsagePoint]",
        "groups": "Sequence[UsageSeriesGroupsItem]",
        "total": "UsageSeriesTotal",
    },
)


class WaitingFor(TypedDict):
    """Why a queued job may not start even when it is next: no connected worker can run its graph. It starts by itself when one connects."""

    reason: Literal["worker"]
    """What it waits for: a worker that can run its graph."""
    node_classes: Sequence[str]
    """Node classes of its graph that no connected worker has. All of its classes if each is available somewhere but no worker has them all."""
    models: Sequence[str]
    """Model files of its graph that no connected worker has."""
    last_seen_at: Union[str, None]
    """When a worker that could run it was last connected; null if unknown."""


class WebhookAttempt(TypedDict):
    """One delivery attempt."""

    number: int
    manual: bool
    """Triggered by a person, outside the schedule."""
    at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    duration_ms: int
    status: Union[int, None]
    """The receiver's HTTP status; null if it did not respond."""
    error: Union[str, None]
    """Why the attempt failed."""


class WebhookDelivery(TypedDict):
    """The record of one delivery."""

    id: str
    """A lower-case UUID."""
    subject_id: str
    """The task, prompt or job it is about."""
    sequence: int
    """The sequence number of the change."""
    type: str
    """What happened, such as job.succeeded, partner_task.completed or webhook.test. Also in the body."""
    url: str
    """Where it goes."""
    endpoint_id: Union[str, None]
    """The endpoint that it is for; null if its address was given with the thing itself."""
    status: WebhookDeliveryStatus
    attempts: int
    """The number of attempts."""
    next_attempt_at: Union[str, None]
    """When the next attempt is due."""
    last_status: Union[int, None]
    """The receiver's latest HTTP status."""
    last_error: Union[str, None]
    """Why the last attempt failed."""
    last_duration_ms: Union[int, None]
    """How long the last attempt took."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    delivered_at: Union[str, None]
    """When the receiver accepted it."""


class WebhookDeliveryDetail(TypedDict):
    """One delivery with its body and its attempts."""

    id: str
    """A lower-case UUID."""
    subject_id: str
    """The task, prompt or job it is about."""
    sequence: int
    """The sequence number of the change."""
    type: str
    """What happened, such as job.succeeded, partner_task.completed or webhook.test. Also in the body."""
    url: str
    """Where it goes."""
    endpoint_id: Union[str, None]
    """The endpoint that it is for; null if its address was given with the thing itself."""
    status: WebhookDeliveryStatus
    attempts: int
    """The number of attempts."""
    next_attempt_at: Union[str, None]
    """When the next attempt is due."""
    last_status: Union[int, None]
    """The receiver's latest HTTP status."""
    last_error: Union[str, None]
    """Why the last attempt failed."""
    last_duration_ms: Union[int, None]
    """How long the last attempt took."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    delivered_at: Union[str, None]
    """When the receiver accepted it."""
    body: str
    """The body of every attempt, as text."""
    attempt_log: Sequence[WebhookAttempt]
    """Every attempt, oldest first."""


class WebhookDeliveryPage(TypedDict):
    """One page of deliveries, newest first."""

    data: Sequence[WebhookDelivery]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class WebhookEndpointLastDelivery(TypedDict):
    id: str
    """A lower-case UUID."""
    type: str
    """What happened."""
    status: Literal["pending", "delivered", "dead", "gone"]
    """How it went."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class WebhookEndpoint(TypedDict):
    """An address that gets events by type."""

    id: str
    """A lower-case UUID."""
    url: str
    """Where events go."""
    description: str
    types: Sequence[WebhookEventType]
    """What is sent there."""
    filter: WebhookEndpointFilter
    status: Literal["active", "failing", "disabled", "paused"]
    """active: events are sent. failing: its receiver failed five times in a row and is tried once a minute. disabled: its receiver took nothing for five days, so sending has stopped. paused: a person paused it. While disabled or paused, events become dead deliveries that can be redelivered."""
    status_detail: Union[str, None]
    """Why it is not active, and what to do; null if it is active."""
    last_delivery: Union[WebhookEndpointLastDelivery, None]
    """The newest delivery to it."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    paused_at: Union[str, None]
    """When a person paused it."""


class WebhookEndpointFilter(TypedDict):
    """Sends only events that match all members. Each member must apply to every type of the endpoint."""

    tag: NotRequired[str]
    """A tag as key=value: of the job, the model request or the partner task."""
    model: NotRequired[str]
    """A model (provider/name) or all of a provider; for partner tasks, partner/operation or all of a partner."""
    deployment: NotRequired[str]
    """The id of a deployment: its jobs and its scaling signal."""


class WebhookEndpointList(TypedDict):
    """The endpoints of a workspace, oldest first."""

    data: Sequence[WebhookEndpoint]


class WebhookReceiver(TypedDict):
    """A receiver whose last delivery failed."""

    receiver: str
    """Scheme, host and port."""
    failures: int
    """Consecutive failures."""
    failing_since: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    resting_until: Union[str, None]
    """After five failures: when the next attempt is allowed."""
    disabled_at: Union[str, None]
    """After five days without a success: when deliveries stopped."""


class WebhookReceiverList(TypedDict):
    """Receivers whose last delivery failed, longest-failing first. Empty if all is well."""

    data: Sequence[WebhookReceiver]


class WebhookSecret(TypedDict):
    """The secret that signs a workspace's deliveries."""

    id: str
    """A lower-case UUID."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    signs_until: Union[str, None]
    """When it stops signing; null if it is the current one."""
    secret: str
    """Only shown on creation. Store it."""


class WebhookSecretListDataItem(TypedDict):
    id: str
    """A lower-case UUID."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    signs_until: Union[str, None]
    """When it stops signing; null if it is the current one."""


class WebhookSecretList(TypedDict):
    """The workspace's webhook secrets, newest first. Their values are not included."""

    data: Sequence[WebhookSecretListDataItem]


class WebhookTargets(TypedDict):
    """Receivers on this machine that webhooks may reach. Only development servers have any."""

    may_open: bool
    """Whether this is a development server, where targets can be allowed."""
    configured: Sequence[str]
    """Set by ATELIER_WEBHOOK_TARGETS at startup."""
    opened: Sequence[str]
    """Allowed at run time."""


class Work(TypedDict):
    """A published workflow that is called like a model."""

    id: ModelId
    provider: ProviderSegment
    name: str
    """Lower-case letters and digits, with single . _ or - between them. It cannot end in .v and a number, which names a version."""
    title: Union[str, None]
    """Null if it has none."""
    description: Union[str, None]
    """Null if it has none."""
    version: int
    """The version that the id without .v3 stands for."""
    versions: int
    """How many versions there are."""
    workflow_id: Union[str, None]
    """The saved workflow of that version; null if it was deleted."""
    visibility: Literal["private", "shared", "public"]
    """private: members of this workspace. shared: also the workspaces in shared_with. public: every workspace of this server. Whoever may call it can also read its graph, in the job."""
    shared_with: Sequence[str]
    """Ids of workspaces."""
    cover: Union[str, None]
    """The asset of a picture made by an example; null if there is none."""
    deprecated_at: Union[str, None]
    """Since when callers should move on; null if it is not deprecated."""
    sunset_at: Union[str, None]
    """From when on it answers 404; null if no end is planned."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    updated_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


# How two versions of a work differ.
WorkDiff = TypedDict(
    "WorkDiff",
    {
        "from": "int",
        "to": "int",
        "form": "Sequence[str]",
        "changes": "Sequence[WorkflowChange]",
        "is_same": "bool",
    },
)


class WorkExample(TypedDict):
    """An example that ran when the version was published."""

    title: Union[str, None]
    """Null if it has none."""
    inputs: Mapping[str, Any]
    job_id: str
    """A lower-case UUID."""
    assets: Sequence[str]
    """What it made, kept with the version."""


class WorkForm(TypedDict):
    """What callers may set and what they get, in the order in which people see it."""

    inputs: Sequence[WorkInput]
    """May be empty."""
    outputs: Sequence[WorkOutput]
    """At least one."""


class WorkInputAlsoItem(TypedDict):
    node: str
    """The node's id in the API format."""
    input: str
    """The input of the node that it sets."""


class WorkInput(TypedDict):
    """One input of a form: a value of a node that callers may change."""

    name: str
    """Lower-case letters, digits and _; begins with a letter. Each name once."""
    node: str
    """The node's id in the API format."""
    input: str
    """The input of the node that it sets."""
    kind: WorkInputKind
    also: NotRequired[Sequence[WorkInputAlsoItem]]
    """Further inputs of nodes that get the same value, as one widget of a subgraph can feed several nodes."""
    label: NotRequired[str]
    """What people see; the name if left out."""
    description: NotRequired[str]
    """What it does, for the people who use it."""
    group: NotRequired[str]
    """Inputs of a group are shown together."""
    required: NotRequired[bool]
    """Callers must give it. Otherwise the default is used; false if left out."""
    default: NotRequired[Any]
    """Used if the caller gives nothing. The value in the graph if left out."""
    minimum: NotRequired[float]
    """The least number, or the fewest characters of a text. Integers of any size are exact."""
    maximum: NotRequired[float]
    """The greatest number, or the most characters of a text. Integers of any size are exact."""
    step: NotRequired[float]
    """Numbers are multiples of this, counted from the minimum. Integers of any size are exact."""
    choices: NotRequired[Sequence[Union[str, float]]]
    """The values of a choice."""
    multiline: NotRequired[bool]
    """The text may have several lines."""
    random: NotRequired[bool]
    """For integers: a random one if the caller gives nothing. The answer says which."""


class WorkLink(TypedDict):
    """A link to a work, with a budget and an end."""

    id: str
    """A lower-case UUID."""
    label: Union[str, None]
    """Whom it is for."""
    budget: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    spent: str
    """What its runs have cost so far."""
    expires_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    ended_at: Union[str, None]
    """When it was ended by hand; null if it was not."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class WorkLinkList(TypedDict):
    """The links of a work, the newest first."""

    data: Sequence[WorkLink]


class WorkList(TypedDict):
    """A page of the workspace's works, by name."""

    data: Sequence[Work]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class WorkNeedsNodeClassesItem(TypedDict):
    name: str
    signature: str
    """A hash of the class's inputs and outputs."""


class WorkNeedsModelsItem(TypedDict):
    id: ModelId
    definition_version: Union[int, None]
    """Null for models that only exist in the server's process."""


class WorkNeedsFilesItem(TypedDict):
    name: str
    sha256: Union[str, None]
    """Null for files that only workers have."""


class WorkNeeds(TypedDict):
    """What a worker needs to run the version, recorded when it was published."""

    node_classes: Sequence[WorkNeedsNodeClassesItem]
    models: Sequence[WorkNeedsModelsItem]
    """Models of the router that its nodes call."""
    files: Sequence[WorkNeedsFilesItem]
    """Files that it loads."""
    works: Sequence[ModelId]
    """Versions of other works that it contains."""


class WorkOutput(TypedDict):
    """One output of a form: what an output node makes."""

    name: str
    """Lower-case letters, digits and _; begins with a letter. Each name once."""
    node: str
    """The node's id in the API format."""
    label: NotRequired[str]
    """What people see; the name if left out."""
    description: NotRequired[str]
    """What it does, for the people who use it."""


class WorkVersion(TypedDict):
    """One version of a work. It never changes."""

    id: ModelId
    version: int
    """Counts from 1, without gaps."""
    workflow_id: Union[str, None]
    """Null if the saved workflow was deleted."""
    workflow_version: int
    """The version of the saved workflow."""
    form: WorkForm
    needs: WorkNeeds
    examples: Sequence[WorkExample]
    note: Union[str, None]
    """What is new in it."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    created_by: Union[WorkflowAuthor, None]
    """Who published it."""


class WorkVersionList(TypedDict):
    """A page of versions, the latest first."""

    data: Sequence[WorkVersion]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class WorkflowAuthor(TypedDict):
    """Who saved a version."""

    kind: Literal["person", "key"]
    """A signed-in person or an API key."""
    id: str
    """A lower-case UUID."""
    name: Union[str, None]
    """Null if the person or key was deleted."""


class WorkflowChange(TypedDict):
    """One difference between two versions."""

    kind: Literal["node_added", "node_removed", "class_changed", "title_changed", "input_added", "input_removed", "input_changed", "link_changed"]
    """What happened to the node."""
    node_id: str
    """The node's id. Inside a subgraph it is prefixed with the subgraph's id and a colon."""
    class_type: str
    """The node's class. The newer one if it changed."""
    title: Union[str, None]
    """The node's title, if it has one."""
    input: Union[str, None]
    """The input that differs."""
    before: Union[str, None]
    """Its earlier value as JSON, or the node it came from."""
    after: Union[str, None]
    """Its later value as JSON, or the node it comes from."""
    words: str
    """The change as a sentence."""


# How two versions differ.
WorkflowDiff = TypedDict(
    "WorkflowDiff",
    {
        "from": "int",
        "to": "int",
        "changes": "Sequence[WorkflowChange]",
        "is_complete": "bool",
        "is_same": "bool",
    },
)


class WorkflowErrorError(TypedDict):
    code: str
    """A stable code to branch on. New ones may be added."""
    message: str
    """A human-readable message."""
    details: NotRequired[Union[Mapping[str, Any], None]]
    """Details: node_errors by node id for a rejected graph, missing_ids for missing assets."""


class WorkflowError(TypedDict):
    """An error of the v2 workflow API."""

    error: WorkflowErrorError


class WorkflowForm(TypedDict):
    """The form of a saved workflow, and what else it could contain."""

    version: int
    """The version that was read."""
    form: WorkForm
    source: Literal["saved", "published", "app_mode", "inferred"]
    """saved: with the version, in its document. published: of the latest work made from this workflow. app_mode: as the editor's app mode saved it in the document. inferred: prompts, seeds, sizes and files that we found."""
    inputs: Sequence[WorkInput]
    """Every value of every node that could be an input."""
    outputs: Sequence[WorkOutput]
    """Every output node."""
    problems: Sequence[str]
    """What could not be read, in words."""


class WorkflowHealth(TypedDict):
    """Whether the v2 API is up."""

    status: Literal["healthy", "degraded"]
    """degraded: jobs are accepted but cannot run now."""
    version: NotRequired[str]
    """The server's version."""
    upstream: NotRequired[str]
    """The application's URL, on a self-hosted surface."""
    upstream_state: NotRequired[Literal["unknown", "up", "down"]]
    """The last known state of the application. It is not contacted for this request."""


class WorkflowIndex(TypedDict):
    """The v2 entry point. Links are relative to the host."""

    version: Literal["v2"]
    urls: WorkflowUrls


class WorkflowRun(TypedDict):
    """The latest successful job of this workflow."""

    id: str
    """A lower-case UUID."""
    finished_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    picture: Union[str, None]
    """The asset of its first image."""


class WorkflowUrls(TypedDict):
    """Links. Absent for what this surface does not have."""

    self: str
    """This index."""
    jobs: str
    """GET lists jobs, POST submits a workflow."""
    cancel_jobs: str
    """POST here to cancel several jobs."""
    assets: str
    """GET lists assets, POST uploads one."""
    assets_from_hash: str
    """POST here to create an asset from a known hash."""
    assets_from_path: NotRequired[str]
    """POST here to import a file from the application behind this surface."""
    uploads: str
    """POST here to start a resumable upload."""
    node_classes: str
    """The available node classes."""
    convert_workflow: str
    """POST here to convert an editor workflow to API format."""
    executed_workflow: NotRequired[str]
    """The newest executed graph."""
    health: str
    """The health of v2."""
    openapi: str
    """The OpenAPI document of this surface."""


class WorkflowVersion(TypedDict):
    """One version of a saved workflow. It never changes."""

    version: int
    """Starts at 1, without gaps."""
    format: Literal["editor", "api"]
    """editor: the graph editor's format. api: nodes by id, as jobs run it."""
    nodes: int
    """Number of nodes."""
    bytes: int
    """Size of the document in bytes."""
    sha256: str
    """SHA-256 of the document's bytes."""
    note: Union[str, None]
    """Why it was made."""
    restored_from: Union[int, None]
    """The version it restores, if any."""
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""
    created_by: Union[WorkflowAuthor, None]
    """Who saved it; null for the server itself."""


class WorkflowVersionList(TypedDict):
    """One page of versions, latest first."""

    data: Sequence[WorkflowVersion]
    """The entries of this page."""
    has_more: bool
    """false on the last page. A short page alone does not mean the end."""
    next_cursor: NotRequired[Cursor]
    limit: int
    """The page size that was used."""


class WorkspaceCredits(TypedDict):
    available: str
    """An amount of credits, as a decimal string with at most six decimal places."""
    held: str
    """An amount of credits, as a decimal string with at most six decimal places."""


class Workspace(TypedDict):
    """Who owns keys, credits, entitlements, jobs and assets."""

    id: str
    """A lower-case UUID."""
    name: str
    """Display name."""
    role: NotRequired[WorkspaceRole]
    credits: NotRequired[WorkspaceCredits]
    created_at: str
    """A timestamp: RFC 3339 in UTC, ending in Z, with milliseconds."""


class WorkspaceList(TypedDict):
    """The workspaces the caller can act in, with the role in each."""

    data: Sequence[Workspace]


class WorkspaceMove(TypedDict):
    """Whether a workspace is here, moving, or moved."""

    state: Literal["here", "moving", "moved"]
    """moving: no new work; what runs ends, and everything can be read. moved: every other call answers workspace_moved."""
    moved_to: Union[str, None]
    """Where it goes, or went."""
    since: Union[str, None]
    """When that began."""
    open: Mapping[str, int]
    """What still runs here, counted by its name. Empty: the last export can be made."""


# An existing account, by id, or a new person, who gets a one-time sign-in link.
AddMember = Union[AddMember2, AddMember22]


# Every node that has a badge for this version and platform, by node id. Nodes that are not listed have none.
BadgeMap = Mapping[str, Badge]


# Where the client runs its workflows.
BadgePlatform = Literal["cloud", "local"]


# blake3: and 64 hexadecimal digits.
BlobHash = str


# Where the next page starts. Opaque: pass it back unchanged, and do not reuse it in a later listing.
Cursor = str


# The caller's own data, stored with the job and returned unchanged: a string of at most 1024 UTF-8 bytes, or a map of at most 16 labels. A key has 1 to 40 characters from A–Z, a–z, 0–9, `_`, `-` and `.`; a value has at most 256 bytes. Anything else is refused with metadata_invalid.
JobMetadata = Union[str, Mapping[str, str]]


# The job's status.
JobState = Literal["queued", "running", "canceling", "succeeded", "failed", "canceled", "expired"]


# What a key may access: the model router, the partner proxy, the registry, v2 workflows or the account itself.
KeyScope = Literal["models", "partners", "registry", "workflows", "account"]


# Images by frame number.
Keyframes = Mapping[str, KeyframesValue]


# Viewers read. Members also use the workspace and manage their own keys. Billing reads, and sets budgets and caps. Owners manage the workspace, its members and all its keys.
MemberRole = Literal["viewer", "member", "billing", "owner"]


# Provider and model, joined by a slash.
ModelId = str


# The partner's native input, forwarded byte for byte. The model's openapi.json describes it.
ModelInput = Mapping[str, Any]


# The partner's native output, byte for byte.
ModelOutput = Mapping[str, Any]


# Every request ends as COMPLETED. One that failed or was cancelled then has an error_type.
ModelRequestStatus = Literal["IN_QUEUE", "IN_PROGRESS", "COMPLETED"]


# The model's name at the provider: the second half of its id.
ModelSegment = str


# A node's id: letters, digits, dot, underscore and hyphen. Unique regardless of case.
NodeId = str


# Where workflows may use the node: everywhere, nowhere or only on self-hosted surfaces.
NodePolicy = Literal["NodePolicyActive", "NodePolicyBanned", "NodePolicyLocalOnly"]


# waiting: not started. cached: not run; an earlier result was reused. failed: started but not completed, including when the job was canceled or timed out.
NodeState = Literal["waiting", "running", "cached", "done", "failed"]


# Whether the node is available.
NodeStatus = Literal["NodeStatusActive", "NodeStatusDeleted", "NodeStatusBanned"]


# Whether the version can be installed.
NodeVersionStatus = Literal["NodeVersionStatusActive", "NodeVersionStatusPending", "NodeVersionStatusFlagged", "NodeVersionStatusBanned", "NodeVersionStatusDeleted"]


# Node class → its description, in the format of the application's GET /object_info.
ObjectInfo = Mapping[str, Any]


# An OpenAPI 3.1 document.
OpenApiDocument = Mapping[str, Any]


# Where to also deliver each output as soon as it exists. Never returned by reads, and ignored when an idempotency key compares bodies.
OutputTarget = Union[OutputTarget2, OutputTarget22]


# The task's status.
PartnerATaskStatus = Literal["CREATED", "IN_PROGRESS", "COMPLETED", "FAILED"]


# The prompt's status.
PromptStatus = Literal["pending", "processing", "completed", "error"]


# The provider: the first half of the model's id.
ProviderSegment = str


# A publisher's id: lower-case letters, digits and hyphens, starting with a letter. It never changes.
PublisherId = str


# Publishers.
PublisherList = Sequence[Publisher]


# Whether the publisher may publish.
PublisherStatus = Literal["PublisherStatusActive", "PublisherStatusBanned"]


# Who can see the publisher and its nodes: everyone, or only its workspace and its members.
PublisherVisibility = Literal["public", "workspace"]


# The reason, if the error type alone does not say.
RequestReason = Literal["cancelled", "queue_timeout", "request_not_found", "queue_backlog_full", "cancel_refused", "already_completed"]


# The error types of the model router. A closed set.
RouterBucket = Literal["invalid_input", "content_policy_violation", "provider_error", "provider_timeout", "insufficient_credits", "model_not_found", "unauthorized", "forbidden", "concurrency_limit_exceeded", "client_disconnected", "internal_error", "deadline_exceeded", "not_enabled", "service_unavailable", "rate_limited"]


# Why a call was not started: the fields that violate the input schema or, with error_type, that it could cost more than X-Service-Max-Credits.
RouterRefusal = Union[RouterValidationError, RouterError]


# The file as it is: a graph in the API format or in the editor's.
TemplateWorkflow = Mapping[str, Any]


# What a token may do: call models and works and read its own requests; read the catalog; upload files; read files by id; make further tokens.
TokenCapability = Literal["call_models", "read_models", "upload_assets", "read_assets", "derive_tokens"]


# The state of the delivery.
WebhookDeliveryStatus = Literal["pending", "sending", "delivered", "dead", "gone"]


# What happened. job.queued: a job waits again, for another attempt.
WebhookEventType = Literal["job.queued", "job.running", "job.succeeded", "job.failed", "job.canceling", "job.canceled", "job.expired", "model_request.completed", "partner_task.running", "partner_task.completed", "partner_task.failed", "budget.threshold", "spending.odd", "deployment.scale", "node_version.published", "node_version.flagged", "node_version.banned"]


# What the input takes. A picture, mask, sound, video or file is given as the id of an asset, a https URL or a data URI.
WorkInputKind = Literal["text", "number", "integer", "choice", "boolean", "color", "picture", "mask", "sound", "film", "file"]


# A workflow in API format: nodes by id.
WorkflowGraph = Mapping[str, GraphNode]


# What a person may do: viewers read, members use, billing sets budgets, owners manage, operators run the service.
WorkspaceRole = Literal["viewer", "member", "billing", "owner", "operator"]
