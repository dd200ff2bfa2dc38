// The partner proxy: tasks at partner-a, prompts at partner-b, and the storage hand-off for large images. Decisions, section 4:
// never 409 here. A key reused with another body is 400; a request in flight with the same key is joined.
import { Type } from "typebox";
import { headerName } from "../headers.ts";
import { operationTable } from "../operation.ts";
import { StorageRequest, StorageTicket } from "../operators/storage.ts";
import {
  PartnerATaskResult,
  RelightRequest,
  SkinEnhancerCreativeRequest,
  SkinEnhancerFaithfulRequest,
  SkinEnhancerFlexibleRequest,
} from "../partners/partner-a.ts";
import { ImageToVideoRequest, PartnerBPrompt, TextToVideoRequest } from "../partners/partner-b.ts";
import { answer, genericFault, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const startHeaders = Type.Object({
  [headerName.idempotencyKey]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[!-~]+$",
      description:
        "A retry with the same key returns the same task. If the task was refused before the partner accepted it, the key can be used again.",
    }),
  ),
  [headerName.jobId]: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
const taskId = Type.Object({ task_id: Type.String({ minLength: 1, description: "The task's id." }) });
const promptId = Type.Object({ prompt_id: Type.String({ minLength: 1, description: "The prompt's id." }) });
const replayed = [headerName.idempotentReplayed];

const taskStarted = answer(PartnerATaskResult, "The task was started.", replayed);
const taskRead = answer(PartnerATaskResult, "The task.");
const promptCreated = answer(PartnerBPrompt, "The prompt was accepted.", replayed);

// Operations need a key unless they say otherwise.
const common = { tag: tags.partnerProxy, access: "key", refusals: genericFault } as const;

export const partnerProxyOperations = operationTable(common, {
  relightImage: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/image-relight",
    summary: "Relight an image",
    headers: startHeaders,
    body: jsonBody(RelightRequest),
    answers: { 200: taskStarted, ...genericFaults(402, 404, 502, 504) },
  },
  getRelightTask: {
    method: "GET",
    path: "/proxy/partner-a/v1/ai/image-relight/{task_id}",
    summary: "Read a relight task",
    params: taskId,
    answers: { 200: taskRead, ...genericFaults(502, 504) },
  },
  enhanceSkinFlexible: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/flexible",
    summary: "Enhance skin, flexible mode",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerFlexibleRequest),
    answers: { 200: taskStarted, ...genericFaults(402, 404, 502, 504) },
  },
  enhanceSkinCreative: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/creative",
    summary: "Enhance skin, creative mode",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerCreativeRequest),
    answers: { 200: taskStarted, ...genericFaults(402, 404, 502, 504) },
  },
  enhanceSkinFaithful: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/faithful",
    summary: "Enhance skin, faithful mode",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerFaithfulRequest),
    answers: { 200: taskStarted, ...genericFaults(402, 404, 502, 504) },
  },
  getSkinEnhancerTask: {
    method: "GET",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/{task_id}",
    summary: "Read a skin enhancer task, in any mode",
    params: taskId,
    answers: { 200: taskRead, ...genericFaults(502, 504) },
  },
  createTextToVideoPrompt: {
    method: "POST",
    path: "/proxy/partner-b/prompts/text-to-video",
    summary: "Make a video from text",
    headers: startHeaders,
    body: jsonBody(TextToVideoRequest),
    answers: { 201: promptCreated, ...genericFaults(402, 404, 502, 504) },
  },
  createImageToVideoPrompt: {
    method: "POST",
    path: "/proxy/partner-b/prompts/image-to-video",
    summary: "Make a video from an image",
    headers: startHeaders,
    body: jsonBody(ImageToVideoRequest),
    answers: { 201: promptCreated, ...genericFaults(402, 404, 502, 504) },
  },
  getPrompt: {
    method: "GET",
    path: "/proxy/partner-b/prompts/{prompt_id}",
    summary: "Read a prompt",
    params: promptId,
    answers: { 200: answer(PartnerBPrompt, "The prompt."), ...genericFaults(502, 504) },
  },
  receivePartnerCallback: {
    method: "POST",
    path: "/callbacks/{partner}/{task_id}/{token}",
    summary: "Receive a partner's task notification",
    description:
      "For partners only: the server creates and signs the URL, and the partner signs the body. Clients never call this.",
    access: "public",
    params: Type.Object({
      partner: Type.String({ minLength: 1, maxLength: 64, description: "The partner's name." }),
      task_id: Type.String({ minLength: 1, description: "The task's id." }),
      token: Type.String({ minLength: 1, maxLength: 128, description: "The server's signature of this URL." }),
    }),
    body: jsonBody(Type.Unknown({ description: "The partner's message." })),
    answers: { 200: answer(Type.Object({}), "Accepted."), ...genericFaults(403) },
    notRefusedWith: [429],
  },
  createStorageTicket: {
    method: "POST",
    path: "/customers/storage",
    summary: "Get an upload URL for a partner file",
    description: "PUT the bytes to upload_url, then pass download_url to the partner operation.",
    body: jsonBody(StorageRequest),
    answers: { 200: answer(StorageTicket, "Where to upload the file and where to download it.") },
  },
});
