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
import { answer, genericFaults, jsonBody } from "./answers.ts";
import { tags } from "./tags.ts";

const startHeaders = Type.Object({
  [headerName.idempotencyKey]: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: "^[!-~]+$",
      description:
        "A retry under the same key is the same task. The key is free again where the task was refused before the partner took it.",
    }),
  ),
  [headerName.jobId]: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
});
const taskId = Type.Object({ task_id: Type.String({ minLength: 1, description: "The task's id." }) });
const promptId = Type.Object({ prompt_id: Type.String({ minLength: 1, description: "The prompt's id." }) });
const replayed = [headerName.idempotentReplayed];

const readFaults = genericFaults(401, 403, 404, 429, 500, 502, 503, 504);
const startFaults = { ...genericFaults(400, 402, 413), ...readFaults };
const taskStarted = answer(PartnerATaskResult, "The task has begun.", replayed);
const taskRead = answer(PartnerATaskResult, "The task as it is now.");
const promptCreated = answer(PartnerBPrompt, "The prompt was taken.", replayed);

// Operations need a key unless they say otherwise.
const common = { tag: tags.partnerProxy, access: "key" } as const;

export const partnerProxyOperations = operationTable(common, {
  relightImage: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/image-relight",
    summary: "Relight an image",
    headers: startHeaders,
    body: jsonBody(RelightRequest),
    answers: { 200: taskStarted, ...startFaults },
  },
  getRelightTask: {
    method: "GET",
    path: "/proxy/partner-a/v1/ai/image-relight/{task_id}",
    summary: "Read a relight task",
    params: taskId,
    answers: { 200: taskRead, ...readFaults },
  },
  enhanceSkinFlexible: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/flexible",
    summary: "Enhance skin towards a chosen aim",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerFlexibleRequest),
    answers: { 200: taskStarted, ...startFaults },
  },
  enhanceSkinCreative: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/creative",
    summary: "Enhance skin with a free hand",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerCreativeRequest),
    answers: { 200: taskStarted, ...startFaults },
  },
  enhanceSkinFaithful: {
    method: "POST",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/faithful",
    summary: "Enhance skin close to the original",
    headers: startHeaders,
    body: jsonBody(SkinEnhancerFaithfulRequest),
    answers: { 200: taskStarted, ...startFaults },
  },
  getSkinEnhancerTask: {
    method: "GET",
    path: "/proxy/partner-a/v1/ai/skin-enhancer/{task_id}",
    summary: "Read a skin enhancer task of any mode",
    params: taskId,
    answers: { 200: taskRead, ...readFaults },
  },
  createTextToVideoPrompt: {
    method: "POST",
    path: "/proxy/partner-b/prompts/text-to-video",
    summary: "Make a video of a text",
    headers: startHeaders,
    body: jsonBody(TextToVideoRequest),
    answers: { 201: promptCreated, ...startFaults },
  },
  createImageToVideoPrompt: {
    method: "POST",
    path: "/proxy/partner-b/prompts/image-to-video",
    summary: "Make a video of an image",
    headers: startHeaders,
    body: jsonBody(ImageToVideoRequest),
    answers: { 201: promptCreated, ...startFaults },
  },
  getPrompt: {
    method: "GET",
    path: "/proxy/partner-b/prompts/{prompt_id}",
    summary: "Read a prompt",
    params: promptId,
    answers: { 200: answer(PartnerBPrompt, "The prompt as it is now."), ...readFaults },
  },
  receivePartnerCallback: {
    method: "POST",
    path: "/callbacks/{partner}/{task_id}/{token}",
    summary: "Take a partner's word about a task",
    description:
      "For partners: the address is made by us and signed, and the body is signed by the partner. Callers have no use for it.",
    access: "public",
    params: Type.Object({
      partner: Type.String({ minLength: 1, maxLength: 64, description: "The partner's name." }),
      task_id: Type.String({ minLength: 1, description: "The task's id." }),
      token: Type.String({ minLength: 1, maxLength: 128, description: "Our signature of this address." }),
    }),
    body: jsonBody(Type.Unknown({ description: "What the partner says." })),
    answers: { 200: answer(Type.Object({}), "It was taken."), ...genericFaults(400, 403, 404, 413, 500, 503) },
  },
  createStorageTicket: {
    method: "POST",
    path: "/customers/storage",
    summary: "Ask where to put a file for a partner",
    description: "PUT the bytes to upload_url, then hand download_url to the partner operation.",
    body: jsonBody(StorageRequest),
    answers: {
      200: answer(StorageTicket, "Where to put the file and where to find it."),
      ...genericFaults(400, 401, 403, 413, 429, 500, 503),
    },
  },
});
