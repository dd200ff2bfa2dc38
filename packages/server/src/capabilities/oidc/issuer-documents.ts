// What an issuer publishes about itself: its discovery document, fetched when needed and cached for ten minutes, and its
// keys. A document that names another issuer, or addresses that an eavesdropper could read, is refused.
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { isLoopback } from "../../foundation/http/loopback-guard.ts";
import { jsonOrUndefined } from "../../foundation/json/foreign-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { attempt } from "../../foundation/retry.ts";
import { type KeySource, remoteKeySet } from "../identity/index.ts";

export interface IssuerRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly bytesMax: number;
  readonly timeoutMs: number;
}

// Follows no redirect and reads at most `bytesMax`; throws if no answer came.
export type AskIssuer = (request: IssuerRequest) => Promise<{ readonly status: number; readonly body: Uint8Array }>;

export interface IssuerFacts {
  // Exactly as the issuer spells itself, because its tokens use that spelling.
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly userinfoUrl: string | null;
  readonly keys: KeySource;
  // RFC 9207: every answer of the issuer names it.
  readonly namesItself: boolean;
  // How a client authenticates; Basic if the issuer does not say.
  readonly takesBasic: boolean;
}

export interface IssuerDocuments {
  // Throws service_unavailable.
  read(): Promise<IssuerFacts>;
}

const documentBytesMax = 128 * 1024;
const timeoutMs = 5_000;
const freshMs = 600_000;

export function issuerDocuments(deps: { issuer: string; ask: AskIssuer; clock: Clock }): IssuerDocuments {
  const { clock } = deps;
  let held: { facts: IssuerFacts; readAtMs: number } | null = null;
  let coming: Promise<IssuerFacts> | null = null;

  async function readAfresh(): Promise<IssuerFacts> {
    const readAtMs = clock.monotonicMs();
    const facts = await readDocument(deps, held?.facts ?? null);
    held = { facts, readAtMs };
    return facts;
  }

  return {
    read() {
      if (held !== null && clock.monotonicMs() - held.readAtMs < freshMs) return Promise.resolve(held.facts);
      coming ??= readAfresh().finally(() => {
        coming = null;
      });
      return coming;
    },
  };
}

async function readDocument(
  { issuer, ask, clock }: { issuer: string; ask: AskIssuer; clock: Clock },
  before: IssuerFacts | null,
): Promise<IssuerFacts> {
  const url = `${issuer}/.well-known/openid-configuration`;
  const document = await askForObject(ask, { url, method: "GET", bytesMax: documentBytesMax, timeoutMs });
  const named = asText(document["issuer"]);
  if (named === null || withoutSlash(named) !== withoutSlash(issuer))
    throw issuerAway(`its document names another issuer (${named ?? "none"})`);
  const addressOf = (name: string) => requireAddress(document[name], name, issuer);
  const keysUrl = addressOf("jwks_uri");
  const methods = document["token_endpoint_auth_methods_supported"];
  return {
    issuer: named,
    authorizationUrl: addressOf("authorization_endpoint"),
    tokenUrl: addressOf("token_endpoint"),
    userinfoUrl: document["userinfo_endpoint"] === undefined ? null : addressOf("userinfo_endpoint"),
    // The keys outlive the document: reading it again does not make us fetch them again.
    keys: keysAt(keysUrl, ask, clock, before),
    namesItself: document["authorization_response_iss_parameter_supported"] === true,
    takesBasic: !Array.isArray(methods) || methods.includes("client_secret_basic"),
  };
}

const keySources = new WeakMap<KeySource, string>();

function keysAt(url: string, ask: AskIssuer, clock: Clock, before: IssuerFacts | null): KeySource {
  if (before !== null && keySources.get(before.keys) === url) return before.keys;
  const keys = remoteKeySet({
    url,
    clock,
    async fetchKeySet(address, limits) {
      const answer = await ask({ url: address, method: "GET", ...limits });
      if (answer.status !== 200) throw new Error(`Reading the key set returned status ${answer.status}.`);
      return answer.body;
    },
  });
  keySources.set(keys, url);
  return keys;
}

// A JSON object with status 200. Anything else is the issuer's problem, described for the log and the operator.
export async function askForObject(ask: AskIssuer, request: IssuerRequest): Promise<Readonly<Record<string, unknown>>> {
  const answer = await ask(request).catch((thrown: unknown) => {
    throw issuerAway("no answer came", thrown);
  });
  if (answer.status !== 200) throw issuerAway(`it answered ${answer.status}`);
  const value = readObject(answer.body);
  if (value === null) throw issuerAway("its answer is not a JSON object");
  return value;
}

export function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | null {
  const value = jsonOrUndefined(attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes), ""));
  return isRecord(value) ? { ...value } : null;
}

export function issuerAway(why: string, cause?: unknown): Fault {
  return new Fault(
    "service_unavailable",
    `The sign-in provider cannot be used right now: ${why}. Try again in a moment, or sign in with a link.`,
    { retryAfterSeconds: 10, ...(cause === undefined ? {} : { cause }) },
  );
}

// https, or plain http if the issuer is on this machine.
function requireAddress(value: unknown, name: string, issuer: string): string {
  const url = URL.parse(asText(value) ?? "");
  const isPlainAllowed = isLoopback(new URL(issuer).hostname) && url !== null && isLoopback(url.hostname);
  const isGood = url?.protocol === "https:" || (url?.protocol === "http:" && isPlainAllowed);
  if (url === null || !isGood || url.username !== "" || url.password !== "" || url.hash !== "")
    throw issuerAway(`its document has no usable ${name}`);
  return url.href;
}

export const asText = (value: unknown): string | null => (typeof value === "string" ? value : null);
const withoutSlash = (text: string) => text.replace(/\/+$/, "");
