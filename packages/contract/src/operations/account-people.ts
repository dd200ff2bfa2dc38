// Workspaces and their members, and the browsers where a person is signed in.
import { Type } from "typebox";
import { Workspace } from "../account/account.ts";
import { RequestBodyKeeping, SetRequestBodyKeeping } from "../account/request-bodies.ts";
import { Retention, RetentionEstimate, SetRetention } from "../account/retention.ts";
import { MoveWorkspace, WorkspaceMove } from "../account/workspace-move.ts";
import {
  AccountMember,
  AccountMemberList,
  AccountSessionList,
  AddedMember,
  AddMember,
  ChooseWorkspace,
  EndedSessions,
  ErasedPerson,
  ErasePersonQuery,
  InviteAgain,
  NameWorkspace,
  PersonalData,
  RemovedMember,
  SignInLink,
  UpdateMember,
  WorkspaceList,
} from "../account-operations.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount } from "./answers.ts";

const workspaceId = Type.Object({ workspaceId: Uuid });
const memberIds = Type.Object({ workspaceId: Uuid, personId: Uuid });

export const accountPeopleOperations = operationTable(ofAccount, {
  listWorkspaces: {
    method: "GET",
    path: "/account/workspaces",
    summary: "List the caller's workspaces",
    answers: { 200: answer(WorkspaceList, "The workspaces.") },
  },
  createWorkspace: {
    method: "POST",
    path: "/account/workspaces",
    role: "viewer",
    summary: "Create a workspace",
    description: "Only for people, not for keys: a workspace needs an owner.",
    body: jsonBody(NameWorkspace),
    answers: { 201: answer(Workspace, "The new workspace.") },
  },
  updateWorkspace: {
    method: "PATCH",
    path: "/account/workspaces/{workspaceId}",
    role: "owner",
    summary: "Rename a workspace",
    params: workspaceId,
    body: jsonBody(NameWorkspace),
    answers: { 200: answer(Workspace, "The updated workspace.") },
  },
  getRequestBodyKeeping: {
    method: "GET",
    path: "/account/workspaces/{workspaceId}/request-bodies",
    summary: "Get whether a workspace keeps the inputs and answers of its model calls",
    params: workspaceId,
    answers: { 200: answer(RequestBodyKeeping, "The setting.", [headerName.cacheControl]) },
  },
  setRequestBodyKeeping: {
    method: "PUT",
    path: "/account/workspaces/{workspaceId}/request-bodies",
    role: "owner",
    summary: "Keep the inputs and answers of a workspace's model calls, or stop",
    description:
      "Owners only. Off by default. What is kept is encrypted, without secrets and files, and every member of the workspace who sees its requests can read it. Turning it off deletes everything that is kept. The operator bounds the time, and can forbid it: then turning it on is refused with 403.",
    params: workspaceId,
    body: jsonBody(SetRequestBodyKeeping),
    answers: { 200: answer(RequestBodyKeeping, "The new setting.", [headerName.cacheControl]) },
  },
  getRetention: {
    method: "GET",
    path: "/account/workspaces/{workspaceId}/retention",
    summary: "Get how long a workspace keeps its files and its history",
    params: workspaceId,
    answers: { 200: answer(Retention, "The setting.", [headerName.cacheControl]) },
  },
  setRetention: {
    method: "PUT",
    path: "/account/workspaces/{workspaceId}/retention",
    role: "owner",
    summary: "Set how long a workspace keeps its files and its history",
    description:
      "Owners only. What is older is deleted for good, from a day after the change on. The operator bounds the days. The journal and the lines of usage stay, without tags and end users. Inputs and answers of model calls have their own setting.",
    params: workspaceId,
    body: jsonBody(SetRetention),
    answers: { 200: answer(Retention, "The new setting.", [headerName.cacheControl]) },
  },
  estimateRetention: {
    method: "POST",
    path: "/account/workspaces/{workspaceId}/retention/estimate",
    role: "viewer",
    summary: "Count what a workspace would delete with other days",
    params: workspaceId,
    body: jsonBody(SetRetention),
    answers: { 200: answer(RetentionEstimate, "The counts.", [headerName.cacheControl]) },
  },
  getWorkspaceMove: {
    method: "GET",
    path: "/account/workspaces/{workspaceId}/move",
    role: "owner",
    summary: "Get whether a workspace is here, moving or moved",
    params: workspaceId,
    answers: { 200: answer(WorkspaceMove, "Where it is.", [headerName.cacheControl]) },
  },
  moveWorkspace: {
    method: "PUT",
    path: "/account/workspaces/{workspaceId}/move",
    role: "owner",
    freshSignIn: "always",
    summary: "Move a workspace to another server",
    description:
      "From now on it takes no new work here: such calls answer 403 workspace_moved with the new address. With is_done, everything but this operation does. Returns 409 for is_done while anything still runs.",
    params: workspaceId,
    body: jsonBody(MoveWorkspace),
    answers: { 200: answer(WorkspaceMove, "Where it is.", [headerName.cacheControl]), ...genericFaults(409) },
  },
  undoWorkspaceMove: {
    method: "DELETE",
    path: "/account/workspaces/{workspaceId}/move",
    role: "owner",
    summary: "Keep a workspace here after all",
    description: "Only while nothing was changed on the other server: from now on, work is taken here again.",
    params: workspaceId,
    answers: { 200: answer(WorkspaceMove, "Where it is.", [headerName.cacheControl]) },
  },
  listMembers: {
    method: "GET",
    path: "/account/workspaces/{workspaceId}/members",
    summary: "List the members of a workspace",
    params: workspaceId,
    answers: { 200: answer(AccountMemberList, "The members.") },
  },
  addMember: {
    method: "POST",
    path: "/account/workspaces/{workspaceId}/members",
    role: "owner",
    summary: "Add a member to a workspace",
    params: workspaceId,
    body: jsonBody(AddMember),
    answers: { 201: answer(AddedMember, "The new member."), ...genericFaults(409) },
  },
  inviteMemberAgain: {
    method: "POST",
    path: "/account/workspaces/{workspaceId}/members/{personId}/sign-in-link",
    role: "owner",
    summary: "Create a new sign-in link for a member who has never signed in",
    description:
      "The person's earlier links stop working. Returns 409 if the person has signed in before or also belongs to another workspace.",
    params: memberIds,
    body: jsonBody(InviteAgain),
    answers: { 201: answer(SignInLink, "The new link."), ...genericFaults(409) },
  },
  updateMember: {
    method: "PATCH",
    path: "/account/workspaces/{workspaceId}/members/{personId}",
    role: "owner",
    freshSignIn: "for_owners",
    summary: "Change a member's role",
    description: "The last owner cannot be demoted (409).",
    params: memberIds,
    body: jsonBody(UpdateMember),
    answers: { 200: answer(AccountMember, "The updated member."), ...genericFaults(409) },
  },
  removeMember: {
    method: "DELETE",
    path: "/account/workspaces/{workspaceId}/members/{personId}",
    role: "viewer",
    freshSignIn: "for_owners",
    summary: "Remove a member from a workspace",
    description: "Also revokes the person's keys unless keep_keys is true. The last owner cannot be removed (409).",
    params: memberIds,
    query: Type.Object({ keep_keys: Type.Optional(Type.Boolean({ description: "Keep the person's keys working." })) }),
    answers: { 200: answer(RemovedMember, "Removed."), ...genericFaults(409, 413) },
  },
  exportPerson: {
    method: "GET",
    path: "/account/person",
    summary: "Export everything about yourself",
    description: "Only for people, not for keys. There may be more lists than are described.",
    answers: { 200: answer(PersonalData, "Your data.", [headerName.cacheControl]) },
  },
  erasePerson: {
    method: "DELETE",
    path: "/account/person",
    role: "viewer",
    freshSignIn: "always",
    summary: "Erase yourself",
    description:
      "Only for people, not for keys. Cannot be undone. Ends your sessions, memberships and keys, and removes your name and address everywhere; the books and the audit go on under a pseudonym. The only owner of a workspace has to make another one first (409).",
    query: ErasePersonQuery,
    answers: { 200: answer(ErasedPerson, "Erased.", [headerName.cacheControl]), ...genericFaults(404, 409) },
  },
  listSessions: {
    method: "GET",
    path: "/account/sessions",
    summary: "List the caller's browser sessions",
    description: "Only for people, not for keys.",
    answers: { 200: answer(AccountSessionList, "The active sessions.") },
  },
  endSession: {
    method: "DELETE",
    path: "/account/sessions/{sessionId}",
    role: "viewer",
    summary: "Sign out one browser",
    description:
      "Only for people, not for keys. The caller's own session may be ended too; its cookie is cleared. Identity tokens issued from the session stop working everywhere within a second.",
    params: Type.Object({ sessionId: Uuid }),
    answers: { 204: emptyAnswer("Ended.") },
  },
  endOtherSessions: {
    method: "DELETE",
    path: "/account/sessions",
    role: "viewer",
    summary: "Sign out all other browsers",
    description:
      "Only for people, not for keys. Tokens issued from those sessions stop working everywhere within a second.",
    answers: { 200: answer(EndedSessions, "Ended.") },
  },
  chooseSessionWorkspace: {
    method: "PUT",
    path: "/account/session",
    role: "viewer",
    summary: "Switch the browser session to another workspace",
    description: "Needs a signed-in browser. Tokens it gets from then on are for this workspace.",
    access: "session",
    body: jsonBody(ChooseWorkspace),
    answers: { 200: answer(Workspace, "The workspace."), ...genericFaults(404) },
  },
});
