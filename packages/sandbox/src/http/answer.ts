// What a handler returns, and how it is sent. Bytes are final here; misbehave.ts may still break their delivery.
import type { ServerResponse } from "node:http";
import { writeJson } from "../models/exact-json.ts";

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

export function jsonAnswer(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  const body = Buffer.from(writeJson(value));
  return { status, contentType: "application/json", body, ...(headers && { headers }) };
}

export function errorAnswer(
  status: number,
  code: string,
  message: string,
  headers?: Readonly<Record<string, string>>,
): Answer {
  return jsonAnswer(status, { error: { code, message } }, headers);
}

export function writeHead(response: ServerResponse, answer: Answer): void {
  response.writeHead(answer.status, {
    "Content-Type": answer.contentType,
    "Content-Length": answer.body.byteLength,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...answer.headers,
  });
}

export function send(response: ServerResponse, answer: Answer, isHead = false): void {
  if (response.destroyed || response.headersSent) return;
  writeHead(response, answer);
  response.end(isHead ? undefined : answer.body);
}
