// Renames targets and headers where a request comes in and an answer goes out. A request with our names is left alone; if it
// uses both names, ours wins.
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeader } from "node:http";
import type { Clock } from "../../foundation/clock.ts";
import type { Rim } from "../../foundation/http/rim.ts";
import { ourKey } from "./keys.ts";
import { allowedForPages, answerHeaders, requestHeaders } from "./names.ts";
import { withExpiryHint } from "./signed-url-hint.ts";
import { respelledTarget } from "./target.ts";

export interface ComfyRim extends Rim {
  // Whether a request used the other name of its path.
  isTheirs(headers: IncomingHttpHeaders): boolean;
}

export interface ComfyRimDeps {
  readonly clock: Clock;
  readonly hasExpiryHint: boolean;
}

export function comfyRim(deps: ComfyRimDeps): ComfyRim {
  // Keyed by the headers object, which is all that a route and the rim share.
  const theirs = new WeakSet<IncomingHttpHeaders>();
  return {
    arrive(request) {
      const given = request.url ?? "/";
      const target = respelledTarget(given);
      if (target !== given) {
        request.url = target;
        theirs.add(request.headers);
      }
      respellHeaders(request);
    },
    depart(headers) {
      const { length } = headers;
      const reason = reasonIn(headers);
      for (let at = 0; at < length; at += 2) departOne(headers, at, { ...deps, reason });
    },
    isTheirs: (headers) => theirs.has(headers),
  };
}

function respellHeaders({ rawHeaders, headers }: IncomingMessage): void {
  // Created only for the few requests that have such a header.
  let renamed: Set<string> | null = null;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const ours = requestHeaders.get(name);
    if (ours !== undefined && (headers[ours] === undefined || renamed?.has(name))) {
      renamed ??= new Set();
      renamed.add(name);
      rawHeaders[at] = ours;
      headers[ours] = headers[name];
    }
    const read = readers.get(name);
    if (read === undefined) continue;
    const given = rawHeaders[at + 1] ?? "";
    const respelled = read(given);
    rawHeaders[at + 1] = respelled;
    if (headers[name] === given) headers[name] = respelled;
  }
}

// Headers whose values are respelled. Each occurrence is respelled separately, so a header sent twice is still recognised as
// such.
const readers: ReadonlyMap<string, (value: string) => string> = new Map([
  ["x-api-key", ourKey],
  ["authorization", (value: string) => value.replace(/^(bearer +)(\S+)$/i, (_, word, key) => `${word}${ourKey(key)}`)],
]);

// Public clients expect the queue's reason where the bucket is.
function reasonIn(headers: readonly OutgoingHttpHeader[]): OutgoingHttpHeader | undefined {
  const at = headers.findIndex((name, index) => index % 2 === 0 && String(name).toLowerCase() === errorReason);
  return at === -1 ? undefined : headers[at + 1];
}

const [errorReason, errorType] = ["x-service-error-reason", "x-service-error-type"] as const;

type Departure = ComfyRimDeps & { readonly reason: OutgoingHttpHeader | undefined };

function departOne(headers: OutgoingHttpHeader[], at: number, deps: Departure): void {
  const { clock, hasExpiryHint, reason } = deps;
  const name = String(headers[at]).toLowerCase();
  const value = headers[at + 1];
  if (value === undefined) return;
  const theirs = answerHeaders.get(name);
  if (theirs !== undefined) headers.push(theirs, name === errorType ? (reason ?? value) : value);
  else if (typeof value !== "string") return;
  else if (name === "location" && hasExpiryHint) headers[at + 1] = withExpiryHint(value, clock.now());
  else if (name === "access-control-expose-headers") headers[at + 1] = [value, ...answerHeaders.values()].join(", ");
  else if (name === "access-control-allow-headers") headers[at + 1] = [value, ...allowedForPages].join(", ");
}
