// An error as its caller saw it, read from the answer itself, so that it is the same whichever area refused and how.
import { isUuid, type KeyId, type RequestId, trustedId, type WorkspaceId } from "../ids.ts";
import { jsonOrUndefined } from "../json/foreign-json.ts";
import { type RefusalFacts, refusalFacts } from "./admission/refusal-facts.ts";
import type { BytesAnswer } from "./area.ts";

export interface AnsweredError {
  readonly requestId: RequestId;
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId | null;
  readonly method: string;
  // Secrets in it are cut.
  readonly path: string;
  readonly status: number;
  // The router's bucket, or the error code in other areas.
  readonly code: string;
  readonly message: string;
  // The first rejected fields. Empty if the answer named none.
  readonly fields: readonly RejectedField[];
}

export interface RejectedField {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

// For refusals of a credential that is missing or unknown, and so belongs to no workspace. Only operators find them.
export const nobodysWorkspace: WorkspaceId = trustedId("00000000-0000-0000-0000-000000000000");

// Returns the answer unchanged, after recording it if it is an error.
export function noted(
  { errorAnswered }: { readonly errorAnswered?: ((failed: AnsweredError) => void) | undefined },
  request: FailedRequest,
  answer: BytesAnswer,
): BytesAnswer {
  const failed = answer.status < 400 || errorAnswered === undefined ? null : answeredError(request, answer);
  if (failed !== null) errorAnswered?.(failed);
  return answer;
}

interface FailedRequest {
  readonly requestId: RequestId;
  readonly method: string;
  readonly path: string;
  readonly peer: string;
  readonly caller: unknown;
}

const bodyLengthMax = 256 * 1024;
const wordsLengthMax = 500;
const fieldsMax = 20;
const locMax = 12;

// Null if it is not an error, or the caller's workspace is unknown, but not because a credential was refused.
export function answeredError(request: FailedRequest, answer: BytesAnswer): AnsweredError | null {
  const isUnknown = request.caller === undefined && answer.status === 401;
  if (answer.status < 400 || (request.caller === undefined && !isUnknown)) return null;
  const {
    workspaceId = isUnknown ? nobodysWorkspace : "",
    keyId,
    path,
  }: RefusalFacts = refusalFacts(request, request.caller);
  if (!isUuid(workspaceId)) return null;
  const body = parseBody(answer);
  // The most specific reason in the headers.
  const bucket = answer.headers?.["x-service-error-reason"] ?? answer.headers?.["x-service-error-type"];
  return {
    requestId: request.requestId,
    workspaceId: trustedId(workspaceId),
    apiKeyId: keyId !== undefined && isUuid(keyId) ? trustedId(keyId) : null,
    method: request.method,
    path,
    status: answer.status,
    code: cut(typeof bucket === "string" ? bucket : (body.code ?? "error")),
    message: cut(body.message),
    fields: body.fields,
  };
}

interface ReadBody {
  readonly code: string | null;
  readonly message: string;
  readonly fields: readonly RejectedField[];
}

// Parses the four error bodies of the API: the router's two, v2's and the generic one.
function parseBody({ body }: BytesAnswer): ReadBody {
  const document = parseDocument(body);
  const { detail, error, message } = document;
  if (Array.isArray(detail)) {
    const fields = detail.slice(0, fieldsMax).flatMap(parseField);
    const words = fields.map(({ loc, msg }) => `${loc.slice(1).join(".") || "body"}: ${msg}`);
    return { code: "invalid_input", message: words.join("; "), fields };
  }
  if (typeof detail === "string") return { code: null, message: detail, fields: [] };
  const inner = asRecord(error);
  if (typeof inner["code"] === "string") return { code: inner["code"], message: asText(inner["message"]), fields: [] };
  return { code: typeof error === "string" ? error : null, message: asText(message), fields: [] };
}

function parseDocument(body: BytesAnswer["body"]): Readonly<Record<string, unknown>> {
  const text = typeof body === "string" ? body : Buffer.isBuffer(body) ? body.toString("utf8", 0, bodyLengthMax) : "";
  if (text.length >= bodyLengthMax) return {};
  return asRecord(jsonOrUndefined(text));
}

function parseField(entry: unknown): RejectedField[] {
  const { loc, msg } = asRecord(entry);
  if (!Array.isArray(loc) || typeof msg !== "string") return [];
  const isStep = (step: unknown): step is string | number => typeof step === "string" || typeof step === "number";
  const steps = loc.filter(isStep).slice(0, locMax);
  return [{ loc: steps.map((step) => (typeof step === "string" ? cut(step) : step)), msg: cut(msg) }];
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

const asText = (value: unknown): string => (typeof value === "string" ? value : "");

// PostgreSQL cannot store NUL.
const cut = (text: string): string => text.slice(0, wordsLengthMax).replaceAll("\0", "").toWellFormed();
