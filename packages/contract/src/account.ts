// Workspaces, their members and their API keys. Roles: owner, member, operator (decisions, section 7).
import { type Static, Type } from "typebox";
import { Credits, Timestamp, Uuid, wordOf } from "./wire-values.ts";

const nullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description });

export const WorkspaceRole = wordOf(["owner", "member", "operator"], {
  title: "WorkspaceRole",
  description: "What a person may do: owners manage, members use, operators run the service.",
});
export type WorkspaceRole = Static<typeof WorkspaceRole>;

export const Workspace = Type.Object(
  {
    id: Uuid,
    name: Type.String({ minLength: 1, maxLength: 100, description: "Display name." }),
    role: Type.Optional(WorkspaceRole),
    credits: Type.Optional(
      Type.Object({
        available: Credits,
        held: Credits,
      }),
    ),
    created_at: Timestamp,
  },
  { title: "Workspace", description: "Who owns keys, credits, entitlements, jobs and assets." },
);
export type Workspace = Static<typeof Workspace>;

export const WorkspaceMember = Type.Object(
  {
    id: Uuid,
    email: Type.String({ description: "The person's e-mail address." }),
    name: Type.Union([Type.String(), Type.Null()], { description: "The person's name." }),
    role: WorkspaceRole,
    joined_at: Timestamp,
  },
  { title: "WorkspaceMember", description: "A person in a workspace." },
);
export type WorkspaceMember = Static<typeof WorkspaceMember>;

const keyFields = {
  id: Uuid,
  name: Type.String({ minLength: 1, maxLength: 100, description: "What the key is for." }),
  hint: Type.String({ description: "The beginning of the key, enough to recognise it." }),
  scopes: Type.Array(Type.String(), { description: "What the key may do; empty: everything its workspace may." }),
  created_at: Timestamp,
  expires_at: nullableTime("When it stops working; null: never."),
  last_used_at: nullableTime("When it was used last, about."),
  revoked_at: nullableTime("When it was revoked; null: it works."),
  daily_credits_max: Type.Optional(Type.Union([Credits, Type.Null()], { description: "Credits it may spend a day." })),
  monthly_credits_max: Type.Optional(
    Type.Union([Credits, Type.Null()], { description: "Credits it may spend a month." }),
  ),
};

export const ApiKey = Type.Object(keyFields, {
  title: "ApiKey",
  description: "An API key as it is listed. The key itself is stored nowhere, only a hash of it.",
});
export type ApiKey = Static<typeof ApiKey>;

export const CreatedApiKey = Type.Object(
  {
    ...keyFields,
    secret: Type.String({ pattern: "^service-", description: "The key itself, shown this one time." }),
  },
  { title: "CreatedApiKey", description: "A new API key." },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;
