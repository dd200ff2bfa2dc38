// How answers are sent. The application answers most commands with an empty body, and a body it cannot read with plain text.
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBytes } from "../http/read-body.ts";
import { isMembers, type Members } from "../models/exact-json.ts";
import { readExact, writeExact } from "./exact-json.ts";

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export const json = (status: number, value: unknown): Reply => ({
  status,
  headers: { "Content-Type": "application/json; charset=utf-8" },
  body: writeExact(value),
});

export const empty = (status: number): Reply => ({ status, body: "" });

export const inTrouble: Reply = {
  status: 500,
  headers: { "Content-Type": "text/plain; charset=utf-8" },
  body: "500 Internal Server Error\n\nServer got itself in trouble",
};

export function send(response: ServerResponse, reply: Reply, isHead = false): void {
  if (response.destroyed || response.headersSent) return;
  const body = typeof reply.body === "string" ? Buffer.from(reply.body) : reply.body;
  const usual = { "Content-Type": "application/octet-stream", "Content-Length": String(body.byteLength) };
  response.writeHead(reply.status, { ...usual, ...reply.headers });
  response.end(isHead ? undefined : body);
}

// A JSON object; null if it is not one, which the application does not handle.
export async function readObject(request: IncomingMessage, bytesMax: number): Promise<Members | null> {
  const bytes = await readBytes(request, bytesMax);
  try {
    const value = bytes === null ? null : readExact(bytes.toString());
    return isMembers(value) ? value : null;
  } catch {
    return null;
  }
}
