// The operators' operations: their tokens, the audit, all workspaces and the limits of each. They need an admin token, or the
// identity token of a person who is an operator.
import { Type } from "typebox";
import { TestedMail, TestMail } from "../account/alerts.ts";
import { ModelLimits, ModelLimitsList, SetCallLimits } from "../account/call-limits.ts";
import {
  CreditBalance,
  CreditLinePage,
  CreditLineQuery,
  CreditMove,
  MoveCredits,
  RefundCall,
} from "../account/credits.ts";
import { ErasedPerson, ErasePersonQuery, PersonalData } from "../account-operations.ts";
import {
  AdminPerson,
  AdminPersonPage,
  AdminTokenList,
  AdminWorkspace,
  AdminWorkspacePage,
  AuditPage,
  CreateAdminToken,
  CreatedAdminToken,
  CreateWorkspaceAsAdmin,
  SetInstallationRole,
  SetOperator,
  SetWorkspaceLimit,
  WorkspaceLimit,
  WorkspaceLimitList,
} from "../admin-operations.ts";
import { headerMeanings, headerName } from "../headers.ts";
import { ModelSegment, ProviderSegment } from "../models.ts";
import { operationTable } from "../operation.ts";
import { BackgroundProcessList } from "../operators/background-work.ts";
import { Backup, BackupList } from "../operators/backups.ts";
import {
  InstallationFigures,
  InstallationFiguresQuery,
  InstallationUsage,
  InstallationUsageQuery,
} from "../operators/figures.ts";
import { RefusedCredentialList } from "../operators/refused-credentials.ts";
import { EffectiveSettingList } from "../operators/settings.ts";
import { SystemCheckList } from "../operators/system-checks.ts";
import { PageQuery } from "../pagination.ts";
import { Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAdministration } from "./answers.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));
const workspaceParams = Type.Object({ workspaceId: Uuid });
const limitParams = Type.Object({
  workspaceId: Uuid,
  name: Type.String({ minLength: 1, description: "The limit's name." }),
});
const repeatable = Type.Object({
  [headerName.idempotencyKey]: Type.Optional(headerMeanings[headerName.idempotencyKey].schema),
});
const moved = {
  201: answer(CreditMove, "The credits were moved, now or earlier with the same Idempotency-Key.", [
    headerName.idempotentReplayed,
  ]),
  ...genericFaults(409),
};

export const adminOperations = operationTable(ofAdministration, {
  runChecks: {
    method: "GET",
    path: "/admin/checks",
    summary: "Run the server's self-check",
    description:
      "The checks of `atelier doctor`, run inside the process that answers: database, disk, blob store, key ring, " +
      "providers without a credential, workers, background work, refused credentials, invariants. Concurrent " +
      "requests share one run.",
    answers: { 200: answer(SystemCheckList, "The findings.") },
  },
  listBackgroundWork: {
    method: "GET",
    path: "/admin/background-work",
    summary: "List background work",
    description:
      "Every process of the service with its recurring work: what it does, how often, when it last ran and how " +
      "that ended. Updated every 15 seconds.",
    answers: { 200: answer(BackgroundProcessList, "The processes seen within the last minute.") },
  },
  listBackups: {
    method: "GET",
    path: "/admin/backups",
    summary: "List backups",
    description:
      "The scheduled backups of this server: the last good one, when the next is due, and the newest attempts. " +
      "Each backup is restored into a scratch database before it counts as good.",
    answers: { 200: answer(BackupList, "The schedule and the newest 100 attempts.") },
  },
  testMail: {
    method: "POST",
    path: "/admin/mail/test",
    summary: "Send a test message",
    description:
      "Sends one small message at once, through the mail server that ATELIER_SMTP_URL names, and answers with the server's words. Returns 409 while this server sends no mail.",
    body: jsonBody(TestMail),
    answers: { 200: answer(TestedMail, "What the mail server said."), ...genericFaults(409) },
  },
  beginBackup: {
    method: "POST",
    path: "/admin/backups",
    summary: "Begin a backup now",
    description:
      "Goes where scheduled backups go, and is verified like them. The answer comes once it has begun; the list says how it ends. Only one is made at a time.",
    answers: { 202: answer(Backup, "It has begun."), ...genericFaults(409) },
  },
  listSettings: {
    method: "GET",
    path: "/admin/settings",
    summary: "List the settings in effect",
    description:
      "Of the process that answers, in the order of docs/SETTINGS.md: each value, and where it comes from. Secrets are never shown. Settings are read at start, so a change needs a restart.",
    answers: { 200: answer(EffectiveSettingList, "Every setting.") },
  },
  getInstallationUsage: {
    method: "GET",
    path: "/admin/usage/series",
    summary: "Get the usage of all workspaces over time",
    description:
      "From the sums that workspaces' figures come from. One point per minute for up to 2 hours, per hour for up to 8 days, else per day.",
    query: InstallationUsageQuery,
    answers: { 200: answer(InstallationUsage, "The points, the groups and the total.") },
  },
  getInstallationFigures: {
    method: "GET",
    path: "/admin/figures",
    summary: "Get the jobs of all workspaces over time, and what is stored",
    query: InstallationFiguresQuery,
    answers: { 200: answer(InstallationFigures, "The points, and what is so now.") },
  },
  listRefusedCredentials: {
    method: "GET",
    path: "/admin/refused-credentials",
    summary: "List this server's refused credentials",
    description:
      "Every setting whose credential was refused by a provider or partner within the last seven days, with the " +
      "status and message. The operator of the server has to replace the credential or fix the account there.",
    answers: { 200: answer(RefusedCredentialList, "The newest 20.") },
  },
  listPeople: {
    method: "GET",
    path: "/admin/people",
    summary: "List the people of this installation",
    description: "Oldest first. With is_operator=true, only operators.",
    query: Type.Object({
      ...PageQuery.properties,
      is_operator: Type.Optional(Type.Boolean({ description: "true: only operators." })),
    }),
    answers: { 200: answer(AdminPersonPage, "One page.") },
  },
  setOperator: {
    method: "PUT",
    path: "/admin/people/{personId}/operator",
    freshSignIn: "always",
    summary: "Grant or revoke a person's operator rights",
    description:
      "An operator's identity token opens the admin API, like an admin token. The right is checked on every " +
      "request, so a revocation takes effect with the next one.",
    params: Type.Object({ personId: Uuid }),
    body: jsonBody(SetOperator),
    answers: { 200: answer(AdminPerson, "The updated person.") },
  },
  setInstallationRole: {
    method: "PUT",
    path: "/admin/people/{personId}/role",
    freshSignIn: "always",
    summary: "Set a person's role on the installation",
    description:
      "An auditor's identity token reads the admin API, an operator's may do everything there. It is checked on every request, so a change takes effect with the next one.",
    params: Type.Object({ personId: Uuid }),
    body: jsonBody(SetInstallationRole),
    answers: { 200: answer(AdminPerson, "The updated person.") },
  },
  exportPersonAsAdmin: {
    method: "GET",
    path: "/admin/people/{personId}",
    role: "operator",
    summary: "Export everything about a person",
    description: "What the person gets from GET /account/person.",
    params: Type.Object({ personId: Uuid }),
    answers: { 200: answer(PersonalData, "The person's data.") },
  },
  erasePersonAsAdmin: {
    method: "DELETE",
    path: "/admin/people/{personId}",
    freshSignIn: "always",
    summary: "Erase a person",
    description:
      "Cannot be undone. Ends their sessions, memberships and keys, and removes their name and address everywhere; the books and the audit go on under a pseudonym. Returns 409 for the only owner of a workspace.",
    params: Type.Object({ personId: Uuid }),
    query: ErasePersonQuery,
    answers: { 200: answer(ErasedPerson, "Erased."), ...genericFaults(409) },
  },
  listAdminTokens: {
    method: "GET",
    path: "/admin/tokens",
    summary: "List operator tokens",
    answers: { 200: answer(AdminTokenList, "All tokens, including revoked ones.") },
  },
  createAdminToken: {
    method: "POST",
    path: "/admin/tokens",
    freshSignIn: "always",
    summary: "Create an operator token",
    description: "The token is only shown in this response. Names are unique among active tokens.",
    body: jsonBody(CreateAdminToken),
    answers: { 201: answer(CreatedAdminToken, "The token works immediately."), ...genericFaults(409) },
  },
  revokeAdminToken: {
    method: "DELETE",
    path: "/admin/tokens/{tokenId}",
    summary: "Revoke an operator token",
    description: "Takes effect immediately. Revoking a revoked token changes nothing.",
    params: Type.Object({ tokenId: Type.String({ format: "uuid", minLength: 1, description: "The token's id." }) }),
    answers: { 204: emptyAnswer("The token no longer works."), ...genericFaults(409) },
  },
  listAuditEntries: {
    method: "GET",
    path: "/admin/audit",
    summary: "Read the audit log",
    description: "Every admin and account action, newest first. All filters must match.",
    query: Type.Object({
      ...PageQuery.properties,
      workspace_id: Type.Optional(Uuid),
      actor_kind: Type.Optional(
        wordOf(["person", "api_key", "service_account", "admin_token", "system"], {
          description: "The kind of actor.",
        }),
      ),
      actor_id: text("The actor's id."),
      action: text("The exact action, as thing.verb."),
      subject_kind: text("The kind of target."),
      subject_id: text("The target's id."),
      request_id: text("The request that performed the action."),
      since: Type.Optional(Timestamp),
      until: Type.Optional(Timestamp),
    }),
    answers: { 200: answer(AuditPage, "One page.") },
  },
  listWorkspacesAsAdmin: {
    method: "GET",
    path: "/admin/workspaces",
    summary: "List all workspaces",
    query: PageQuery,
    answers: { 200: answer(AdminWorkspacePage, "One page.") },
  },
  createWorkspaceAsAdmin: {
    method: "POST",
    path: "/admin/workspaces",
    summary: "Create a workspace for a person",
    body: jsonBody(CreateWorkspaceAsAdmin),
    answers: { 201: answer(AdminWorkspace, "Created.") },
  },
  getWorkspaceAsAdmin: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}",
    summary: "Read one workspace",
    params: workspaceParams,
    answers: { 200: answer(AdminWorkspace, "The workspace.") },
  },
  listWorkspaceLimits: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/limits",
    summary: "Read the limits and quotas of a workspace",
    params: workspaceParams,
    answers: { 200: answer(WorkspaceLimitList, "Every limit.") },
  },
  setWorkspaceLimit: {
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    summary: "Change a limit or quota for one workspace",
    description: "Takes effect immediately in the process that answers and within 5 seconds everywhere.",
    params: limitParams,
    body: jsonBody(SetWorkspaceLimit),
    answers: { 200: answer(WorkspaceLimit, "The updated limit.") },
  },
  resetWorkspaceLimit: {
    method: "DELETE",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    summary: "Reset a limit to its default",
    params: limitParams,
    answers: { 200: answer(WorkspaceLimit, "The updated limit.") },
  },
  listModelLimits: {
    method: "GET",
    path: "/admin/model-limits",
    summary: "List models with limits",
    answers: { 200: answer(ModelLimitsList, "All of them.") },
  },
  setModelLimits: {
    method: "PUT",
    path: "/admin/model-limits/{provider}/{model}",
    summary: "Limit how many calls a model takes",
    description:
      "Over all workspaces and gateways together, exactly. A route counts against the limits of all its targets. A call above gets a 429 with Retry-After that names the model. Two nulls remove the limits. At most 500 models.",
    params: Type.Object({ provider: ProviderSegment, model: ModelSegment }),
    body: jsonBody(SetCallLimits),
    answers: { 200: answer(ModelLimits, "The new limits."), ...genericFaults(409) },
    notRefusedWith: [404],
  },
  getWorkspaceCredits: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits",
    summary: "Get the credit balance of a workspace",
    params: workspaceParams,
    answers: { 200: answer(CreditBalance, "The balance.") },
  },
  listWorkspaceCreditLines: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits/lines",
    summary: "List a workspace's credit journal",
    params: workspaceParams,
    query: CreditLineQuery,
    answers: { 200: answer(CreditLinePage, "One page.") },
  },
  topUpWorkspace: {
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits",
    summary: "Add credits to a workspace",
    description:
      "Repeating the call with the same Idempotency-Key changes nothing; with a different amount it returns 409.",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved },
  },
  withdrawFromWorkspace: {
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits/withdrawals",
    summary: "Remove credits from a workspace",
    description:
      "Only credits that are not on hold. Returns 409 if there are too few. Retries work as in topUpWorkspace.",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved },
  },
  refundCall: {
    method: "POST",
    path: "/admin/calls/{callId}/refund",
    summary: "Refund a call",
    description: "A call can be refunded once. Returns 409 if there is nothing left to refund.",
    params: Type.Object({ callId: Uuid }),
    body: jsonBody(RefundCall, false),
    answers: { 200: answer(CreditMove, "Refunded."), ...genericFaults(409) },
  },
});
