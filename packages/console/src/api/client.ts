// Calls the server where the public client (atelier.ts) has no method: `call` and `callRaw` by operation, `send` to an address
// that an answer contained. Failures are ApiFault. Integers beyond 2^53 survive.
import { parseJson, writeJson } from "@atelier/sdk";
import { faultOf } from "./fault.ts";
import { type Answer, type Given, locate, methodOf, type Operation, type Target } from "./operation.ts";
import { watched } from "./reach.ts";
import { authorisedFetch } from "./session.ts";

export interface Manner {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly cache?: RequestCache;
  // The cookie instead of the token: for what concerns the session, not the workspace that the token is for.
  readonly as?: "session";
}

interface Content {
  readonly json?: unknown;
  readonly body?: BodyInit;
}

type Ask<Shape> = Given<Shape> & Manner;
export type Asked<Shape> = object extends Given<Shape> ? [ask?: Ask<Shape>] : [ask: Ask<Shape>];

// The answer's body; undefined if there is none.
export async function call<Shape>(operation: Operation<Shape>, ...asked: Asked<Shape>): Promise<Answer<Shape>> {
  const text = await (await callRaw(operation, ...asked)).text();
  return (text === "" ? undefined : parseJson(text)) as Answer<Shape>;
}

// The answer as it comes: bytes, text, a stream.
export function callRaw<Shape>(operation: Operation<Shape>, ...asked: Asked<Shape>): Promise<Response>;
export function callRaw(
  operation: Operation<unknown>,
  { params, query, json, body, headers, ...manner }: Manner & Target & Content = {},
): Promise<Response> {
  return send(locate(operation, { params, query }), {
    ...manner,
    method: methodOf(operation),
    headers: { ...(json === undefined ? {} : { "content-type": "application/json" }), ...headers },
    body: json === undefined ? (body ?? null) : writeJson(json),
  });
}

interface Sending extends Manner {
  readonly method?: string;
  readonly body?: BodyInit | null;
}

export async function send(url: string, { as, signal, ...ask }: Sending = {}): Promise<Response> {
  const init = { ...ask, signal: signal ?? null };
  const response = await (as === "session" ? watched(fetch(url, init)) : authorisedFetch(url, init));
  if (!response.ok) throw await faultOf(response);
  return response;
}
