// A workspace's account: the caller, its keys with their caps, its queue, credits and usage.
import { Type } from "typebox";
import { CreditBalance, CreditLinePage, CreditLineQuery, KeyCaps, SetKeyCaps } from "../account/credits.ts";
import { UsageDayList, UsageDaysQuery, UsageExportQuery, UsagePage, UsageQuery } from "../account/usage.ts";
import {
  Account,
  AccountKey,
  AccountKeyList,
  AccountQueue,
  CreatedAccountKey,
  CreateKey,
  RotateKey,
  SetAccountQueue,
} from "../account-operations.ts";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { Uuid } from "../wire-values.ts";
import { answer, emptyAnswer, genericFaults, jsonBody, rawAnswer } from "./answers.ts";
import { tags } from "./tags.ts";

const keyId = Type.Object({ keyId: Uuid });

const read = genericFaults(401, 403, 429, 500, 503);
const write = { ...genericFaults(400, 413), ...read };
const oneOf = genericFaults(404);

// Operations need a key unless they say otherwise.
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
});
