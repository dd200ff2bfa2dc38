// Decisions, section 1: every loopback listener checks Host and Origin first. The application refuses a page of another origin
// with an empty 403; the newer one also refuses a request that says it comes from another site. A request with a Host that is
// not this listener's gets no answer at all: there the stand-in is stricter than the application.
import type { IncomingMessage } from "node:http";
import type { ApplicationVersion } from "./application.ts";

// null if the request is allowed.
export function refusedStatus(
  request: IncomingMessage,
  hosts: ReadonlySet<string>,
  version: ApplicationVersion,
): 400 | 403 | 421 | null {
  const named = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (named.length !== 1 || !request.url?.startsWith("/")) return 400;
  const host = (request.headers.host ?? "").toLowerCase();
  if (!hosts.has(host)) return 421;
  const { origin } = request.headers;
  if (origin !== undefined && !isOrigin(origin, host)) return 403;
  return version === "new" && request.headers["sec-fetch-site"] === "cross-site" ? 403 : null;
}

function isOrigin(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host.toLowerCase() === host;
}
