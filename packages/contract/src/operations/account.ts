// The account area: keys, workspaces and members as JSON, the pages of the key site (spec, Authentication 7), and the
// public keys of our identity issuer.
import { Type } from "typebox";
import { Workspace } from "../account.ts";
import {
  Account,
  AccountKey,
  AccountKeyList,
  AccountMember,
  AccountMemberList,
  AccountQueue,
  AccountSessionList,
  AddedMember,
  AddMember,
  ChooseWorkspace,
  CreatedAccountKey,
  CreateKey,
  EmptyBody,
  EndedSessions,
  IdentityToken,
  InviteAgain,
  KeySet,
  NameWorkspace,
  PlainForm,
  RemovedMember,
  RotateKey,
  SetAccountQueue,
  SignInLink,
  SignInLook,
  UpdateMember,
  WorkspaceList,
} from "../account-operations.ts";
import { CreditBalance, CreditLinePage, CreditLineQuery, KeyCaps, SetKeyCaps } from "../credits.ts";
import { headerName } from "../headers.ts";
import { type AnswerShape, type BodyShape, operationTable } from "../operation.ts";
import { UsageDayList, UsageDaysQuery, UsageExportQuery, UsagePage, UsageQuery } from "../usage.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFault, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const keyId = Type.Object({ keyId: Uuid });
const workspaceId = Type.Object({ workspaceId: Uuid });
const memberIds = Type.Object({ workspaceId: Uuid, personId: Uuid });
const signInToken = Type.Object({ token: Type.String({ description: "The one-time token of the link." }) });

const read = genericFaults(401, 403, 429, 500, 503);
const write = { ...genericFaults(400, 413), ...read };
const oneOf = genericFaults(404);

const page = (description: string) => rawAnswer("text/html; charset=utf-8", description, [headerName.cacheControl]);
const form = (schema: BodyShape["schema"]): BodyShape => ({
  contentType: "application/x-www-form-urlencoded",
  schema,
  required: true,
});
const seeOther = emptyAnswer("Done; go on at Location.", [headerName.location]);
// Faults are pages for a browser, and JSON for whom JSON is asked.
const fault = (description: string) => ({ ...page(description), bytesContentTypes: ["application/json"] });
const ourFaults = { 500: fault("Something went wrong on our side."), 503: fault("It cannot be done now.") };
const pageFaults = {
  400: fault("The form is not complete."),
  403: fault("The form is not from our own page."),
  413: fault("The form is above the cap."),
  429: fault("Too many attempts."),
  ...ourFaults,
};
// JSON for whom JSON is asked, a page for a browser.
const orPage = <Shape extends AnswerShape>(shape: Shape) => ({
  ...shape,
  bytesContentTypes: ["text/html; charset=utf-8"],
});
const linkFaults = {
  404: orPage(genericFault[404]),
  429: orPage(genericFault[429]),
  500: orPage(genericFault[500]),
  503: orPage(genericFault[503]),
};
const signedOut = { 401: fault("Signed out; the page says how to sign in."), ...ourFaults };

// A key is asked for wherever an operation does not say otherwise.
const common = { tag: tags.account, access: "key" } as const;

export const accountOperations = operationTable(common, {
  getAccount: {
    method: "GET",
    path: "/account",
    summary: "Ask who the caller is",
    description: "For every key, whatever its scopes.",
    answers: { 200: answer(Account, "The caller."), ...read },
  },
  listKeys: {
    method: "GET",
    path: "/account/keys",
    summary: "List the workspace's API keys",
    answers: { 200: answer(AccountKeyList, "The keys, without their secrets."), ...read },
  },
  createKey: {
    method: "POST",
    path: "/account/keys",
    summary: "Create an API key",
    description: "The key is in this answer and nowhere else. It never reaches more than its maker may.",
    body: jsonBody(CreateKey),
    answers: { 201: answer(CreatedAccountKey, "The new key.", [headerName.cacheControl]), ...write },
  },
  revokeKey: {
    method: "DELETE",
    path: "/account/keys/{keyId}",
    summary: "Revoke an API key",
    description: "Effective within five seconds everywhere. Revoking a revoked key changes nothing.",
    params: keyId,
    answers: { 200: answer(AccountKey, "The revoked key."), ...read, ...oneOf },
  },
  rotateKey: {
    method: "POST",
    path: "/account/keys/{keyId}/rotation",
    summary: "Replace an API key by a new one",
    description:
      "The new key has the name, reach, expiry and caps of the old one, and is in this answer and nowhere else. The old one goes on working for the overlap.",
    params: keyId,
    body: jsonBody(RotateKey, false),
    answers: {
      201: answer(CreatedAccountKey, "The new key.", [headerName.cacheControl]),
      ...write,
      ...oneOf,
      ...genericFaults(409),
    },
  },
  getKeyCaps: {
    method: "GET",
    path: "/account/keys/{keyId}/caps",
    summary: "See how much a key may spend",
    params: keyId,
    answers: { 200: answer(KeyCaps, "Its caps, and what counts against them."), ...read, ...oneOf },
  },
  setKeyCaps: {
    method: "PUT",
    path: "/account/keys/{keyId}/caps",
    summary: "Say how much a key may spend",
    description:
      "For owners. Applies within 5 seconds everywhere. A call that could exceed a cap is answered 402, which names the cap.",
    params: keyId,
    body: jsonBody(SetKeyCaps),
    answers: { 200: answer(KeyCaps, "The caps as they are now."), ...write, ...oneOf },
  },
  deleteJobOutput: {
    method: "DELETE",
    path: "/account/jobs/{jobId}/outputs/{assetId}",
    summary: "Delete something that a job made",
    description:
      "Of a job that is over; the job no longer lists it. 409 while the job runs, and where another job needs the asset. To keep an output beyond its job, make an asset from its hash.",
    params: Type.Object({ jobId: Uuid, assetId: Uuid }),
    answers: { 204: emptyAnswer("It is gone."), ...read, ...oneOf, ...genericFaults(409) },
  },
  getAccountQueue: {
    method: "GET",
    path: "/account/queue",
    summary: "See whether the workspace's queue of jobs is paused",
    answers: { 200: answer(AccountQueue, "The queue."), ...read },
  },
  setAccountQueue: {
    method: "PUT",
    path: "/account/queue",
    summary: "Pause or resume the workspace's queue of jobs",
    description:
      "For owners. While it is paused submissions are taken and wait, what runs goes on, and no worker begins a job of the workspace, in whatever pool; jobs still expire. From the answer on it holds everywhere. Model calls and partner tasks are not concerned.",
    body: jsonBody(SetAccountQueue),
    answers: { 200: answer(AccountQueue, "The queue as it is now."), ...write },
  },
  getCredits: {
    method: "GET",
    path: "/account/credits",
    summary: "See the workspace's credits",
    answers: { 200: answer(CreditBalance, "The balance."), ...read },
  },
  listCreditLines: {
    method: "GET",
    path: "/account/credits/lines",
    summary: "Read the journal of the workspace's credits",
    description:
      "Whatever changed what the workspace owns, the newest first. With transaction_id: every line of that one call or move.",
    query: CreditLineQuery,
    answers: { 200: answer(CreditLinePage, "One page."), ...genericFaults(400), ...read },
  },
  listUsage: {
    method: "GET",
    path: "/account/usage",
    summary: "List what the workspace used",
    description: "The newest first. Filters narrow it together; `from` is included, `to` is not.",
    query: UsageQuery,
    answers: { 200: answer(UsagePage, "One page."), ...genericFaults(400), ...read },
  },
  sumUsage: {
    method: "GET",
    path: "/account/usage/daily",
    summary: "Sum what the workspace used by the day",
    query: UsageDaysQuery,
    answers: { 200: answer(UsageDayList, "The days."), ...genericFaults(400), ...read },
  },
  exportUsage: {
    method: "GET",
    path: "/account/usage/export",
    summary: "Take the workspace's usage away as a file",
    description:
      "As text/csv, or with format=jsonl as application/x-ndjson, the newest row first. In CSV a text that a spreadsheet would run has an apostrophe in front. An export that breaks off half way ends its connection.",
    query: UsageExportQuery,
    answers: {
      200: {
        ...rawAnswer("text/csv", "The rows.", [headerName.cacheControl, headerName.contentDisposition]),
        otherContentTypes: ["application/x-ndjson"],
      },
      ...genericFaults(400),
      ...read,
    },
  },
  listWorkspaces: {
    method: "GET",
    path: "/account/workspaces",
    summary: "List the caller's workspaces",
    answers: { 200: answer(WorkspaceList, "The workspaces."), ...read },
  },
  createWorkspace: {
    method: "POST",
    path: "/account/workspaces",
    summary: "Create a workspace",
    description: "For people only: somebody has to own it.",
    body: jsonBody(NameWorkspace),
    answers: { 201: answer(Workspace, "The new workspace."), ...write },
  },
  updateWorkspace: {
    method: "PATCH",
    path: "/account/workspaces/{workspaceId}",
    summary: "Rename a workspace",
    params: workspaceId,
    body: jsonBody(NameWorkspace),
    answers: { 200: answer(Workspace, "The workspace as it is now."), ...write, ...oneOf },
  },
  listMembers: {
    method: "GET",
    path: "/account/workspaces/{workspaceId}/members",
    summary: "List the members of a workspace",
    params: workspaceId,
    answers: { 200: answer(AccountMemberList, "The members."), ...read, ...oneOf },
  },
  addMember: {
    method: "POST",
    path: "/account/workspaces/{workspaceId}/members",
    summary: "Add somebody to a workspace",
    params: workspaceId,
    body: jsonBody(AddMember),
    answers: { 201: answer(AddedMember, "The new member."), ...write, ...oneOf, ...genericFaults(409) },
  },
  inviteMemberAgain: {
    method: "POST",
    path: "/account/workspaces/{workspaceId}/members/{personId}/sign-in-link",
    summary: "Make a new sign-in link for a member who never signed in",
    description:
      "Earlier links of the person end. 409 for a person who has signed in before, or who is in another workspace too.",
    params: memberIds,
    body: jsonBody(InviteAgain),
    answers: { 201: answer(SignInLink, "The new link."), ...write, ...oneOf, ...genericFaults(409) },
  },
  updateMember: {
    method: "PATCH",
    path: "/account/workspaces/{workspaceId}/members/{personId}",
    summary: "Change a member's role",
    description: "The last owner stays one: 409.",
    params: memberIds,
    body: jsonBody(UpdateMember),
    answers: { 200: answer(AccountMember, "The member as it is now."), ...write, ...oneOf, ...genericFaults(409) },
  },
  removeMember: {
    method: "DELETE",
    path: "/account/workspaces/{workspaceId}/members/{personId}",
    summary: "Remove a member from a workspace",
    description: "The person's keys are revoked with it unless keep_keys is true. The last owner cannot go: 409.",
    params: memberIds,
    query: Type.Object({ keep_keys: Type.Optional(Type.Boolean({ description: "Leave the person's keys working." })) }),
    answers: { 200: answer(RemovedMember, "Removed."), ...write, ...oneOf, ...genericFaults(409) },
  },
  listSessions: {
    method: "GET",
    path: "/account/sessions",
    summary: "List the browsers where the caller is signed in",
    description: "For people only.",
    answers: { 200: answer(AccountSessionList, "The sessions that live."), ...read },
  },
  endSession: {
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    summary: "Sign one browser out",
    description:
      "For people only. The browser's own session may be ended too: its cookie is cleared. Identity tokens that were made from the session end with it, within a second everywhere.",
    params: Type.Object({ sessionId: Uuid }),
    answers: { 204: emptyAnswer("Ended."), ...read, ...oneOf },
  },
  endOtherSessions: {
    method: "DELETE",
    path: "/account/sessions",
    summary: "Sign all other browsers out",
    description:
      "For people only. Tokens that were made from those sessions end with them, within a second everywhere.",
    answers: { 200: answer(EndedSessions, "Ended."), ...read },
  },
  chooseSessionWorkspace: {
    method: "PUT",
    path: "/account/session",
    summary: "Change the workspace that the browser looks at",
    description: "For a browser that is signed in. Tokens that it gets from then on are for this workspace.",
    access: "session",
    body: jsonBody(ChooseWorkspace),
    answers: { 200: answer(Workspace, "The workspace."), ...write, ...oneOf },
  },
  createIdentityToken: {
    method: "POST",
    path: "/account/tokens",
    summary: "Get a cloud identity token",
    description: "For a person who signed in with a browser: a JWT for the workspace the session looks at.",
    access: "session",
    answers: { 201: answer(IdentityToken, "The token.", [headerName.cacheControl]), ...read },
  },
  getKeySet: {
    method: "GET",
    path: "/.well-known/jwks.json",
    summary: "Read the public keys of the identity issuer",
    access: "public",
    answers: { 200: answer(KeySet, "The keys.", [headerName.cacheControl]), ...genericFaults(429, 500, 503) },
  },
  showSignIn: {
    method: "GET",
    path: "/sign-in",
    summary: "The page that says how to sign in",
    access: "public",
    answers: { 200: page("How to get a sign-in link."), ...ourFaults },
  },
  beginOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc",
    summary: "Sign in at the OpenID Connect issuer",
    description:
      "For browsers: leads to the issuer, with a cookie that the way back needs. A browser that cannot be led there goes on at the sign-in page, which says why; 503: the issuer is away. 404: none is set.",
    access: "public",
    query: Type.Object({
      return_to: Type.Optional(
        Type.String({ description: "A path of this server to go on at; anything else is its first page." }),
      ),
    }),
    answers: { 302: emptyAnswer("Go on at the issuer.", [headerName.location]), 303: seeOther, ...linkFaults },
  },
  finishOidcSignIn: {
    method: "GET",
    path: "/sign-in/oidc/callback",
    summary: "Come back from the OpenID Connect issuer",
    description:
      "The issuer's answer, from the browser that asked for it. Sets the session's cookie and goes on where the person was going; otherwise at the sign-in page, which says why. 403 says in details.sign_in what it was.",
    access: "public",
    answers: { 303: seeOther, ...linkFaults, 403: orPage(genericFault[403]) },
  },
  confirmSignIn: {
    method: "GET",
    path: "/sign-in/{token}",
    summary: "The page behind a sign-in link",
    description:
      "For whom JSON is asked: who would be signed in, and until when. Uses nothing up, so that previews of the link do no harm. 404 says in details.link whether it is unknown, used or expired.",
    access: "public",
    params: signInToken,
    answers: { 200: orPage(answer(SignInLook, "What the link would do.", [headerName.cacheControl])), ...linkFaults },
  },
  signIn: {
    method: "POST",
    path: "/sign-in/{token}",
    summary: "Sign in with a link",
    description:
      "From our own page only: its form, or the JSON body {}, which is answered 204. Both set the session's cookie.",
    access: "public",
    params: signInToken,
    body: form(PlainForm),
    answers: {
      204: emptyAnswer("Signed in."),
      303: seeOther,
      ...linkFaults,
      400: orPage(genericFault[400]),
      403: orPage(genericFault[403]),
      413: orPage(genericFault[413]),
    },
  },
  showApiKeys: {
    method: "GET",
    path: "/profile/api-keys",
    summary: "The page of the workspace's API keys",
    description: "The console, which asks for the keys like any other program.",
    access: "public",
    answers: { 200: page("The console."), ...ourFaults },
  },
  signOut: {
    method: "POST",
    path: "/profile/sign-out",
    summary: "Sign out",
    description: "From our own page only. Clears the cookie.",
    access: "session",
    body: jsonBody(EmptyBody, false),
    answers: { 204: emptyAnswer("Signed out."), ...signedOut, ...pageFaults },
  },
});
