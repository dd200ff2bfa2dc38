// The public client, for the pages that do what every program does by it. Not in what every page loads.
import { Atelier } from "@atelier/sdk";
import { ApiFault } from "./fault.ts";
import { hashFile } from "./hash-file.ts";
import { authorisedFetch } from "./session.ts";

// What this page itself refuses is an answer to the client, which would take it for a lost connection and try again.
function asAnswer(thrown: unknown): Response {
  if (!(thrown instanceof ApiFault) || thrown.status < 400) throw thrown;
  const { status, code, message, requestId, retryAfter } = thrown;
  const headers = new Headers();
  // Beside the router's fifteen kinds, which the client knows by heart, the reason may be any word.
  if (code !== null) headers.set("x-service-error-reason", code);
  if (requestId !== null) headers.set("x-service-request-id", requestId);
  if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
  return Response.json({ detail: message, code }, { status, headers });
}

// The public client, with this browser's credential: uploads, events, models, jobs as every program does them.
export const atelier = new Atelier({
  apiKey: "",
  baseUrl: location.origin,
  // What is refused is told at once, with the seconds to wait: a page that waits in silence looks like one that hangs.
  maxRetries: 0,
  fetch: (input, init) => authorisedFetch(input, init).catch(asAnswer),
  hashBlob: (blob, signal) => hashFile(blob, signal),
});
