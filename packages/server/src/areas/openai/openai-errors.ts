// Errors as OpenAI-shaped clients read them: {error: {message, type, param, code}}. Status, bucket header and Retry-After stay
// those of the router, except that an input that cannot be used is 400.
import { routerAnswer } from "../../capabilities/model-calls/index.ts";
import type { Fault } from "../../foundation/fault.ts";
import type { BytesAnswer, Envelope, HeaderValues } from "../../foundation/http/area.ts";
import { isRecord } from "../../foundation/json/json-record.ts";

export interface OpenaiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string | null;
}

export const openaiEnvelope: Envelope = (fault: Fault, { requestId }) => {
  const { status, headers, body } = routerAnswer(fault);
  return openaiRefusal(status, { ...headers, ...idHeader(requestId) }, body);
};

// Their clients show this id with every failure.
export const idHeader = (requestId: string) => ({ "x-request-id": requestId });

// The router's error answer in their shape.
export function openaiRefusal(status: number, headers: HeaderValues, body: string): BytesAnswer {
  const kept = Object.entries(headers).filter(([name]) => name !== "content-type" && name !== "content-length");
  return {
    status: status === 422 ? 400 : status,
    headers: {
      ...Object.fromEntries(kept),
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
    },
    body: JSON.stringify({ error: openaiError(status, body) }),
  };
}

export function openaiError(status: number, body: string): OpenaiError {
  const read = jsonOf(body);
  const detail = isRecord(read) ? read["detail"] : null;
  const bucket = isRecord(read) && typeof read["error_type"] === "string" ? read["error_type"] : null;
  const [first] = Array.isArray(detail) ? detail : [];
  const param = isRecord(first) && Array.isArray(first["loc"]) ? first["loc"].slice(1).join(".") : null;
  const said = isRecord(first) ? String(first["msg"]) : typeof detail === "string" ? detail : "The call failed.";
  const message = param ? `${param}: ${said}` : said;
  return { message, type: typeOf(status), param: param || null, code: codes[bucket ?? ""] ?? bucket };
}

function typeOf(status: number): string {
  if (status === 402) return "insufficient_quota";
  if (status === 403) return "permission_error";
  if (status === 429) return "rate_limit_error";
  return status >= 500 ? "server_error" : "invalid_request_error";
}

// Their code for ours, where they have one that programs look for.
const codes: Readonly<Record<string, string>> = {
  unauthorized: "invalid_api_key",
  insufficient_credits: "insufficient_quota",
  rate_limited: "rate_limit_exceeded",
  concurrency_limit_exceeded: "rate_limit_exceeded",
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
