// What the routes of this entrance share: reading a request, calling the model as the router does, and the headers of an answer.
import type { Principal } from "../../capabilities/identity/index.ts";
import {
  type CatalogModel,
  type Invoked,
  type ModelCalls,
  readWaitSeconds,
} from "../../capabilities/model-calls/index.ts";
import { readMaxCredits } from "../../capabilities/prices/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival, HeaderValues, Incoming } from "../../foundation/http/area.ts";
import { readIdempotencyKey } from "../../foundation/http/idempotency-key.ts";
import { readExactJson, writeExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { endUserIn, type Labels, readLabels, tagsOf } from "../../foundation/json/labels.ts";
import { type Endpoint, findMapping, type Mapping } from "./mapping.ts";
import { idHeader } from "./openai-errors.ts";
import { droppedHeader, translateInput } from "./translate-input.ts";

export interface OpenaiDeps {
  authenticate(arrival: Arrival): Principal | Promise<Principal>;
  admitRate(caller: Principal): void | Promise<void>;
  readonly models: Pick<ModelCalls, "requireOpen" | "admit" | "invoke" | "catalogFor" | "listWorks">;
  readonly mappings: readonly Mapping[];
  readonly clock: Clock;
  readonly creditsPerUsd: number;
  // For forms with files; JSON has a smaller limit.
  readonly formBytesMax: number;
}

export type OpenaiRequest = Readonly<Record<string, unknown>>;

export interface OpenaiCall {
  readonly mapping: Mapping;
  readonly model: CatalogModel;
  readonly invoked: Invoked;
  // Cost, replay and what was dropped.
  readonly headers: HeaderValues;
}

// Large prompts with pictures belong in a form or behind a URL.
export const jsonBytesMax = 4 * 1024 * 1024;

// Integers keep their digits, however large.
export async function readRequest(incoming: Incoming<Principal>): Promise<OpenaiRequest> {
  await incoming.json();
  const value = readExactJson((await incoming.bytes()).toString("utf8"));
  if (!isRecord(value)) throw new Fault("invalid_json", "The body must be a JSON object.");
  return value;
}

export async function callModel(
  deps: OpenaiDeps,
  incoming: Incoming<Principal>,
  endpoint: Endpoint,
  request: OpenaiRequest,
): Promise<OpenaiCall> {
  const { caller, requestId, method, path, queryText, signal, rawHeaders } = incoming;
  const named = request["model"];
  if (typeof named !== "string" || named === "")
    throw new Fault("validation_failed", "The request names no model.", {
      details: [{ loc: ["body", "model"], msg: "Field required: an id from /openai/v1/models", type: "missing" }],
    });
  const mapping = findMapping(deps.mappings, endpoint, named);
  const model = await deps.models.admit(caller.workspaceId, `${named}${mapping?.runs ?? ""}`);
  if (mapping === null)
    throw new Fault("model_not_found", `This model is not offered at /openai/v1/${endpoint}. Use /v1/models/${named}.`);
  const { input, dropped } = translateInput(mapping, model.definition.input_schema, request);
  const invoked = await deps.models.invoke({
    caller,
    requestId,
    model,
    bytes: Buffer.from(writeExactJson(input)),
    idempotencyKey: readIdempotencyKey(rawHeaders),
    maxCredits: readMaxCredits(rawHeaders),
    waitSeconds: readWaitSeconds(rawHeaders),
    labels: labelsOf(incoming, request),
    request: { method, path, queryText },
    signal,
    waitsForOthers: () => incoming.waitsForOthers(),
    countsRefusals: true,
    streamed: request["stream"] === true ? "live" : "whole",
  });
  // A chat streams if it is asked to, and always says what it used.
  const isKept = (name: string) => endpoint === "chat/completions" && (name === "stream" || name === "stream_options");
  const lost = dropped.filter((name) => !isKept(name));
  const headers = { ...idHeader(requestId), ...droppedHeader(lost), ...headersOf(invoked, deps.creditsPerUsd) };
  return { mapping, model, invoked, headers };
}

// From our headers, or else from the members in which these clients send the same.
function labelsOf({ caller, rawHeaders }: Incoming<Principal>, request: OpenaiRequest): Labels {
  const bound = caller.kind === "key" ? (caller.token?.endUser ?? null) : null;
  const { tags, endUser } = readLabels(rawHeaders, bound);
  const { user, metadata } = request;
  return {
    tags: tags ?? (isRecord(metadata) ? tagsOf(metadata, "metadata") : null),
    endUser: endUser ?? (typeof user === "string" && user !== "" ? endUserIn(user, bound, "user") : null),
  };
}

function headersOf({ answer, isReplay }: Invoked, creditsPerUsd: number): HeaderValues {
  return {
    ...answer.headers,
    ...costHeaders(answer.headers, creditsPerUsd),
    "cache-control": "no-store",
    ...(isReplay ? { "idempotent-replayed": "true" } : {}),
  };
}

// The cost under the name that other gateways' clients read, in US dollars.
export function costHeaders(
  headers: Readonly<Record<string, string>>,
  creditsPerUsd: number,
): Readonly<Record<string, string>> {
  const used = headers["x-service-credits-used"];
  if (used === undefined) return {};
  const usd = (Number(used) / creditsPerUsd).toFixed(9).replace(/\.?0+$/, "");
  return { "x-service-credits-used": used, "x-litellm-response-cost": usd };
}
