// The operators' operations: their tokens, the audit, all workspaces and the limits of each. They need an admin token, or the
// identity token of a person who is an operator.
import { Type } from "typebox";
import {
  CreditBalance,
  CreditLinePage,
  CreditLineQuery,
  CreditMove,
  MoveCredits,
  RefundCall,
} from "../account/credits.ts";
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
  SetOperator,
  SetWorkspaceLimit,
  WorkspaceLimit,
  WorkspaceLimitList,
} from "../admin-operations.ts";
import { headerMeanings, headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { BackgroundProcessList } from "../operators/background-work.ts";
import { RefusedCredentialList } from "../operators/refused-credentials.ts";
import { SystemCheckList } from "../operators/system-checks.ts";
import { PageQuery } from "../pagination.ts";
import { Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

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
  201: answer(CreditMove, "The credits were moved, now or under the same Idempotency-Key before.", [
    headerName.idempotentReplayed,
  ]),
  ...genericFaults(400, 404, 409, 413),
};
const always = genericFaults(401, 403, 429, 500, 503);

const common = { tag: tags.administration, access: "admin" } as const;

export const adminOperations = operationTable(common, {
  runChecks: {
    method: "GET",
    path: "/admin/checks",
    summary: "See what the server finds when it looks at itself",
    description:
      "What `atelier doctor` looks at, from inside the process that answers: database, disk, blob store, key ring, " +
      "providers without a credential, workers, background work, refused credentials, invariants. Askers at the same " +
      "time share one look.",
    answers: { 200: answer(SystemCheckList, "What was found."), ...always },
  },
  listBackgroundWork: {
    method: "GET",
    path: "/admin/background-work",
    summary: "See what runs by itself",
    description:
      "Each process of the service, what it does again and again, how often, when it last did and how that ended. " +
      "Written down every 15 seconds.",
    answers: { 200: answer(BackgroundProcessList, "The processes that were seen within the last minute."), ...always },
  },
  listRefusedCredentials: {
    method: "GET",
    path: "/admin/refused-credentials",
    summary: "See which credentials of this server were refused",
    description:
      "Each setting whose credential a provider or partner did not accept within the last seven days, with its status and " +
      "words. Whoever operates the server sets another credential or looks after the account there.",
    answers: { 200: answer(RefusedCredentialList, "The newest 20 of them."), ...always },
  },
  listPeople: {
    method: "GET",
    path: "/admin/people",
    summary: "List the people of this installation",
    description: "In the order of their making; with is_operator=true the operators alone.",
    query: Type.Object({
      ...PageQuery.properties,
      is_operator: Type.Optional(Type.Boolean({ description: "True: only operators." })),
    }),
    answers: { 200: answer(AdminPersonPage, "One page."), ...genericFaults(400), ...always },
  },
  setOperator: {
    method: "PUT",
    path: "/admin/people/{personId}/operator",
    summary: "Make a person an operator, or no longer",
    description:
      "An operator's identity token opens the admin side beside admin tokens. Every request asks anew: taken away, it is " +
      "gone with the next one.",
    params: Type.Object({ personId: Uuid }),
    body: jsonBody(SetOperator),
    answers: { 200: answer(AdminPerson, "The person as they are now."), ...genericFaults(400, 404, 413), ...always },
  },
  listAdminTokens: {
    method: "GET",
    path: "/admin/tokens",
    summary: "List the operators' tokens",
    answers: { 200: answer(AdminTokenList, "All of them, revoked ones included."), ...always },
  },
  createAdminToken: {
    method: "POST",
    path: "/admin/tokens",
    summary: "Make an operator's token",
    description: "The answer shows the token this one time. Names are unique among the tokens that work.",
    body: jsonBody(CreateAdminToken),
    answers: { 201: answer(CreatedAdminToken, "It works from now on."), ...genericFaults(400, 409, 413), ...always },
  },
  revokeAdminToken: {
    method: "DELETE",
    path: "/admin/tokens/{tokenId}",
    summary: "Revoke an operator's token",
    description: "It stops working at once. Revoking a revoked token changes nothing.",
    params: Type.Object({ tokenId: Type.String({ format: "uuid", minLength: 1, description: "The token's id." }) }),
    answers: { 204: emptyAnswer("It no longer works."), ...genericFaults(404, 409), ...always },
  },
  listAuditEntries: {
    method: "GET",
    path: "/admin/audit",
    summary: "Read the audit",
    description: "Every admin and account action, the newest first. Filters narrow it together.",
    query: Type.Object({
      ...PageQuery.properties,
      workspace_id: Type.Optional(Uuid),
      actor_kind: Type.Optional(
        wordOf(["person", "api_key", "admin_token", "system"], { description: "What kind of actor did it." }),
      ),
      actor_id: text("Who, by id."),
      action: text("What was done, exactly: thing.verb."),
      subject_kind: text("The kind of thing it was done to."),
      subject_id: text("The thing it was done to."),
      request_id: text("The request that did it."),
      since: Type.Optional(Timestamp),
      until: Type.Optional(Timestamp),
    }),
    answers: { 200: answer(AuditPage, "One page."), ...genericFaults(400), ...always },
  },
  listWorkspacesAsAdmin: {
    method: "GET",
    path: "/admin/workspaces",
    summary: "List all workspaces",
    query: PageQuery,
    answers: { 200: answer(AdminWorkspacePage, "One page."), ...genericFaults(400), ...always },
  },
  createWorkspaceAsAdmin: {
    method: "POST",
    path: "/admin/workspaces",
    summary: "Make a workspace for a person",
    body: jsonBody(CreateWorkspaceAsAdmin),
    answers: { 201: answer(AdminWorkspace, "It is there."), ...genericFaults(400, 413), ...always },
  },
  getWorkspaceAsAdmin: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}",
    summary: "Read one workspace",
    params: workspaceParams,
    answers: { 200: answer(AdminWorkspace, "The workspace."), ...genericFaults(404), ...always },
  },
  listWorkspaceLimits: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/limits",
    summary: "Read the limits and quotas of a workspace",
    params: workspaceParams,
    answers: { 200: answer(WorkspaceLimitList, "Every limit."), ...genericFaults(404), ...always },
  },
  setWorkspaceLimit: {
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    summary: "Change a limit or quota for one workspace",
    description: "It applies at once in the process that answers and within 5 seconds everywhere.",
    params: limitParams,
    body: jsonBody(SetWorkspaceLimit),
    answers: { 200: answer(WorkspaceLimit, "The limit as it is now."), ...genericFaults(400, 404, 413), ...always },
  },
  resetWorkspaceLimit: {
    method: "DELETE",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    summary: "Give a workspace the default of a limit again",
    params: limitParams,
    answers: { 200: answer(WorkspaceLimit, "The limit as it is now."), ...genericFaults(404), ...always },
  },
  getWorkspaceCredits: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits",
    summary: "See the credits of a workspace",
    params: workspaceParams,
    answers: { 200: answer(CreditBalance, "The balance."), ...genericFaults(404), ...always },
  },
  listWorkspaceCreditLines: {
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits/lines",
    summary: "Read the journal of a workspace's credits",
    params: workspaceParams,
    query: CreditLineQuery,
    answers: { 200: answer(CreditLinePage, "One page."), ...genericFaults(400, 404), ...always },
  },
  topUpWorkspace: {
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits",
    summary: "Give a workspace credits",
    description: "With an Idempotency-Key a repeat is the same move and changes nothing; for another amount it is 409.",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved, ...always },
  },
  withdrawFromWorkspace: {
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits/withdrawals",
    summary: "Take credits out of a workspace",
    description: "Only what nobody holds: 409 when there is not as much. Repeats as in topUpWorkspace.",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved, ...always },
  },
  refundCall: {
    method: "POST",
    path: "/admin/calls/{callId}/refund",
    summary: "Give back what a call was charged",
    description: "Once: 409 when there is nothing (more) to refund.",
    params: Type.Object({ callId: Uuid }),
    body: jsonBody(RefundCall, false),
    answers: { 200: answer(CreditMove, "It was refunded."), ...genericFaults(400, 404, 409, 413), ...always },
  },
});
