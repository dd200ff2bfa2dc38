// The public client, for pages that do what any program does with it. Kept out of the bundle that every page loads.
import { Atelier } from "@atelier/sdk";
import { ApiFault } from "./fault.ts";
import { hashFile } from "./files/hash-file.ts";
import { authorisedFetch } from "./session.ts";

// Errors that this page raises itself become answers: the client would take a thrown one for a lost connection and retry.
function asAnswer(thrown: unknown): Response {
  if (!(thrown instanceof ApiFault) || thrown.status < 400) throw thrown;
  const { status, code, message, requestId, retryAfter } = thrown;
  const headers = new Headers();
  // The client knows the router's fifteen buckets; the reason may be any word.
  if (code !== null) headers.set("x-service-error-reason", code);
  if (requestId !== null) headers.set("x-service-request-id", requestId);
  if (retryAfter !== null) headers.set("retry-after", String(retryAfter));
  return Response.json({ detail: message, code }, { status, headers });
}

// The public client with this browser's credential: uploads, events, models and jobs, as in any program.
export const atelier = new Atelier({
  apiKey: "",
  baseUrl: location.origin,
  // Report refusals immediately, with the seconds to wait: a page that retries in silence looks as if it hangs.
  maxRetries: 0,
  fetch: (input, init) => authorisedFetch(input, init).catch(asAnswer),
  hashBlob: (blob, signal) => hashFile(blob, signal),
});
