// Calls the server by path, where the public client (atelier.ts) has no method. Failures are ApiFault. Integers beyond 2^53
// survive.
import { parseJson, writeJson } from "@atelier/sdk";
import { faultOf } from "./fault.ts";
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

// The body as JSON; undefined if there is none.
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
