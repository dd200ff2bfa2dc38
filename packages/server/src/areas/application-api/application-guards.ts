// Guards for this area, mainly against browsers: its loopback listener acts with a key for callers that send none, so a foreign
// page must not be able to make it act or to display it.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Route } from "../../foundation/http/area.ts";

const unframed = { "x-frame-options": "DENY", "content-security-policy": "frame-ancestors 'none'" };

// Forbids showing the answers of these routes in a frame.
export function withoutFrames<Caller>(route: Route<Caller>): Route<Caller> {
  const guarded = (answer: Answer): Answer =>
    "takeOver" in answer ? answer : { ...answer, headers: { ...unframed, ...answer.headers } };
  return {
    ...route,
    handle(incoming) {
      const answer = route.handle(incoming);
      return answer instanceof Promise ? answer.then(guarded) : guarded(answer);
    },
  };
}

// What any page can send anywhere without a preflight: text and forms.
const simpleTypes: ReadonlySet<string> = new Set([
  "text/plain",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
]);
// A browser sends the first with every POST to another origin, and the second with every request to this machine; older ones
// sent the third. A program sends none of them unless told to. We cannot go by the type alone: Node's fetch labels a string as
// text, and Python's standard library labels it as a form.
const signsOfPages = ["origin", "sec-fetch-site", "referer"] as const;

export function requireNoPageForm(headers: IncomingHttpHeaders): void {
  if (isPageForm(headers))
    throw new Fault("invalid_content_type", "Send the prompt with Content-Type: application/json.");
}

// The editor's own page writes its files and settings as text.
export function requireNoForeignForm(headers: IncomingHttpHeaders): void {
  if (isPageForm(headers) && !isOwnPage(headers))
    throw new Fault("invalid_content_type", "Send it with Content-Type: application/json.");
}

function isPageForm(headers: IncomingHttpHeaders): boolean {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return signsOfPages.some((name) => headers[name] !== undefined) && simpleTypes.has(type);
}

function isOwnPage({ origin, host, "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  const isSameSite = site === undefined || site === "same-origin";
  return isSameSite && origin !== undefined && host !== undefined && /^https?:\/\/([^/]+)$/.exec(origin)?.[1] === host;
}
