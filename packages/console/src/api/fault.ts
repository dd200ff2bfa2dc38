// A failure in one shape, whichever envelope the server used: its message, its code, the fields it names, the request id.

import { type AtelierError, parseJson } from "@atelier/sdk";
import { api as words } from "#strings/api";
import { isRecord } from "./json-record.ts";

export interface FieldFault {
  // The path to the field, as the server gives it: ["body", "prompt"] or the parts of a JSON pointer.
  readonly path: readonly (string | number)[];
  readonly message: string;
  // A required field without a value.
  readonly isMissing?: true;
}

export class ApiFault extends Error {
  // 0 if no answer came.
  readonly status: number;
  readonly code: string | null;
  readonly requestId: string | null;
  readonly retryAfter: number | null;
  readonly fields: readonly FieldFault[];
  // The parsed body, for pages that can make more of it.
  readonly body: unknown;

  constructor(facts: {
    status: number;
    message: string;
    code?: string | null;
    requestId?: string | null;
    retryAfter?: number | null;
    fields?: readonly FieldFault[];
    body?: unknown;
  }) {
    super(facts.message);
    this.status = facts.status;
    this.code = facts.code ?? null;
    this.requestId = facts.requestId ?? null;
    this.retryAfter = facts.retryAfter ?? null;
    this.fields = facts.fields ?? [];
    this.body = facts.body;
  }
}

export async function faultOf(response: Response): Promise<ApiFault> {
  const text = await response.text().catch(() => "");
  return faultIn(response.status, response.headers, readBody(text));
}

// If it is not JSON, a proxy in between answered; returns its text.
function readBody(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

export function faultIn(status: number, headers: Headers, body: unknown): ApiFault {
  const retryAfter = Number(headers.get("retry-after"));
  return new ApiFault({
    status,
    message: wordsIn(body) ?? words.status(status),
    code: headers.get("x-service-error-type") ?? codeIn(body),
    requestId: headers.get("x-service-request-id") ?? headers.get("x-request-id"),
    retryAfter: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    fields: fieldsIn(body),
    body,
  });
}

export function asFault(thrown: unknown): ApiFault {
  if (thrown instanceof ApiFault) return thrown;
  if (isOfSdk(thrown)) {
    const { status, code, requestId, retryAfterSeconds, bodyText } = thrown;
    const body = readBody(bodyText);
    // A browser does not say why there was no answer ("Failed to fetch"), so the page does not either.
    const message =
      code === "connection_failed" ? words.noAnswer : thrown.message.replace(` (request ${requestId})`, "");
    return new ApiFault({
      status,
      message,
      code,
      requestId,
      retryAfter: retryAfterSeconds,
      fields: fieldsIn(body),
      body,
    });
  }
  if (thrown instanceof TypeError) return new ApiFault({ status: 0, message: words.noAnswer });
  return new ApiFault({ status: -1, message: thrown instanceof Error ? thrown.message : String(thrown) });
}

// By what it has, because the SDK's classes come only with the pages that use its client.
const isOfSdk = (thrown: unknown): thrown is AtelierError => thrown instanceof Error && "bodyText" in thrown;

function wordsIn(body: unknown): string | null {
  if (typeof body === "string") return body.length > 0 && body.length < 400 && !body.startsWith("<") ? body : null;
  if (!isRecord(body)) return null;
  const { message, detail, error } = body;
  if (typeof message === "string") return message;
  if (typeof detail === "string") return detail;
  if (Array.isArray(detail))
    return (
      fieldsIn(body)
        .map(({ message: words }) => words)
        .join(" ") || null
    );
  if (typeof error === "string") return error;
  return isRecord(error) ? wordsIn(error) : null;
}

function codeIn(body: unknown): string | null {
  if (!isRecord(body)) return null;
  for (const name of ["code", "error_type", "type"]) if (typeof body[name] === "string") return body[name];
  return isRecord(body["error"]) ? codeIn(body["error"]) : null;
}

function fieldsIn(body: unknown): FieldFault[] {
  if (!isRecord(body)) return [];
  const { detail, details, errors } = body;
  const lists = [detail, details, isRecord(details) ? details["fields"] : null, errors];
  // A single one may come without a list.
  const list = lists.find(Array.isArray) ?? (isRecord(details) && "path" in details ? [details] : []);
  const own = list.flatMap((each: unknown): FieldFault[] => {
    if (!isRecord(each)) return [];
    const message = [each["msg"], each["message"]].find((words) => typeof words === "string");
    const at = each["loc"] ?? each["path"] ?? each["field"];
    const path = Array.isArray(at) ? at : typeof at === "string" ? at.split(/[./]/).filter(Boolean) : [];
    return message === undefined ? [] : [{ path, message }];
  });
  return own.length > 0 || !isRecord(body["error"]) ? own : fieldsIn(body["error"]);
}
