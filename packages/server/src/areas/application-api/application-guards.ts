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

// What any page can send anywhere without asking first: text and forms. Programs that name no better type for their JSON
// than a form (as Python's standard library does) are no pages: those send Sec-Fetch-Site along.
export function requireNoPageForm(headers: IncomingHttpHeaders): void {
  const type = headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  const isPage = headers["sec-fetch-site"] !== undefined;
  const isForm = type === "application/x-www-form-urlencoded" && isPage;
  if (type === "text/plain" || type === "multipart/form-data" || isForm)
    throw new Fault("invalid_content_type", "Send the prompt with Content-Type: application/json.");
}
