// The body of a question. What the caller or the provider wrote is embedded as it is, so that large integers keep their digits.
// What is too large, or not JSON, is described instead: type, size and hash.
import { createHash } from "node:crypto";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import type { SafetyQuestion } from "./safety-hook.ts";

export function writeQuestion(question: SafetyQuestion, bytesMax: number): Buffer {
  const { stage, callId, requestId, workspaceId, model, target, labels, contentType, bytes } = question;
  const omitted = omissionOf(question, bytesMax);
  const head = {
    type: `model_call.${stage}`,
    stage,
    call_id: callId,
    request_id: requestId,
    workspace_id: workspaceId,
    model,
    ...(target === undefined || target === model ? {} : { target }),
    end_user: labels.endUser,
    tags: labels.tags,
    content_type: contentType,
    bytes: bytes.byteLength,
    ...(omitted === null
      ? {}
      : { omitted: { reason: omitted, sha256: createHash("sha256").update(bytes).digest("hex") } }),
  };
  const text = JSON.stringify(head);
  if (omitted !== null) return Buffer.from(text);
  return Buffer.concat([Buffer.from(`${text.slice(0, -1)},"${stage}":`), bytes, Buffer.from("}")]);
}

type Omission = "too_large" | "not_json";

function omissionOf({ contentType, bytes }: SafetyQuestion, bytesMax: number): Omission | null {
  if (!isJson(contentType)) return "not_json";
  if (bytes.byteLength > bytesMax) return "too_large";
  return jsonOrUndefined(bytes) === undefined ? "not_json" : null;
}

export function isJson(contentType: string): boolean {
  return /^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType);
}
