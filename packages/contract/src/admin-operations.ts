// What the operators' operations carry besides the audit entry: operators' tokens, all workspaces, and a workspace's limits.
import { type Static, Type } from "typebox";
import { AuditEntry } from "./operators/admin.ts";
import { pageOf } from "./pagination.ts";
import { installationRoles } from "./roles.ts";
import { entity, notBlank, nullable, Timestamp, Uuid, uuidPattern, wordOf } from "./wire-values.ts";

const AdminName = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "Display name." });

const tokenFields = {
  id: Type.String({ description: "A UUID, or `environment` for the token set by ATELIER_ADMIN_TOKEN." }),
  name: Type.String({ description: "Who or what uses it. Appears in the audit log." }),
  created_at: nullable(Timestamp, "When it was created; null for `environment`."),
  expires_at: nullable(Timestamp, "When it expires; null if never."),
  last_used_at: nullable(Timestamp, "Approximate time of last use; null if never."),
  revoked_at: nullable(Timestamp, "When it was revoked; null if it is active."),
};

export const AdminToken = entity(
  "AdminToken",
  "An operator token in a list. Only a hash of the token is stored.",
  tokenFields,
);
export type AdminToken = Static<typeof AdminToken>;

export const CreatedAdminToken = entity("CreatedAdminToken", "A new operator token.", {
  ...tokenFields,
  secret: Type.String({ pattern: "^admin-", description: "The token itself, shown only once." }),
});

export const CreateAdminToken = entity("CreateAdminToken", "An operator token to create.", {
  name: AdminName,
  expires_at: Type.Optional(nullable(Timestamp, "When it expires. Absent or null: never.")),
});

export const AdminTokenList = entity("AdminTokenList", "All operator tokens.", {
  data: Type.Array(AdminToken, { description: "All tokens, including revoked ones, newest first." }),
});

export const AuditPage = pageOf(AuditEntry, "AuditPage", "One page of the audit log, newest entry first.");

export const AdminWorkspace = entity("AdminWorkspace", "A workspace, as shown to operators.", {
  id: Uuid,
  name: AdminName,
  created_at: Timestamp,
});
export type AdminWorkspace = Static<typeof AdminWorkspace>;

export const AdminWorkspacePage = pageOf(AdminWorkspace, "AdminWorkspacePage", "One page of all workspaces.");

export const InstallationRole = wordOf(installationRoles, {
  title: "InstallationRole",
  description: "Auditors read the admin API and its audit; operators also change things.",
});

export const AdminPerson = entity("AdminPerson", "A person of this installation, as shown to operators.", {
  id: Uuid,
  name: Type.String(),
  email: nullable(
    Type.String({ maxLength: 254 }),
    "Helps people recognise each other; owners and billing people get alerts there if the server sends mail.",
  ),
  is_operator: Type.Boolean({ description: "Whether they may use the whole admin API." }),
  role: Type.Optional(nullable(InstallationRole, "Their role on the installation; null if none.")),
  created_at: Timestamp,
});
export type AdminPerson = Static<typeof AdminPerson>;

export const AdminPersonPage = pageOf(AdminPerson, "AdminPersonPage", "One page of all people.");

export const SetOperator = entity("SetOperator", "Whether a person is an operator.", {
  is_operator: Type.Boolean({ description: "Sending the current value changes nothing." }),
});

export const SetInstallationRole = entity("SetInstallationRole", "A person's role on the installation.", {
  role: nullable(InstallationRole, "null: none."),
});

export const CreateWorkspaceAsAdmin = entity("CreateWorkspaceAsAdmin", "A workspace to create.", {
  name: AdminName,
  owner_id: Type.String({ format: "uuid", pattern: uuidPattern, description: "The person who will own it." }),
});

export const WorkspaceLimit = entity("WorkspaceLimit", "One limit or quota of one workspace.", {
  name: Type.String({ description: "The limit's name." }),
  kind: wordOf(["quota", "rate", "size", "concurrency"], { description: "The kind of limit." }),
  value: Type.Integer({ minimum: 0, description: "The value for this workspace." }),
  default: Type.Integer({ minimum: 0, description: "The default value." }),
  overridden: Type.Boolean({ description: "Whether an operator changed it for this workspace." }),
  description: Type.String({ description: "What it limits." }),
});
export type WorkspaceLimit = Static<typeof WorkspaceLimit>;

export const WorkspaceLimitList = entity("WorkspaceLimitList", "All limits and quotas of one workspace.", {
  data: Type.Array(WorkspaceLimit, { description: "Every limit, changed or not." }),
});

export const SetWorkspaceLimit = entity("SetWorkspaceLimit", "A limit for one workspace.", {
  value: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The value for this workspace instead of the default. 0 closes a quota; other limits need 1 or more.",
  }),
  reason: Type.Optional(Type.String({ maxLength: 500, description: "The reason. Recorded in the audit log." })),
});
