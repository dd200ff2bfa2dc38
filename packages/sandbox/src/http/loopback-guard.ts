// Decisions, section 1: every loopback listener checks Host and Origin first. A web page must not be able to drive a server on
// its visitor's machine. Files are the exception: their addresses cannot be guessed, and a page shows them as pictures.
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import { type Answer, errorAnswer } from "./answer.ts";

export function refuseArrival(request: IncomingMessage, hosts: ReadonlySet<string>): Answer | null {
  if (request.httpVersion !== "1.1") return errorAnswer(400, "invalid_request", "Only HTTP/1.1 is supported.");
  if (!request.url?.startsWith("/")) return errorAnswer(400, "invalid_request", "The request target must be a path.");
  const named = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  if (named.length !== 1) return errorAnswer(400, "invalid_request", "Send exactly one Host header.");
  if (!hosts.has((request.headers.host ?? "").toLowerCase()))
    return errorAnswer(421, "misdirected_request", "This server does not answer for that Host.");
  const isFile = request.url.startsWith("/files/") && (request.method === "GET" || request.method === "HEAD");
  const site = request.headers["sec-fetch-site"];
  const isFromPage =
    request.headers.origin !== undefined || (site !== undefined && site !== "none" && site !== "same-origin");
  return isFromPage && !isFile ? errorAnswer(403, "forbidden", "Web pages may not call this server.") : null;
}

export function hostsOf(port: number): ReadonlySet<string> {
  return new Set(
    ["127.0.0.1", "localhost"].flatMap((name) => (port === 80 ? [name, `${name}:80`] : [`${name}:${port}`])),
  );
}

// Returns the port it got.
export async function listenOn(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The server has no address.");
  return address.port;
}

// Whether a request carries the key; null if none is required. Hashed, so that neither length nor time leaks anything.
export function carriesKey(
  request: IncomingMessage,
  { header, prefix }: { readonly header: string; readonly prefix: string },
  key: string | null,
): boolean {
  const text = String(request.headers[header.toLowerCase()] ?? "");
  const given = text.toLowerCase().startsWith(prefix.toLowerCase()) ? text.slice(prefix.length) : "";
  const hashed = (value: string) => createHash("sha256").update(value).digest();
  return key === null || timingSafeEqual(hashed(given), hashed(key));
}
