// Did one of our own pages send this? Asked for every change that a cookie authorises, since a browser adds the cookie
// by itself. A browser tells with Sec-Fetch-Site, Origin or both; whatever it tells must say "our own", and it must tell.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../../foundation/fault.ts";

export type IsOwnOrigin = (origin: string) => boolean;

export function isFromOwnPage(headers: IncomingHttpHeaders, isOwnOrigin: IsOwnOrigin): boolean {
  const site = headers["sec-fetch-site"];
  const { origin } = headers;
  if (site === undefined && origin === undefined) return false;
  if (site !== undefined && site !== "same-origin") return false;
  return origin === undefined || isOwnOrigin(origin);
}

export function requireOwnPage(headers: IncomingHttpHeaders, isOwnOrigin: IsOwnOrigin): void {
  if (!isFromOwnPage(headers, isOwnOrigin)) {
    throw new Fault("forbidden", "This was not sent by a page of this site. Open the page again and retry.");
  }
}
