// Bodies and answers of the account area: the caller's workspace, its keys and its members. A role here is owner or member;
// operators act through the admin API and belong to no workspace.
import { type Static, Type } from "typebox";
import { Workspace } from "./account/account.ts";
import { Credits, entity, notBlank, nullable, Timestamp, Uuid, wordOf } from "./wire-values.ts";

export const keyScopes = ["models", "partners", "registry", "workflows", "account"] as const;

export const KeyScope = wordOf(keyScopes, {
  title: "KeyScope",
  description:
    "What a key may reach: the model router, the partner proxy, the registry, v2 workflows, or the account itself.",
});
export type KeyScope = Static<typeof KeyScope>;

export const MemberRole = wordOf(["owner", "member"], {
  title: "MemberRole",
  description: "Owners manage the workspace, its members and all its keys; members use it and manage their own keys.",
});
export type MemberRole = Static<typeof MemberRole>;

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: notBlank,
  description: "1 to 100 characters once trimmed, without line breaks.",
});
const address = nullable(Type.String({ maxLength: 254 }), "For people to recognise each other; nothing is sent to it.");

const sentAddress = nullable(
  Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@<>"]{1,64}@[^\\s@<>"]{1,189}\\s*$' }),
  "An e-mail address, for people to recognise each other; nothing is sent to it.",
);

// We store only a hash of the key, never the key itself.
export const AccountKey = entity("AccountKey", "An API key as its workspace sees it.", {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for." }),
  hint: Type.String({ description: "The beginning of the key, enough to recognise it." }),
  scopes: Type.Array(KeyScope, { description: "What the key may reach." }),
  created_at: Timestamp,
  expires_at: nullable(Timestamp, "When it stops working; null: never."),
  last_used_at: nullable(Timestamp, "When it was used last, about."),
  revoked_at: nullable(Timestamp, "When it was revoked; null: it works."),
  daily_credits_max: Type.Optional(nullable(Credits, "Credits it may spend a day.")),
  monthly_credits_max: Type.Optional(nullable(Credits, "Credits it may spend a month.")),
  role: MemberRole,
  created_by: nullable(Uuid, "The person who made it, if known."),
});
export type AccountKey = Static<typeof AccountKey>;

export const CreatedAccountKey = entity("CreatedAccountKey", "A new API key.", {
  ...AccountKey.properties,
  secret: Type.String({ pattern: "^service-", description: "The key itself, shown this one time." }),
});
export type CreatedAccountKey = Static<typeof CreatedAccountKey>;

export const AccountKeyList = entity(
  "AccountKeyList",
  "The keys that work and the hundred revoked last, newest first.",
  { data: Type.Array(AccountKey) },
);

export const CreateKey = entity("CreateKey", "What a new key is for and what it may reach.", {
  name,
  scopes: Type.Optional(
    Type.Array(KeyScope, {
      minItems: 1,
      description: "At most the caller's own. Absent: all of the caller's but account.",
    }),
  ),
  role: Type.Optional(MemberRole),
  expires_at: Type.Optional(nullable(Timestamp, "Absent or null: never.")),
});
export type CreateKey = Static<typeof CreateKey>;

export const keyOverlapSecondsMax = 30 * 24 * 3600;

export const RotateKey = entity("RotateKey", "How to replace a key.", {
  overlap_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: keyOverlapSecondsMax,
      description: "How long the old key goes on working beside the new one; 24 hours if absent, 0 ends it now.",
    }),
  ),
});
export type RotateKey = Static<typeof RotateKey>;

export const AccountPerson = entity("AccountPerson", "A person who signs in.", {
  id: Uuid,
  name: Type.String(),
  email: address,
});
export type AccountPerson = Static<typeof AccountPerson>;

export const Account = entity("Account", "Who the caller is: a key or a person, in which workspace, as what.", {
  workspace: Workspace,
  role: MemberRole,
  scopes: Type.Array(KeyScope),
  person: Type.Optional(AccountPerson),
  is_operator: Type.Boolean({ description: "Whether the person may also use the admin side of this installation." }),
  session: nullable(
    Type.Object({ id: Uuid, created_at: Timestamp, expires_at: Timestamp }),
    "The browser session that the caller is, or that the token was made from.",
  ),
  key: Type.Optional(AccountKey),
});
export type Account = Static<typeof Account>;

export const AccountSession = entity("AccountSession", "A browser that is signed in.", {
  id: Uuid,
  created_at: Timestamp,
  last_seen_at: Timestamp,
  expires_at: Timestamp,
  user_agent: nullable(Type.String({ maxLength: 400 }), "What the browser said of itself when it signed in."),
  address: nullable(Type.String({ maxLength: 64 }), "The network address it signed in from."),
  signed_in_by: wordOf(["link", "oidc"], { description: "By a one-time link, or at the OpenID Connect issuer." }),
  is_current: Type.Boolean({ description: "Whether it is the one that asks." }),
});
export type AccountSession = Static<typeof AccountSession>;

export const AccountSessionList = entity("AccountSessionList", "The person's browsers, the newest first.", {
  data: Type.Array(AccountSession),
});

export const EndedSessions = entity("EndedSessions", "How many sessions ended.", {
  ended: Type.Integer({ minimum: 0 }),
});

export const ChooseWorkspace = entity("ChooseWorkspace", "The workspace that the browser looks at from now on.", {
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
export type NameWorkspace = Static<typeof NameWorkspace>;

export const AccountMember = entity("AccountMember", "A person in a workspace.", {
  id: Uuid,
  name: Type.String(),
  email: address,
  role: MemberRole,
  joined_at: Timestamp,
  has_signed_in: Type.Optional(
    Type.Boolean({ description: "Whether they ever signed in; until then an owner can make a new link for them." }),
  ),
});
export type AccountMember = Static<typeof AccountMember>;

export const AccountMemberList = entity("AccountMemberList", "Everybody in the workspace, the longest first.", {
  data: Type.Array(AccountMember),
});

const linkHours = Type.Integer({
  minimum: 1,
  maximum: 168,
  default: 72,
  description: "For how many hours the sign-in link works.",
});

const linkFacts = { url: Type.String({ format: "uri" }), expires_at: Timestamp };

export const InviteAgain = entity("InviteAgain", "How long the new link works.", {
  link_hours: Type.Optional(linkHours),
});
export type InviteAgain = Static<typeof InviteAgain>;

export const SignInLink = entity("SignInLink", "A sign-in link that works once.", linkFacts);
export type SignInLink = Static<typeof SignInLink>;

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
    description: "Somebody who has an account here, by id; or a new person, who gets a one-time sign-in link.",
  },
);
export type AddMember = Static<typeof AddMember>;

export const AddedMember = entity("AddedMember", "The new member.", {
  ...AccountMember.properties,
  sign_in: Type.Optional(
    Type.Object(linkFacts, {
      description:
        "For a new person: works once, for three days unless link_hours says otherwise. Hand it over; it is shown this one time.",
    }),
  ),
});
export type AddedMember = Static<typeof AddedMember>;

export const UpdateMember = entity("UpdateMember", "A new role.", { role: MemberRole });
export type UpdateMember = Static<typeof UpdateMember>;

export const RemovedMember = entity("RemovedMember", "What the removal took along.", {
  revoked_keys: Type.Array(Uuid, { description: "The person's keys, revoked in the same moment." }),
});
export type RemovedMember = Static<typeof RemovedMember>;

export const IdentityToken = entity("IdentityToken", "A person's token for one workspace, good for 15 minutes.", {
  token: Type.String({ description: "A cloud identity JWT for Authorization: Bearer." }),
  expires_at: Timestamp,
});
export type IdentityToken = Static<typeof IdentityToken>;

export const KeySet = entity("KeySet", "The public keys of this installation's identity issuer (JWKS).", {
  keys: Type.Array(Type.Record(Type.String(), Type.Unknown())),
});

// The pages' forms. Each carries the token that was issued with its page.
const csrf = Type.String({ description: "The form's own token." });
export const PlainForm = entity("PlainForm", "A form with nothing but a button.", { csrf });
export const EmptyBody = entity("EmptyBody", "Nothing more needs to be said.", {});

export const AccountQueue = entity("AccountQueue", "The workspace's queue of jobs, over all pools.", {
  paused: Type.Boolean({ description: "True: jobs are taken and wait; what runs goes on, nothing more is begun." }),
  paused_at: nullable(Timestamp, "Since when it is paused; null while it is not."),
  queued: Type.Integer({ minimum: 0, description: "Jobs that wait." }),
  running: Type.Integer({ minimum: 0, description: "Jobs that run." }),
});
export type AccountQueue = Static<typeof AccountQueue>;

export const SetAccountQueue = entity("SetAccountQueue", "Whether the workspace's queue is paused.", {
  paused: Type.Boolean({ description: "True pauses, false resumes; as it is already changes nothing." }),
});
export type SetAccountQueue = Static<typeof SetAccountQueue>;
