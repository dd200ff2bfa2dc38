// A workspace's account: the caller, its keys with their caps, its queue, credits and usage.
import { Type } from "typebox";
import { KeyLimits, SetCallLimits } from "../account/call-limits.ts";
import { CreditBalance, CreditLinePage, CreditLineQuery, KeyCaps, SetKeyCaps } from "../account/credits.ts";
import { UsageDayList, UsageDaysQuery, UsageExportQuery, UsagePage, UsageQuery } from "../account/usage.ts";
import {
  Account,
  AccountKey,
  AccountKeyList,
  AccountQueue,
  CreatedAccountKey,
  CreateKey,
  CreateServiceAccount,
  RemovedServiceAccount,
  RotateKey,
  ServiceAccount,
  ServiceAccountList,
  SetAccountQueue,
  UpdateKey,
} from "../account-operations.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, ofAccount, rawAnswer } from "./answers.ts";

const keyId = Type.Object({ keyId: Uuid });

export const accountOperations = operationTable(ofAccount, {
  getAccount: {
    method: "GET",
    path: "/account",
    summary: "Get the caller",
    description: "Works with every key, regardless of scopes.",
    answers: { 200: answer(Account, "The caller.") },
  },
  listKeys: {
    method: "GET",
    path: "/account/keys",
    summary: "List the workspace's API keys",
    answers: { 200: answer(AccountKeyList, "The keys. Secrets are not included.") },
  },
  createKey: {
    method: "POST",
    path: "/account/keys",
    role: "viewer",
    summary: "Create an API key",
    description: "The key is only shown in this response. It never has more access than its creator.",
    body: jsonBody(CreateKey),
    answers: { 201: answer(CreatedAccountKey, "The new key.", [headerName.cacheControl]) },
  },
  revokeKey: {
    method: "DELETE",
    path: "/account/keys/{keyId}",
    role: "viewer",
    summary: "Revoke an API key",
    description: "Takes effect everywhere within five seconds. Revoking a revoked key changes nothing.",
    params: keyId,
    answers: { 200: answer(AccountKey, "The revoked key.") },
  },
  updateKey: {
    method: "PATCH",
    path: "/account/keys/{keyId}",
    role: "viewer",
    summary: "Rename an API key",
    description: "Owners rename any key, others the keys they created. Nothing else about the key changes.",
    params: keyId,
    body: jsonBody(UpdateKey),
    answers: { 200: answer(AccountKey, "The renamed key.") },
  },
  rotateKey: {
    method: "POST",
    path: "/account/keys/{keyId}/rotation",
    role: "viewer",
    summary: "Rotate an API key",
    description:
      "The new key keeps the name, scopes, expiry and caps of the old one and is only shown in this response. The old key keeps working during the overlap.",
    params: keyId,
    body: jsonBody(RotateKey, false),
    answers: { 201: answer(CreatedAccountKey, "The new key.", [headerName.cacheControl]), ...genericFaults(409) },
  },
  getKeyCaps: {
    method: "GET",
    path: "/account/keys/{keyId}/caps",
    summary: "Get a key's spending caps",
    params: keyId,
    answers: { 200: answer(KeyCaps, "The caps and the spending that counts against them.") },
  },
  setKeyCaps: {
    method: "PUT",
    path: "/account/keys/{keyId}/caps",
    role: "billing",
    summary: "Set a key's spending caps",
    description:
      "Owners only. Takes effect everywhere within 5 seconds. A call that could exceed a cap gets a 402 that names the cap.",
    params: keyId,
    body: jsonBody(SetKeyCaps),
    answers: { 200: answer(KeyCaps, "The updated caps.") },
  },
  getKeyLimits: {
    method: "GET",
    path: "/account/keys/{keyId}/limits",
    summary: "Get how many calls a key may make",
    params: keyId,
    answers: { 200: answer(KeyLimits, "The limits, and how many calls are open.") },
  },
  setKeyLimits: {
    method: "PUT",
    path: "/account/keys/{keyId}/limits",
    role: "owner",
    summary: "Limit how many calls a key may make",
    description:
      "Owners only. Counts calls to models and works and tasks at partners, of the key and of all tokens made from it, exactly and over all gateways. A call above gets a 429 with Retry-After that names the limit: rate_limited or concurrency_limit_exceeded.",
    params: keyId,
    body: jsonBody(SetCallLimits),
    answers: { 200: answer(KeyLimits, "The new limits.") },
  },
  listServiceAccounts: {
    method: "GET",
    path: "/account/service-accounts",
    summary: "List the workspace's service accounts",
    answers: { 200: answer(ServiceAccountList, "The service accounts.") },
  },
  createServiceAccount: {
    method: "POST",
    path: "/account/service-accounts",
    role: "owner",
    summary: "Create a service account",
    description:
      "Owners only. A program with a name of its own: it has a role and keys, cannot sign in, and stays when people leave. Make its keys with service_account_id. Names are unique in the workspace.",
    body: jsonBody(CreateServiceAccount),
    answers: { 201: answer(ServiceAccount, "The new service account."), ...genericFaults(409) },
  },
  deleteServiceAccount: {
    method: "DELETE",
    path: "/account/service-accounts/{accountId}",
    role: "owner",
    summary: "Remove a service account",
    description: "Owners only. Revokes its keys.",
    params: Type.Object({ accountId: Uuid }),
    answers: { 200: answer(RemovedServiceAccount, "Removed.") },
  },
  deleteJobOutput: {
    method: "DELETE",
    path: "/account/jobs/{jobId}/outputs/{assetId}",
    summary: "Delete a job output",
    description:
      "The job must have ended; it no longer lists the output. Returns 409 while the job runs or if another job needs the asset. To keep an output longer than its job, create an asset from its hash.",
    params: Type.Object({ jobId: Uuid, assetId: Uuid }),
    answers: { 204: emptyAnswer("Deleted."), ...genericFaults(409) },
  },
  getAccountQueue: {
    method: "GET",
    path: "/account/queue",
    summary: "Get the state of the workspace's job queue",
    answers: { 200: answer(AccountQueue, "The queue.") },
  },
  setAccountQueue: {
    method: "PUT",
    path: "/account/queue",
    role: "owner",
    summary: "Pause or resume the workspace's job queue",
    description:
      "Owners only. While paused, submissions are accepted and wait, running jobs continue, and no worker in any pool starts a job of the workspace. Jobs still expire. The pause is in force everywhere once this call returns. Model calls and partner tasks are not affected.",
    body: jsonBody(SetAccountQueue),
    answers: { 200: answer(AccountQueue, "The updated queue.") },
  },
  getCredits: {
    method: "GET",
    path: "/account/credits",
    summary: "Get the workspace's credit balance",
    answers: { 200: answer(CreditBalance, "The balance.") },
  },
  listCreditLines: {
    method: "GET",
    path: "/account/credits/lines",
    summary: "List the workspace's credit journal",
    description:
      "Every change to the workspace's credits, newest first. With transaction_id: every line of that one call or transfer.",
    query: CreditLineQuery,
    answers: { 200: answer(CreditLinePage, "One page.") },
  },
  listUsage: {
    method: "GET",
    path: "/account/usage",
    summary: "List the workspace's usage",
    description: "Newest first. All filters must match; `from` is inclusive, `to` is exclusive.",
    query: UsageQuery,
    answers: { 200: answer(UsagePage, "One page.") },
  },
  sumUsage: {
    method: "GET",
    path: "/account/usage/daily",
    summary: "Get the workspace's usage per day",
    query: UsageDaysQuery,
    answers: { 200: answer(UsageDayList, "The days.") },
  },
  exportUsage: {
    method: "GET",
    path: "/account/usage/export",
    summary: "Export the workspace's usage as a file",
    description:
      "text/csv, or application/x-ndjson with format=jsonl; newest row first. In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe. If the export fails part way, the server drops the connection.",
    query: UsageExportQuery,
    answers: {
      200: {
        ...rawAnswer("text/csv", "The rows.", [headerName.cacheControl, headerName.contentDisposition]),
        otherContentTypes: ["application/x-ndjson"],
      },
    },
  },
});
