// Bodies and answers of the account area: the caller's workspace, its keys and its members.
// A role here is owner or member; operators act on the admin side and are in no workspace.
import { type Static, Type } from "typebox";
import { Workspace } from "./account.ts";
import { Credits, notBlank, Timestamp, Uuid, wordOf } from "./wire-values.ts";

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
const address = Type.Union([Type.String({ maxLength: 254 }), Type.Null()], {
  description: "For people to recognise each other; nothing is sent to it.",
});

const sentAddress = Type.Union(
  [Type.String({ maxLength: 254, pattern: '^\\s*[^\\s@<>"]{1,64}@[^\\s@<>"]{1,189}\\s*$' }), Type.Null()],
  { description: "An e-mail address, for people to recognise each other; nothing is sent to it." },
);

const nullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description });

// The key itself is stored nowhere, only a hash of it.
export const AccountKey = Type.Object(
  {
    id: Uuid,
    name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for." }),
    hint: Type.String({ description: "The beginning of the key, enough to recognise it." }),
    scopes: Type.Array(KeyScope, { description: "What the key may reach." }),
    created_at: Timestamp,
    expires_at: nullableTime("When it stops working; null: never."),
    last_used_at: nullableTime("When it was used last, about."),
    revoked_at: nullableTime("When it was revoked; null: it works."),
    daily_credits_max: Type.Optional(
      Type.Union([Credits, Type.Null()], { description: "Credits it may spend a day." }),
    ),
    monthly_credits_max: Type.Optional(
      Type.Union([Credits, Type.Null()], { description: "Credits it may spend a month." }),
    ),
    role: MemberRole,
    created_by: Type.Union([Uuid, Type.Null()], { description: "The person who made it, if known." }),
  },
  { title: "AccountKey", description: "An API key as its workspace sees it." },
);
export type AccountKey = Static<typeof AccountKey>;

export const CreatedAccountKey = Type.Object(
  {
    ...AccountKey.properties,
    secret: Type.String({ pattern: "^service-", description: "The key itself, shown this one time." }),
  },
  { title: "CreatedAccountKey", description: "A new API key." },
);
export type CreatedAccountKey = Static<typeof CreatedAccountKey>;

export const AccountKeyList = Type.Object(
  { data: Type.Array(AccountKey) },
  { title: "AccountKeyList", description: "The keys that work and the hundred revoked last, newest first." },
);

export const CreateKey = Type.Object(
  {
    name,
    scopes: Type.Optional(
      Type.Array(KeyScope, {
        minItems: 1,
        description: "At most the caller's own. Absent: all of the caller's but account.",
      }),
    ),
    role: Type.Optional(MemberRole),
    expires_at: Type.Optional(Type.Union([Timestamp, Type.Null()], { description: "Absent or null: never." })),
  },
  { title: "CreateKey", description: "What a new key is for and what it may reach." },
);
export type CreateKey = Static<typeof CreateKey>;

export const AccountPerson = Type.Object(
  { id: Uuid, name: Type.String(), email: address },
  { title: "AccountPerson", description: "A person who signs in." },
);
export type AccountPerson = Static<typeof AccountPerson>;

export const Account = Type.Object(
  {
    workspace: Workspace,
    role: MemberRole,
    scopes: Type.Array(KeyScope),
    person: Type.Optional(AccountPerson),
    key: Type.Optional(AccountKey),
  },
  { title: "Account", description: "Who the caller is: a key or a person, in which workspace, as what." },
);
export type Account = Static<typeof Account>;

export const WorkspaceList = Type.Object(
  { data: Type.Array(Workspace) },
  { title: "WorkspaceList", description: "The workspaces the caller can act in, with the role in each." },
);

export const NameWorkspace = Type.Object({ name }, { title: "NameWorkspace", description: "A workspace's name." });
export type NameWorkspace = Static<typeof NameWorkspace>;

export const AccountMember = Type.Object(
  { id: Uuid, name: Type.String(), email: address, role: MemberRole, joined_at: Timestamp },
  { title: "AccountMember", description: "A person in a workspace." },
);
export type AccountMember = Static<typeof AccountMember>;

export const AccountMemberList = Type.Object(
  { data: Type.Array(AccountMember) },
  { title: "AccountMemberList", description: "Everybody in the workspace, the longest first." },
);

export const AddMember = Type.Union(
  [
    Type.Object({ person_id: Uuid, role: Type.Optional(MemberRole) }),
    Type.Object({ name, email: Type.Optional(sentAddress), role: Type.Optional(MemberRole) }),
  ],
  {
    title: "AddMember",
    description: "Somebody who has an account here, by id; or a new person, who gets a one-time sign-in link.",
  },
);
export type AddMember = Static<typeof AddMember>;

export const AddedMember = Type.Object(
  {
    ...AccountMember.properties,
    sign_in: Type.Optional(
      Type.Object(
        { url: Type.String({ format: "uri" }), expires_at: Timestamp },
        { description: "For a new person: works once, for ten minutes. Hand it over; it is shown this one time." },
      ),
    ),
  },
  { title: "AddedMember", description: "The new member." },
);
export type AddedMember = Static<typeof AddedMember>;

export const UpdateMember = Type.Object({ role: MemberRole }, { title: "UpdateMember", description: "A new role." });
export type UpdateMember = Static<typeof UpdateMember>;

export const RemovedMember = Type.Object(
  { revoked_keys: Type.Array(Uuid, { description: "The person's keys, revoked in the same moment." }) },
  { title: "RemovedMember", description: "What the removal took along." },
);
export type RemovedMember = Static<typeof RemovedMember>;

export const IdentityToken = Type.Object(
  {
    token: Type.String({ description: "A cloud identity JWT for Authorization: Bearer." }),
    expires_at: Timestamp,
  },
  { title: "IdentityToken", description: "A person's token for one workspace, good for an hour." },
);
export type IdentityToken = Static<typeof IdentityToken>;

export const KeySet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  { title: "KeySet", description: "The public keys of this installation's identity issuer (JWKS)." },
);

// The pages' forms. Every one carries the token that its page was given.
const csrf = Type.String({ description: "The form's own token." });
export const PlainForm = Type.Object(
  { csrf },
  { title: "PlainForm", description: "A form with nothing but a button." },
);
export const CreateKeyForm = Type.Object(
  {
    csrf,
    name: Type.String(),
    scopes: Type.Array(Type.String()),
    expires: Type.Optional(Type.String({ description: "Days until it expires; empty: never." })),
  },
  { title: "CreateKeyForm", description: "The form of a new key." },
);
export const ChooseWorkspaceForm = Type.Object(
  { csrf, workspace_id: Type.String() },
  { title: "ChooseWorkspaceForm", description: "The form that changes to another workspace." },
);
