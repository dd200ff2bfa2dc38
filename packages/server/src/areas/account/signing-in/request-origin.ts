// Did one of our own pages send this request? Checked for every change that a cookie authorises, since a browser adds the
// cookie on its own. A browser sends Sec-Fetch-Site, Origin or both. At least one must be present, and all that are must say
// "our own".
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
    throw new Fault("forbidden", "This request did not come from a page of this site. Open the page again and retry.");
  }
}
