// Names of targets and headers, changed where a request comes in and an answer goes out. A request that uses our names is
// left as it is; one that says the same under both names is taken by ours.
import type { IncomingMessage } from "node:http";
import type { Rim } from "../../foundation/http/rim.ts";
import { answerHeaders, pathPrefixes, requestHeaders } from "./names.ts";

export const comfyRim: Rim = {
  arrive(request) {
    request.url = respelledTarget(request.url ?? "/");
    respellHeaders(request);
  },
  depart(headers) {
    const { length } = headers;
    for (let at = 0; at < length; at += 2) {
      const theirs = answerHeaders.get(String(headers[at]).toLowerCase());
      const value = headers[at + 1];
      if (theirs !== undefined && value !== undefined) headers.push(theirs, value);
    }
  },
};

// As it stood in the request line: nothing is decoded and no dots are taken away, so that only the exact spelling counts.
export function respelledTarget(target: string): string {
  for (const { theirs, ours } of pathPrefixes) {
    if (!target.startsWith(theirs)) continue;
    const next = target.charCodeAt(theirs.length);
    if (Number.isNaN(next) || next === slash || next === question) return `${ours}${target.slice(theirs.length)}`;
  }
  return target;
}

const slash = 0x2f;
const question = 0x3f;

function respellHeaders(request: IncomingMessage): void {
  const { rawHeaders, headers } = request;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    const ours = requestHeaders.get(name);
    if (ours === undefined) continue;
    const value = headers[name];
    if (value === undefined || headers[ours] !== undefined) continue;
    rawHeaders[at] = ours;
    headers[ours] = value;
  }
}
