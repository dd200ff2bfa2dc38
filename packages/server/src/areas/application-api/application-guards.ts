// The rim of this area, for browsers above all: its loopback listener acts with a key for those that send none, so a foreign
// page must neither make it act nor show it.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Route } from "../../foundation/http/area.ts";

const unframed = { "x-frame-options": "DENY", "content-security-policy": "frame-ancestors 'none'" };

// No answer of these routes is shown in a frame.
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

// What any page can send anywhere without asking first: text and forms.
const simpleTypes: ReadonlySet<string> = new Set([
  "text/plain",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
]);
// A browser sends the first with every POST to another origin, the second with every request to this machine; those of old sent
// the third. A program sends none of them unless it is told to: Node's fetch calls a string text, Python's standard library a form.
const signsOfPages = ["origin", "sec-fetch-site", "referer"] as const;

export function requireNoPageForm(headers: IncomingHttpHeaders): void {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  const isPage = signsOfPages.some((name) => headers[name] !== undefined);
  if (isPage && simpleTypes.has(type))
    throw new Fault("invalid_content_type", "Send the prompt with Content-Type: application/json.");
}
