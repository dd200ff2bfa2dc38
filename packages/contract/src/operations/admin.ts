// The operators' operations: their tokens, the audit, all workspaces and the limits of each. Behind an admin token.
import { Type } from "typebox";
import {
  AdminTokenList,
  AdminWorkspace,
  AdminWorkspacePage,
  AuditPage,
  CreateAdminToken,
  CreatedAdminToken,
  CreateWorkspaceAsAdmin,
  SetWorkspaceLimit,
  WorkspaceLimit,
  WorkspaceLimitList,
} from "../admin-operations.ts";
import { BackgroundProcessList } from "../background-work.ts";
import { CreditBalance, CreditLinePage, CreditLineQuery, CreditMove, MoveCredits, RefundCall } from "../credits.ts";
import { headerMeanings, headerName } from "../headers.ts";
import type { Operation } from "../operation.ts";
import { PageQuery } from "../pagination.ts";
import { RefusedCredentialList } from "../refused-credentials.ts";
import { Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, jsonBody } from "./answers.ts";
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
  400: genericFault[400],
  404: genericFault[404],
  409: genericFault[409],
  413: genericFault[413],
};
const always = { 401: genericFault[401], 429: genericFault[429], 500: genericFault[500], 503: genericFault[503] };

export const adminOperations = {
  listBackgroundWork: {
    id: "listBackgroundWork",
    method: "GET",
    path: "/admin/background-work",
    tag: tags.administration,
    summary: "See what runs by itself",
    description:
      "Each process of the service, what it does again and again, how often, when it last did and how that ended. " +
      "Written down every 15 seconds.",
    access: "admin",
    answers: { 200: answer(BackgroundProcessList, "The processes that were seen within the last minute."), ...always },
  },
  listRefusedCredentials: {
    id: "listRefusedCredentials",
    method: "GET",
    path: "/admin/refused-credentials",
    tag: tags.administration,
    summary: "See which credentials of this server were refused",
    description:
      "Each setting whose credential a provider or partner did not accept within the last seven days, with its status and " +
      "words. Whoever operates the server sets another credential or looks after the account there.",
    access: "admin",
    answers: { 200: answer(RefusedCredentialList, "The newest 20 of them."), ...always },
  },
  listAdminTokens: {
    id: "listAdminTokens",
    method: "GET",
    path: "/admin/tokens",
    tag: tags.administration,
    summary: "List the operators' tokens",
    access: "admin",
    answers: { 200: answer(AdminTokenList, "All of them, revoked ones included."), ...always },
  },
  createAdminToken: {
    id: "createAdminToken",
    method: "POST",
    path: "/admin/tokens",
    tag: tags.administration,
    summary: "Make an operator's token",
    description: "The answer shows the token this one time. Names are unique among the tokens that work.",
    access: "admin",
    body: jsonBody(CreateAdminToken),
    answers: {
      201: answer(CreatedAdminToken, "It works from now on."),
      400: genericFault[400],
      409: genericFault[409],
      413: genericFault[413],
      ...always,
    },
  },
  revokeAdminToken: {
    id: "revokeAdminToken",
    method: "DELETE",
    path: "/admin/tokens/{tokenId}",
    tag: tags.administration,
    summary: "Revoke an operator's token",
    description: "It stops working at once. Revoking a revoked token changes nothing.",
    access: "admin",
    params: Type.Object({ tokenId: Type.String({ minLength: 1, description: "The token's id." }) }),
    answers: {
      204: emptyAnswer("It no longer works."),
      404: genericFault[404],
      409: genericFault[409],
      ...always,
    },
  },
  listAuditEntries: {
    id: "listAuditEntries",
    method: "GET",
    path: "/admin/audit",
    tag: tags.administration,
    summary: "Read the audit",
    description: "Every admin and account action, the newest first. Filters narrow it together.",
    access: "admin",
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
    answers: { 200: answer(AuditPage, "One page."), 400: genericFault[400], ...always },
  },
  listWorkspacesAsAdmin: {
    id: "listWorkspacesAsAdmin",
    method: "GET",
    path: "/admin/workspaces",
    tag: tags.administration,
    summary: "List all workspaces",
    access: "admin",
    query: PageQuery,
    answers: { 200: answer(AdminWorkspacePage, "One page."), 400: genericFault[400], ...always },
  },
  createWorkspaceAsAdmin: {
    id: "createWorkspaceAsAdmin",
    method: "POST",
    path: "/admin/workspaces",
    tag: tags.administration,
    summary: "Make a workspace for a person",
    access: "admin",
    body: jsonBody(CreateWorkspaceAsAdmin),
    answers: {
      201: answer(AdminWorkspace, "It is there."),
      400: genericFault[400],
      413: genericFault[413],
      ...always,
    },
  },
  getWorkspaceAsAdmin: {
    id: "getWorkspaceAsAdmin",
    method: "GET",
    path: "/admin/workspaces/{workspaceId}",
    tag: tags.administration,
    summary: "Read one workspace",
    access: "admin",
    params: workspaceParams,
    answers: { 200: answer(AdminWorkspace, "The workspace."), 404: genericFault[404], ...always },
  },
  listWorkspaceLimits: {
    id: "listWorkspaceLimits",
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/limits",
    tag: tags.administration,
    summary: "Read the limits and quotas of a workspace",
    access: "admin",
    params: workspaceParams,
    answers: { 200: answer(WorkspaceLimitList, "Every limit."), 404: genericFault[404], ...always },
  },
  setWorkspaceLimit: {
    id: "setWorkspaceLimit",
    method: "PUT",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    tag: tags.administration,
    summary: "Change a limit or quota for one workspace",
    description: "It applies at once in the process that answers and within 5 seconds everywhere.",
    access: "admin",
    params: limitParams,
    body: jsonBody(SetWorkspaceLimit),
    answers: {
      200: answer(WorkspaceLimit, "The limit as it is now."),
      400: genericFault[400],
      404: genericFault[404],
      413: genericFault[413],
      ...always,
    },
  },
  resetWorkspaceLimit: {
    id: "resetWorkspaceLimit",
    method: "DELETE",
    path: "/admin/workspaces/{workspaceId}/limits/{name}",
    tag: tags.administration,
    summary: "Give a workspace the default of a limit again",
    access: "admin",
    params: limitParams,
    answers: {
      200: answer(WorkspaceLimit, "The limit as it is now."),
      404: genericFault[404],
      ...always,
    },
  },
  getWorkspaceCredits: {
    id: "getWorkspaceCredits",
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits",
    tag: tags.administration,
    summary: "See the credits of a workspace",
    access: "admin",
    params: workspaceParams,
    answers: { 200: answer(CreditBalance, "The balance."), 404: genericFault[404], ...always },
  },
  listWorkspaceCreditLines: {
    id: "listWorkspaceCreditLines",
    method: "GET",
    path: "/admin/workspaces/{workspaceId}/credits/lines",
    tag: tags.administration,
    summary: "Read the journal of a workspace's credits",
    access: "admin",
    params: workspaceParams,
    query: CreditLineQuery,
    answers: { 200: answer(CreditLinePage, "One page."), 400: genericFault[400], 404: genericFault[404], ...always },
  },
  topUpWorkspace: {
    id: "topUpWorkspace",
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits",
    tag: tags.administration,
    summary: "Give a workspace credits",
    description: "With an Idempotency-Key a repeat is the same move and changes nothing; for another amount it is 409.",
    access: "admin",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved, ...always },
  },
  withdrawFromWorkspace: {
    id: "withdrawFromWorkspace",
    method: "POST",
    path: "/admin/workspaces/{workspaceId}/credits/withdrawals",
    tag: tags.administration,
    summary: "Take credits out of a workspace",
    description: "Only what nobody holds: 409 when there is not as much. Repeats as in topUpWorkspace.",
    access: "admin",
    params: workspaceParams,
    headers: repeatable,
    body: jsonBody(MoveCredits),
    answers: { ...moved, ...always },
  },
  refundCall: {
    id: "refundCall",
    method: "POST",
    path: "/admin/calls/{callId}/refund",
    tag: tags.administration,
    summary: "Give back what a call was charged",
    description: "Once: 409 when there is nothing (more) to refund.",
    access: "admin",
    params: Type.Object({ callId: Uuid }),
    body: jsonBody(RefundCall, false),
    answers: {
      200: answer(CreditMove, "It was refunded."),
      400: genericFault[400],
      404: genericFault[404],
      409: genericFault[409],
      413: genericFault[413],
      ...always,
    },
  },
} as const satisfies Readonly<Record<string, Operation>>;
