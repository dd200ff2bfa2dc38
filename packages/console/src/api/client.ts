// Calls of the server by path, for what the SDK has no method for; failures are ApiFault. Integers beyond 2^53 survive.
import { Atelier, parseJson, writeJson } from "@atelier/sdk";
import { ApiFault, faultOf } from "./fault.ts";
import { hashFile } from "./hash-file.ts";
import { authorisedFetch } from "./session.ts";

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Ask {
  readonly method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD";
  readonly query?: Query;
  readonly json?: unknown;
  readonly body?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export async function send(path: string, ask: Ask = {}): Promise<Response> {
  const headers = { ...(ask.json === undefined ? {} : { "content-type": "application/json" }), ...ask.headers };
  const body = ask.json === undefined ? ask.body : writeJson(ask.json);
  const response = await authorisedFetch(withQuery(path, ask.query), {
    method: ask.method ?? "GET",
    headers,
    ...(body === undefined ? {} : { body }),
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
  });
  if (!response.ok) throw await faultOf(response);
  return response;
}

// The body as JSON; undefined where there is none.
export async function call<Body>(path: string, ask: Ask = {}): Promise<Body> {
  const response = await send(path, ask);
  const text = await response.text();
  return (text === "" ? undefined : parseJson(text)) as Body;
}

export function withQuery(path: string, query: Query = {}): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === "" ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

// What this page itself refuses is an answer to the client, which would take it for a lost connection and try again.
function asAnswer(thrown: unknown): Response {
  if (!(thrown instanceof ApiFault) || thrown.status < 400) throw thrown;
  const { status, code, message, requestId, retryAfter } = thrown;
  const headers = new Headers();
  if (code !== null) headers.set("x-service-error-type", code);
  if (requestId !== null) headers.set("x-service-request-id", requestId);
  if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
  return Response.json({ detail: message }, { status, headers });
}

// The public client, with this browser's credential: uploads, events, models, jobs as every program does them.
export const atelier = new Atelier({
  apiKey: "",
  baseUrl: location.origin,
  // What is refused is told at once, with the seconds to wait: a page that waits in silence looks like one that hangs.
  maxRetries: 0,
  fetch: (input, init) => authorisedFetch(input, init).catch(asAnswer),
  hashBlob: (blob, signal) => hashFile(blob, signal),
});
