// Two partners as the vendors themselves would speak: asynchronous tasks on real pictures, signed callbacks, faults.
//
// PARTNER-A, base {sandbox}/partner-a, key in the header `X-Partner-A-Api-Key`.
//   POST /v1/ai/image-relight                             → 200 {"data":{"task_id","status":"CREATED","generated":[]}}
//   POST /v1/ai/skin-enhancer/{flexible|creative|faithful} → the same
//   POST /v1/ai/image-upscaler, /v1/ai/image-upscaler-precision-v2, /v1/ai/image-style-transfer → the same
//   GET  /v1/ai/image-relight/{task_id}                   → 200 the same, with the status of now; 404 without a body
//   GET  /v1/ai/skin-enhancer/{task_id}                   → for all three modes
//   GET  /v1/ai/{image-upscaler|image-upscaler-precision-v2|image-style-transfer}/{task_id}
//   CREATED → IN_PROGRESS → COMPLETED | FAILED; `generated` holds addresses (PNG) once COMPLETED.
//   Errors: {"message", "invalid_params":[{"field","reason"}]} with 400, 401, 413, 415, 429, 500, 503.
// PARTNER-B, base {sandbox}/partner-b, key as `Authorization: Bearer`.
//   POST /prompts/text-to-video, /prompts/image-to-video, /prompts/video-to-video → 201 the prompt object, "pending"
//   GET  /prompts/{id}                                    → 200 the prompt object, 404 {"error":{"code","message"}}
//   pending → processing → completed | error. `output_url` (MP4, or animated WebP without ffmpeg) and `error` are absent until they apply;
//   `inference_params` are what was sent, digit for digit, and the defaults of what was not.
//   Films are drawn with at most 480 pixels on the longer side; an MP4 has the asked size all the same, a WebP that one.
//
// PICTURES: base64, a data: URL, or an http URL on loopback (see `origins` in the options); nothing else is dialled.
//   Results have the size of the original, up to 4 megapixels; larger ones are scaled down into that. Enlarged ones have
//   up to 25.3. Films: a data: URL or an address, MP4 (with ffmpeg) or animated WebP, the first 192 frames.
// CALLBACKS: POST to `webhook_url` (http on loopback) on every change after creation. Body: partner-a's task without
//   `data`, partner-b's prompt object. Headers `webhook-id`, `webhook-timestamp` (Unix seconds), `webhook-signature`
//   (`v1,` + base64): HMAC-SHA256 over `{id}.{timestamp}.{raw body}`, the secret as raw UTF-8 bytes, for both partners.
//   A callback keeps its webhook-id over its attempts: four, until a 2xx; redirects are not followed.
// ONE RUN: `X-Request-Reference` counts submissions and runs (GET /v1/references/{reference}, with the task's id) and
//   never joins; `Idempotency-Key` joins: the same key and body give the first task again, another body is 422.
// FAULTS: the header `X-Sandbox-Fault` or the body's member `simulate` (names separated by commas), with
//   `X-Sandbox-Seconds` or `simulate_seconds`; the names are in faults.ts. On a read only the header counts.
//   By hand, with the sandbox's own credential as bearer (see control.ts):
//   POST   /v1/partner-faults {"partner","faults":["stuck"],"seconds"?,"times"?}   for the next calls (default 1 time)
//   DELETE /v1/partner-faults, GET /v1/partner-faults
//   GET    /v1/partner-tasks?reference=…  and  /v1/partner-tasks/{id}              what was seen: sha256, seed, callbacks
//   POST   /v1/partner-tasks/{id} {"to":"running"|"completed"|"failed"}            moves a task that is stuck or held
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Answer, jsonAnswer, send } from "../http/answer.ts";
import { carriesKey } from "../http/loopback-guard.ts";
import { readBody } from "../http/read-body.ts";
import { goneSignal, sleep } from "../http/sleep.ts";
import { faultSecondsMax, joined, parseFaultOrder, readFaultOf } from "./faults.ts";
import { faultAnswer, partnerError } from "./partner-answers.ts";
import type { PartnersDeps } from "./partners.ts";
import { type PartnerSlug, sandboxPartners } from "./sandbox-partners.ts";
import { submitToPartner, wrapped } from "./submit-partner.ts";

// Null if it is not a partner's path.
export function partnerOf(path: string): PartnerSlug | null {
  return path.startsWith("/partner-a/") ? "partner-a" : path.startsWith("/partner-b/") ? "partner-b" : null;
}

export async function handlePartner(
  deps: PartnersDeps,
  request: IncomingMessage,
  response: ServerResponse,
  partner: PartnerSlug,
  path: string,
): Promise<void> {
  if (!carriesKey(request, sandboxPartners[partner].credential, deps.keys[partner]))
    return send(response, partnerError(partner, 401, "unauthorized", "The key is missing or wrong."));
  const inner = path.slice(sandboxPartners[partner].basePath.length);
  const operation = sandboxPartners[partner].operations.find(({ submitPath }) => submitPath === inner);
  if (operation && request.method === "POST") {
    const signal = goneSignal(response, deps.closing);
    const body = await readBody(request);
    if (!Buffer.isBuffer(body))
      return send(response, {
        ...partnerError(partner, body.status, "invalid_request", "The body cannot be read."),
        headers: { Connection: "close" },
      });
    return submitToPartner(deps, { partner, operation, request, response, body, signal });
  }
  const read = sandboxPartners[partner].operations.find(({ readPath }) => idIn(readPath, inner) !== null);
  if (read && (request.method === "GET" || request.method === "HEAD"))
    return readTask(deps, request, response, partner, read.readPath, idIn(read.readPath, inner) ?? "");
  const answer = operation
    ? partnerError(partner, 405, "method_not_allowed", "Use POST.")
    : partnerError(partner, 404, "not_found", "There is nothing here.");
  send(response, answer);
}

function idIn(readPath: string, path: string): string | null {
  const before = readPath.slice(0, -"{task_id}".length);
  const id = path.startsWith(before) ? path.slice(before.length) : "";
  return id !== "" && !id.includes("/") ? id : null;
}

async function readTask(
  deps: PartnersDeps,
  request: IncomingMessage,
  response: ServerResponse,
  partner: PartnerSlug,
  readPath: string,
  id: string,
): Promise<void> {
  const own = parseFaultOrder(request.headers["x-sandbox-fault"], request.headers["x-sandbox-seconds"]);
  if (own === null) return send(response, partnerError(partner, 400, "unknown_fault", "There is no such fault."));
  const order = joined(own, deps.desk.take(partner, true));
  const fault = readFaultOf(order);
  const gone = goneSignal(response, deps.closing);
  if (fault === "read_reset") return void response.req.socket.resetAndDestroy();
  if (fault === "read_hang") {
    await sleep(order.seconds ?? faultSecondsMax, gone);
    return void response.req.socket.destroy();
  }
  const spoilt = fault === null ? null : faultAnswer(partner, fault, order.seconds);
  const task = deps.tasks.find(partner, id);
  const isOfTool =
    task &&
    sandboxPartners[partner].operations.some((known) => known.name === task.tool && known.readPath === readPath);
  if (task) task.reads += 1;
  const notFound: Answer =
    partner === "partner-a"
      ? { status: 404, contentType: "application/json", body: new Uint8Array() }
      : partnerError(partner, 404, "not_found", "There is no such prompt.");
  const found = task && isOfTool ? jsonAnswer(200, wrapped(task)) : notFound;
  send(response, spoilt ?? (fault === "read_not_found" ? notFound : found), request.method === "HEAD");
}
