// The calls of OpenAI-shaped clients. Each is translated, made as the router makes it, and translated back.
import { Readable } from "node:stream";
import type { Principal } from "../../capabilities/identity/index.ts";
import { eventStreamType, isEventStream, valueAt } from "../../capabilities/providers/index.ts";
import type { Answer, BytesAnswer, Incoming, Route } from "../../foundation/http/area.ts";
import { readForeignJson } from "../../foundation/json/foreign-json.ts";
import { type ChatStream, chatStream, wholeAsChunks } from "./chat-stream.ts";
import type { Endpoint } from "./mapping.ts";
import {
  callModel,
  costHeaders,
  jsonBytesMax,
  type OpenaiCall,
  type OpenaiDeps,
  type OpenaiRequest,
  readRequest,
} from "./openai-caller.ts";
import { openaiRefusal } from "./openai-errors.ts";
import { openaiOperations } from "./openai-operations.ts";
import { readForm } from "./read-form.ts";
import { completionOf, imagesAnswer } from "./translate-answer.ts";

export function createOpenaiImageRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.createOpenaiImage,
    bodyBytesMax: jsonBytesMax,
    handle: async (incoming) => pictures(deps, incoming, "images/generations", await readRequest(incoming)),
  };
}

export function editOpenaiImageRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.editOpenaiImage,
    bodyBytesMax: deps.formBytesMax,
    handle: async (incoming) => pictures(deps, incoming, "images/edits", await readForm(incoming)),
  };
}

export function varyOpenaiImageRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.varyOpenaiImage,
    bodyBytesMax: deps.formBytesMax,
    handle: async (incoming) => pictures(deps, incoming, "images/variations", await readForm(incoming)),
  };
}

export function createOpenaiSpeechRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.createOpenaiSpeech,
    bodyBytesMax: jsonBytesMax,
    async handle(incoming) {
      const call = await callModel(deps, incoming, "audio/speech", await readRequest(incoming));
      return refusalOf(call) ?? { status: 200, headers: call.headers, body: call.invoked.answer.body };
    },
  };
}

export function completeOpenaiChatRoute(deps: OpenaiDeps): Route<Principal> {
  return {
    operation: openaiOperations.completeOpenaiChat,
    bodyBytesMax: jsonBytesMax,
    async handle(incoming) {
      const request = await readRequest(incoming);
      const call = await callModel(deps, incoming, "chat/completions", request);
      const refusal = refusalOf(call);
      if (refusal !== null) return refusal;
      const head = { id: `chatcmpl-${incoming.requestId}`, created: seconds(deps), model: String(request["model"]) };
      const wantsUsage = valueAt(request, "/stream_options/include_usage") === true;
      const chat: ChatStream = { head, answer: call.mapping.answer, wantsUsage };
      return request["stream"] === true ? streamed(deps, call, chat) : completed(call, chat);
    },
  };
}

const seconds = ({ clock }: OpenaiDeps) => Math.floor(clock.now().getTime() / 1000);

function refusalOf({ invoked: { answer }, headers }: OpenaiCall): BytesAnswer | null {
  return answer.status === 200 ? null : openaiRefusal(answer.status, headers, answer.body.toString("utf8"));
}

async function pictures(
  deps: OpenaiDeps,
  incoming: Incoming<Principal>,
  endpoint: Endpoint,
  request: OpenaiRequest,
): Promise<Answer> {
  const call = await callModel(deps, incoming, endpoint, request);
  const refusal = refusalOf(call);
  if (refusal !== null) return refusal;
  const { answer } = call.mapping;
  if (answer.kind !== "pictures") return request["stream"] === true ? events(deps, call) : asItIs(call);
  const document = readForeignJson(call.invoked.answer.body);
  return json(call, imagesAnswer(document, answer.at, seconds(deps)));
}

function completed(call: OpenaiCall, { head, answer }: ChatStream): BytesAnswer {
  if (answer.kind !== "text") return asItIs(call);
  return json(call, completionOf(head, answer, readForeignJson(call.invoked.answer.body)));
}

function streamed(deps: OpenaiDeps, call: OpenaiCall, chat: ChatStream): BytesAnswer {
  const { answer, live } = call.invoked;
  if (live || isEventStream(answer.headers["content-type"])) return events(deps, call, chat);
  const document = readForeignJson(answer.body);
  const completion = chat.answer.kind === "text" ? completionOf(chat.head, chat.answer, document) : document;
  return eventAnswer(call, Readable.from(wholeAsChunks(completion, chat), { objectMode: false }));
}

// Without a chat the events pass as they are; only an error at their end is respelled.
function events(deps: OpenaiDeps, call: OpenaiCall, chat: ChatStream = ownEvents): BytesAnswer {
  const { answer, live } = call.invoked;
  const body = Readable.from(chatStream(live?.body ?? [answer.body], chat), { objectMode: false });
  const sent = eventAnswer(call, body);
  return live ? { ...sent, trailers: () => costHeaders(live.trailers(), deps.creditsPerUsd) } : sent;
}

const ownEvents: ChatStream = {
  head: { id: "", created: 0, model: "" },
  answer: { kind: "own" },
  wantsUsage: false,
};

function eventAnswer({ headers }: OpenaiCall, body: Readable): BytesAnswer {
  return { status: 200, headers: { ...headers, "content-type": eventStreamType }, body };
}

function asItIs({ invoked, headers }: OpenaiCall): BytesAnswer {
  return { status: 200, headers, body: invoked.answer.body };
}

function json({ headers }: OpenaiCall, value: unknown): BytesAnswer {
  const type = { "content-type": "application/json; charset=utf-8" };
  return { status: 200, headers: { ...headers, ...type }, body: JSON.stringify(value) };
}
