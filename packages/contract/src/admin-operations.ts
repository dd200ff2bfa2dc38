// What the operators' operations carry besides the audit entry: operators' tokens, all workspaces, and a workspace's limits.
import { type Static, Type } from "typebox";
import { AuditEntry } from "./operators/admin.ts";
import { pageOf } from "./pagination.ts";
import { entity, notBlank, nullable, Timestamp, Uuid, uuidPattern, wordOf } from "./wire-values.ts";

const AdminName = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "Display name." });

const tokenFields = {
  id: Type.String({ description: "A UUID; `environment` for the token that is set by ATELIER_ADMIN_TOKEN." }),
  name: Type.String({ description: "Who or what uses it; the audit names it." }),
  created_at: nullable(Timestamp, "When it was made; null for `environment`."),
  expires_at: nullable(Timestamp, "When it stops working; null: never."),
  last_used_at: nullable(Timestamp, "When it was used last, about; null: never."),
  revoked_at: nullable(Timestamp, "When it was revoked; null: it works."),
};

export const AdminToken = entity(
  "AdminToken",
  "An operator's token as it is listed. The token itself is stored nowhere, only a hash of it.",
  tokenFields,
);
export type AdminToken = Static<typeof AdminToken>;

export const CreatedAdminToken = entity("CreatedAdminToken", "A new operator's token.", {
  ...tokenFields,
  secret: Type.String({ pattern: "^admin-", description: "The token itself, shown this one time." }),
});
export type CreatedAdminToken = Static<typeof CreatedAdminToken>;

export const CreateAdminToken = entity("CreateAdminToken", "A wish for an operator's token.", {
  name: AdminName,
  expires_at: Type.Optional(nullable(Timestamp, "When it stops working; absent or null: never.")),
});
export type CreateAdminToken = Static<typeof CreateAdminToken>;

export const AdminTokenList = entity("AdminTokenList", "All operators' tokens.", {
  data: Type.Array(AdminToken, { description: "Every token, revoked ones included, the newest first." }),
});
export type AdminTokenList = Static<typeof AdminTokenList>;

export const AuditPage = pageOf(AuditEntry, "AuditPage", "One page of the audit, the newest entry first.");
export type AuditPage = Static<typeof AuditPage>;

export const AdminWorkspace = entity("AdminWorkspace", "A workspace as operators see it.", {
  id: Uuid,
  name: AdminName,
  created_at: Timestamp,
});
export type AdminWorkspace = Static<typeof AdminWorkspace>;

export const AdminWorkspacePage = pageOf(AdminWorkspace, "AdminWorkspacePage", "One page of all workspaces.");
export type AdminWorkspacePage = Static<typeof AdminWorkspacePage>;

export const AdminPerson = entity("AdminPerson", "A person of this installation as operators see them.", {
  id: Uuid,
  name: Type.String(),
  email: nullable(Type.String({ maxLength: 254 }), "For people to recognise each other; nothing is sent to it."),
  is_operator: Type.Boolean({ description: "Whether they may use the admin side." }),
  created_at: Timestamp,
});
export type AdminPerson = Static<typeof AdminPerson>;

export const AdminPersonPage = pageOf(AdminPerson, "AdminPersonPage", "One page of all people.");
export type AdminPersonPage = Static<typeof AdminPersonPage>;

export const SetOperator = entity("SetOperator", "Whether a person is an operator.", {
  is_operator: Type.Boolean({ description: "As it is already changes nothing." }),
});

export const CreateWorkspaceAsAdmin = entity("CreateWorkspaceAsAdmin", "A wish for a workspace.", {
  name: AdminName,
  owner_id: Type.String({ format: "uuid", pattern: uuidPattern, description: "The person who will own it." }),
});
export type CreateWorkspaceAsAdmin = Static<typeof CreateWorkspaceAsAdmin>;

export const WorkspaceLimit = entity("WorkspaceLimit", "One limit or quota of one workspace.", {
  name: Type.String({ description: "The limit's name." }),
  kind: wordOf(["quota", "rate", "size", "concurrency"], { description: "What kind of number it is." }),
  value: Type.Integer({ minimum: 0, description: "What applies to this workspace." }),
  default: Type.Integer({ minimum: 0, description: "What applies where nothing was changed." }),
  overridden: Type.Boolean({ description: "Whether an operator changed it for this workspace." }),
  description: Type.String({ description: "What it bounds, for people." }),
});
export type WorkspaceLimit = Static<typeof WorkspaceLimit>;

export const WorkspaceLimitList = entity("WorkspaceLimitList", "All limits and quotas of one workspace.", {
  data: Type.Array(WorkspaceLimit, { description: "Every limit, changed or not." }),
});
export type WorkspaceLimitList = Static<typeof WorkspaceLimitList>;

export const SetWorkspaceLimit = entity("SetWorkspaceLimit", "A limit for one workspace.", {
  value: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description:
      "What applies to this workspace instead of the default. 0 closes a quota; other limits need 1 or more.",
  }),
  reason: Type.Optional(Type.String({ maxLength: 500, description: "Why; the audit keeps it." })),
});
export type SetWorkspaceLimit = Static<typeof SetWorkspaceLimit>;
