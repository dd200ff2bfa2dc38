// HTTP without a client's conveniences: nothing is decompressed, redirected or retried, and repeated headers are shown as
// a list.
import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { Pool } from "undici";

export interface AppRequest {
  readonly method?: string;
  // Path and query, sent verbatim.
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  // Objects are sent as JSON, text and bytes verbatim.
  readonly body?: unknown;
  // The address the request comes from; a different one for each request by default.
  readonly peer?: string;
}

export interface AppAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
  readonly text: string;
  json(): unknown;
}

export type AppCall = (request: AppRequest) => Promise<AppAnswer>;

export interface AppClient {
  readonly call: AppCall;
  close(): Promise<void>;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

export function openClient(baseUrl: string, connections = 24): AppClient {
  const pool = new Pool(baseUrl, { connections, bodyTimeout: 120_000, headersTimeout: 120_000 });
  return {
    async call(request) {
      const method = methods.find((known) => known === (request.method ?? "GET")) ?? "GET";
      const { body, type } = bodyOf(request.body);
      const headers = { "x-forwarded-for": request.peer ?? somePeer(), ...type, ...request.headers };
      const answer = await pool.request({ path: request.path, method, headers, body });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      return {
        status: answer.statusCode,
        headers: answer.headers,
        bytes,
        get text() {
          return bytes.toString();
        },
        json: () => JSON.parse(bytes.toString()),
      };
    },
    close: () => pool.close(),
  };
}

export const bearer = (credential: string) => ({ authorization: `Bearer ${credential}` });

export function headerOf(answer: Pick<AppAnswer, "headers">, name: string): string | undefined {
  const value = answer.headers[name];
  assert.ok(!Array.isArray(value), `${name} was sent more than once`);
  return value;
}

// The member of a JSON object; fails the test if it is missing.
export function memberOf(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, name) => {
    // Only formatted on failure: the value may be a whole document.
    if (typeof at !== "object" || at === null)
      assert.fail(`nothing holds the member ${name}: ${JSON.stringify(value)}`);
    return Reflect.get(at, name);
  }, value);
}

export function textOf(value: unknown, ...path: readonly (string | number)[]): string {
  const text = memberOf(value, ...path);
  assert.ok(typeof text === "string", `${path.join(".")} is no text in ${JSON.stringify(value)}`);
  return text;
}

export function listOf(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const list = memberOf(value, ...path);
  assert.ok(Array.isArray(list), `${path.join(".")} is no list in ${JSON.stringify(value)}`);
  return list;
}

function bodyOf(body: unknown): { body: string | Buffer | null; type: Record<string, string> } {
  if (body === undefined || body === null) return { body: null, type: {} };
  if (typeof body === "string" || Buffer.isBuffer(body)) return { body, type: {} };
  return { body: JSON.stringify(body), type: { "content-type": "application/json" } };
}

// Addresses that no host has (RFC 2544 and RFC 5737 reserve them for tests). They only appear in a header and are never
// dialled.
function somePeer(): string {
  return `198.${18 + randomInt(2)}.${randomInt(256)}.${randomInt(256)}`;
}
