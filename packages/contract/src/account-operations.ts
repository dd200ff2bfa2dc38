// Bodies and answers of the account area: the caller's workspace, its keys and its members. Operators
// act through the admin API and belong to no workspace.
import { type Static, Type } from "typebox";
import { Workspace } from "./account/account.ts";
import { installationRoles, workspaceRoles } from "./roles.ts";
import { Credits, entity, notBlank, nullable, Timestamp, Uuid, wordOf } from "./wire-values.ts";

export const keyScopes = ["models", "partners", "registry", "workflows", "account"] as const;

export const KeyScope = wordOf(keyScopes, {
  title: "KeyScope",
  description:
    "What a key may access: the model router, the partner proxy, the registry, v2 workflows or the account itself.",
});

export const MemberRole = wordOf(workspaceRoles, {
  title: "MemberRole",
  description:
    "Viewers read. Members also use the workspace and manage their own keys. Billing reads, and sets budgets and caps. Owners manage the workspace, its members and all its keys.",
});

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: notBlank,
  description: "1 to 100 characters after trimming, without line breaks.",
});
const address = nullable(
  Type.String({ maxLength: 254 }),
  "Helps people recognise each other; owners and billing people get alerts there if the server sends mail.",
);

const sentAddress = nullable(
  Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@<>"]{1,64}@[^\\s@<>"]{1,189}\\s*$' }),
  "An e-mail address that helps people recognise each other. Owners and billing people get alerts there if the server sends mail.",
);

// We store only a hash of the key, never the key itself.
export const AccountKey = entity("AccountKey", "An API key, as shown to its workspace.", {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for." }),
  hint: Type.String({ description: "The start of the key, enough to recognise it." }),
  scopes: Type.Array(KeyScope, { description: "The key's scopes." }),
  created_at: Timestamp,
  expires_at: nullable(Timestamp, "When it expires; null if never."),
  last_used_at: nullable(Timestamp, "Approximate time of last use."),
  revoked_at: nullable(Timestamp, "When it was revoked; null if it is active."),
  daily_credits_max: Type.Optional(nullable(Credits, "Credits it may spend per day.")),
  monthly_credits_max: Type.Optional(nullable(Credits, "Credits it may spend per month.")),
  role: MemberRole,
  created_by: nullable(Uuid, "The person who created it, if known."),
  service_account: Type.Optional(
    nullable(Type.Object({ id: Uuid, name: Type.String() }), "The service account whose key it is; null if none."),
  ),
});
export type AccountKey = Static<typeof AccountKey>;

export const CreatedAccountKey = entity("CreatedAccountKey", "A new API key.", {
  ...AccountKey.properties,
  secret: Type.String({ pattern: "^service-", description: "The key itself, shown only once." }),
});
export type CreatedAccountKey = Static<typeof CreatedAccountKey>;

export const AccountKeyList = entity(
  "AccountKeyList",
  "The active keys and the 100 most recently revoked, newest first.",
  { data: Type.Array(AccountKey) },
);

export const CreateKey = entity("CreateKey", "The API key to create.", {
  name,
  scopes: Type.Optional(
    Type.Array(KeyScope, {
      minItems: 1,
      description: "At most the caller's own scopes. Defaults to all of them except account.",
    }),
  ),
  role: Type.Optional(MemberRole),
  expires_at: Type.Optional(nullable(Timestamp, "When it expires. Absent or null: never.")),
  service_account_id: Type.Optional(
    nullable(Uuid, "The service account that it is for. Owners only; the key has at most that account's role."),
  ),
});

export const UpdateKey = entity("UpdateKey", "A key's new name.", { name });

export const ServiceAccount = entity("ServiceAccount", "A program with a name of its own in a workspace.", {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100 }),
  role: MemberRole,
  created_by: nullable(Uuid, "The person who created it, if known."),
  created_at: Timestamp,
});
export type ServiceAccount = Static<typeof ServiceAccount>;

export const ServiceAccountList = entity("ServiceAccountList", "The workspace's service accounts, oldest first.", {
  data: Type.Array(ServiceAccount),
});

export const CreateServiceAccount = entity("CreateServiceAccount", "The service account to create.", {
  name,
  role: Type.Optional(MemberRole),
});

export const RemovedServiceAccount = entity("RemovedServiceAccount", "What was removed along with the account.", {
  revoked_keys: Type.Array(Uuid, { description: "Its keys, revoked at the same time." }),
});

export const keyOverlapSecondsMax = 30 * 24 * 3600;

export const RotateKey = entity("RotateKey", "How to rotate a key.", {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: keyOverlapSecondsMax,
      description: "How long the old key keeps working alongside the new one. 24 hours by default; 0 ends it now.",
    }),
  ),
});

export const AccountPerson = entity("AccountPerson", "A person who can sign in.", {
  id: Uuid,
  name: Type.String(),
  email: address,
});
export type AccountPerson = Static<typeof AccountPerson>;

export const Account = entity("Account", "Who the caller is: a key or a person, with the workspace and role.", {
  workspace: Workspace,
  role: MemberRole,
  scopes: Type.Array(KeyScope),
  person: Type.Optional(AccountPerson),
  is_operator: Type.Boolean({ description: "Whether the person may also use the admin API of this installation." }),
  installation_role: Type.Optional(
    nullable(
      wordOf(installationRoles),
      "The person's role on this installation: auditors read the admin API, operators also change things.",
    ),
  ),
  session: nullable(
    Type.Object({ id: Uuid, created_at: Timestamp, expires_at: Timestamp }),
    "The caller's browser session, or the one the token was issued from.",
  ),
  key: Type.Optional(AccountKey),
});

export const AccountSession = entity("AccountSession", "A signed-in browser.", {
  id: Uuid,
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  user_agent: nullable(Type.String({ maxLength: 400 }), "The browser's user agent at sign-in."),
  address: nullable(Type.String({ maxLength: 64 }), "The IP address it signed in from."),
  signed_in_by: wordOf(["link", "oidc"], {
    description: "With a one-time link, or through the OpenID Connect issuer.",
  }),
  is_current: Type.Boolean({ description: "Whether this is the caller's own session." }),
});
export type AccountSession = Static<typeof AccountSession>;

export const AccountSessionList = entity("AccountSessionList", "The person's sessions, newest first.", {
  data: Type.Array(AccountSession),
});

export const EndedSessions = entity("EndedSessions", "How many sessions ended.", {
  ended: Type.Integer({ minimum: 0 }),
});

export const ChooseWorkspace = entity("ChooseWorkspace", "The workspace to switch to.", {
  workspace_id: Uuid,
});

export const SignInLook = entity("SignInLook", "What a sign-in link would do.", {
  person: Type.Object({ name: Type.String() }, { description: "Who would be signed in." }),
  expires_at: Timestamp,
});

export const WorkspaceList = entity("WorkspaceList", "The workspaces the caller can act in, with the role in each.", {
  data: Type.Array(Workspace),
});

export const NameWorkspace = entity("NameWorkspace", "A workspace's name.", { name });

export const AccountMember = entity("AccountMember", "A person in a workspace.", {
  id: Uuid,
  name: Type.String(),
  email: address,
  role: MemberRole,
  joined_at: Timestamp,
  has_signed_in: Type.Optional(
    Type.Boolean({
      description: "Whether they have ever signed in. Until then an owner can create a new link for them.",
    }),
  ),
});
export type AccountMember = Static<typeof AccountMember>;

export const AccountMemberList = entity(
  "AccountMemberList",
  "Everyone in the workspace, longest-standing member first.",
  {
    data: Type.Array(AccountMember),
  },
);

const linkHours = Type.Integer({
  minimum: 1,
  maximum: 168,
  default: 72,
  description: "How many hours the sign-in link works.",
});

const linkFacts = { url: Type.String({ format: "uri" }), expires_at: Timestamp };

export const InviteAgain = entity("InviteAgain", "How long the new link works.", {
  link_hours: Type.Optional(linkHours),
});

export const SignInLink = entity("SignInLink", "A sign-in link that works once.", linkFacts);

export const AddMember = Type.Union(
  [
    Type.Object({ person_id: Uuid, role: Type.Optional(MemberRole) }),
    Type.Object({
      name,
      email: Type.Optional(sentAddress),
      role: Type.Optional(MemberRole),
      link_hours: Type.Optional(linkHours),
    }),
  ],
  {
    title: "AddMember",
    description: "An existing account, by id, or a new person, who gets a one-time sign-in link.",
  },
);
export type AddMember = Static<typeof AddMember>;

export const AddedMember = entity("AddedMember", "The new member.", {
  ...AccountMember.properties,
  sign_in: Type.Optional(
    Type.Object(linkFacts, {
      description:
        "For a new person: works once, for three days unless link_hours is set. Pass it on now; it is only shown once.",
    }),
  ),
});

export const UpdateMember = entity("UpdateMember", "A new role.", { role: MemberRole });

export const RemovedMember = entity("RemovedMember", "What was removed along with the member.", {
  revoked_keys: Type.Array(Uuid, { description: "The person's keys, revoked at the same time." }),
});

const rows = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description });

export const PersonalData = entity(
  "PersonalData",
  "Everything this server holds about one person, newest first in each list.",
  {
    profile: rows("Name, e-mail address, the subject at the identity provider, and roles on the installation."),
    memberships: rows("The person's workspaces and roles, ended ones too."),
    keys: rows("Keys and tokens that the person made. Secrets are not included."),
    sessions: rows("Browsers, with the address they signed in from."),
    requests: rows("Requests made with the person's keys, by id."),
    jobs: rows("Jobs submitted with the person's keys, by id."),
    audit: rows("Audit entries by and about the person."),
    cut: Type.Array(Type.String(), { description: "The lists that have more than the 10,000 rows shown." }),
  },
);

export const ErasedPerson = entity("ErasedPerson", "What was removed or changed.", {
  erased: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), { description: "How many of each kind." }),
});

export const ErasePersonQuery = Type.Object({
  keep_keys: Type.Optional(
    Type.Boolean({
      description: "true: the workspaces keep the keys that the person made. By default they are revoked.",
    }),
  ),
});

export const KeySet = entity("KeySet", "The public keys of this installation's identity issuer (JWKS).", {
  keys: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});

// The pages' forms. Each carries the token that was issued with its page.
const csrf = Type.String({ description: "The form's own token." });
export const PlainForm = entity("PlainForm", "A form with only a button.", { csrf });
export const EmptyBody = entity("EmptyBody", "An empty object.", {});

export const AccountQueue = entity("AccountQueue", "The workspace's job queue, across all pools.", {
  paused: Type.Boolean({
    description: "true: jobs are accepted and wait. Running jobs continue, and no new ones start.",
  }),
  paused_at: nullable(Timestamp, "When it was paused; null if it is not."),
  queued: Type.Integer({ minimum: 0, description: "Waiting jobs." }),
  running: Type.Integer({ minimum: 0, description: "Running jobs." }),
});
export type AccountQueue = Static<typeof AccountQueue>;

export const SetAccountQueue = entity("SetAccountQueue", "Whether the workspace's queue is paused.", {
  paused: Type.Boolean({ description: "true pauses, false resumes. Sending the current state changes nothing." }),
});
