// What the operators' operations carry besides the audit entry: their own tokens, all workspaces, and every limit of one.
import { type Static, Type } from "typebox";
import { AuditEntry } from "./admin.ts";
import { pageOf } from "./pagination.ts";
import { notBlank, Timestamp, Uuid, uuidPattern, wordOf } from "./wire-values.ts";

const nullableTime = (description: string) => Type.Union([Timestamp, Type.Null()], { description });
const AdminName = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "Display name." });

const tokenFields = {
  id: Type.String({ description: "A UUID; `environment` for the token that is set by ATELIER_ADMIN_TOKEN." }),
  name: Type.String({ description: "Who or what uses it; the audit names it." }),
  created_at: nullableTime("When it was made; null for `environment`."),
  expires_at: nullableTime("When it stops working; null: never."),
  last_used_at: nullableTime("When it was used last, about; null: never."),
  revoked_at: nullableTime("When it was revoked; null: it works."),
};

export const AdminToken = Type.Object(tokenFields, {
  title: "AdminToken",
  description: "An operator's token as it is listed. The token itself is stored nowhere, only a hash of it.",
});
export type AdminToken = Static<typeof AdminToken>;

export const CreatedAdminToken = Type.Object(
  {
    ...tokenFields,
    secret: Type.String({ pattern: "^admin-", description: "The token itself, shown this one time." }),
  },
  { title: "CreatedAdminToken", description: "A new operator's token." },
);
export type CreatedAdminToken = Static<typeof CreatedAdminToken>;

export const CreateAdminToken = Type.Object(
  {
    name: AdminName,
    expires_at: Type.Optional(nullableTime("When it stops working; absent or null: never.")),
  },
  { title: "CreateAdminToken", description: "A wish for an operator's token." },
);
export type CreateAdminToken = Static<typeof CreateAdminToken>;

export const AdminTokenList = Type.Object(
  { data: Type.Array(AdminToken, { description: "Every token, revoked ones included, the newest first." }) },
  { title: "AdminTokenList", description: "All operators' tokens." },
);
export type AdminTokenList = Static<typeof AdminTokenList>;

export const AuditPage = pageOf(AuditEntry, "AuditPage", "One page of the audit, the newest entry first.");
export type AuditPage = Static<typeof AuditPage>;

export const AdminWorkspace = Type.Object(
  { id: Uuid, name: AdminName, created_at: Timestamp },
  { title: "AdminWorkspace", description: "A workspace as operators see it." },
);
export type AdminWorkspace = Static<typeof AdminWorkspace>;

export const AdminWorkspacePage = pageOf(AdminWorkspace, "AdminWorkspacePage", "One page of all workspaces.");
export type AdminWorkspacePage = Static<typeof AdminWorkspacePage>;

export const CreateWorkspaceAsAdmin = Type.Object(
  {
    name: AdminName,
    owner_id: Type.String({ format: "uuid", pattern: uuidPattern, description: "The person who will own it." }),
  },
  { title: "CreateWorkspaceAsAdmin", description: "A wish for a workspace." },
);
export type CreateWorkspaceAsAdmin = Static<typeof CreateWorkspaceAsAdmin>;

export const WorkspaceLimit = Type.Object(
  {
    name: Type.String({ description: "The limit's name." }),
    kind: wordOf(["quota", "rate", "size", "concurrency"], { description: "What kind of number it is." }),
    value: Type.Integer({ minimum: 0, description: "What applies to this workspace." }),
    default: Type.Integer({ minimum: 0, description: "What applies where nothing was changed." }),
    overridden: Type.Boolean({ description: "Whether an operator changed it for this workspace." }),
    description: Type.String({ description: "What it bounds, for people." }),
  },
  { title: "WorkspaceLimit", description: "One limit or quota of one workspace." },
);
export type WorkspaceLimit = Static<typeof WorkspaceLimit>;

export const WorkspaceLimitList = Type.Object(
  { data: Type.Array(WorkspaceLimit, { description: "Every limit, changed or not." }) },
  { title: "WorkspaceLimitList", description: "All limits and quotas of one workspace." },
);
export type WorkspaceLimitList = Static<typeof WorkspaceLimitList>;

export const SetWorkspaceLimit = Type.Object(
  {
    value: Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description:
        "What applies to this workspace instead of the default. 0 closes a quota; other limits need 1 or more.",
    }),
    reason: Type.Optional(Type.String({ maxLength: 500, description: "Why; the audit keeps it." })),
  },
  { title: "SetWorkspaceLimit", description: "A limit for one workspace." },
);
export type SetWorkspaceLimit = Static<typeof SetWorkspaceLimit>;
