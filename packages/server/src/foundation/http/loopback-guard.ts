// The first check of a request, before routing (decisions, section 1).
// A web page must not be able to drive a server on its visitor's own machine, so Host and Origin are compared as whole strings
// with lists built at start. Malformed requests that Node's parser lets pass (two Hosts, absolute-form, HTTP/1.0) are refused
// here on every listener, loopback or not.
import type { IncomingMessage } from "node:http";
import { Fault } from "../fault.ts";

// The names of this machine for itself.
export const loopbackNames = ["127.0.0.1", "localhost", "::1"] as const;

export interface ArrivalPolicy {
  // Exact Host values (lower case, with port). Null accepts every name: for listeners beyond loopback without a list.
  readonly hosts: ReadonlySet<string> | null;
  // Exact Origin values of pages that may call us: our own and the configured ones. Null beyond loopback, where only CORS
  // decides what a page can read.
  readonly origins: ReadonlySet<string> | null;
  // Paths whose answers any page may read without credentials (price badges).
  readonly openPaths: ReadonlySet<string>;
  // Paths that answer under every Host, because probes use an address and not our name. None on loopback.
  readonly probePaths?: ReadonlySet<string>;
  // This listener serves no pages, so there are no links to follow. It refuses bodies that a page can send without a preflight,
  // and callers must be on this machine.
  readonly isProgramsOnly?: boolean;
  // The mount path for a Host. Null for an ordinary Host. A Host with a mount path is accepted in addition to the list.
  readonly mountOf?: (host: string, path: string) => string | null;
}

// Returns the reason for refusing, or null. Never throws: this runs before anything that could catch.
// `isKnownPage`: a credential names the page's origin for what it asks (page-origins.ts).
export function refuseArrival(
  request: IncomingMessage,
  path: string,
  policy: ArrivalPolicy,
  isKnownPage = false,
): Fault | null {
  if (request.httpVersionMajor !== 1 || request.httpVersionMinor !== 1) {
    return new Fault("invalid_request", "Only HTTP/1.1 is supported.");
  }
  if (request.url?.charCodeAt(0) !== 47) {
    return new Fault("invalid_request", "The request target must be a path that begins with /.");
  }
  const host = soleHost(request.rawHeaders);
  if (host === null) return new Fault("invalid_request", "Send exactly one Host header.");
  if (
    policy.hosts !== null &&
    !policy.hosts.has(host.toLowerCase()) &&
    policy.probePaths?.has(path) !== true &&
    (policy.mountOf?.(host, path) ?? null) === null
  ) {
    return new Fault(
      "misdirected_request",
      "This server does not answer for that Host. Use its own address, or add the name to ATELIER_ALLOWED_HOSTS.",
    );
  }
  return (
    (isKnownPage ? null : refusePage(request, path, policy)) ??
    (policy.isProgramsOnly === true ? refuseForm(request, host) : null)
  );
}

const bodyTypes: ReadonlySet<string> = new Set([
  "application/json",
  "multipart/form-data",
  "application/offset+octet-stream",
]);

// Decisions, section 6: a content type is required only with a body.
function refuseForm({ headers, socket }: IncomingMessage, host: string): Fault | null {
  if (!isLoopbackPeer(socket.remoteAddress ?? ""))
    return new Fault("forbidden", "This server only accepts calls from its own machine.");
  const { origin } = headers;
  const site = headers["sec-fetch-site"] ?? "none";
  // A browser never reports our own origin for a request from elsewhere.
  const isFromElsewhere = site !== "same-origin" && site !== "none";
  if (isFromElsewhere && (origin === undefined || origin === `http://${host}`))
    return new Fault("forbidden_origin", "Pages from other sites may not call this server.");
  const hasBody = (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return hasBody && !bodyTypes.has(type)
    ? new Fault("invalid_content_type", "Send bodies as application/json or multipart/form-data.")
    : null;
}

function isLoopbackPeer(address: string): boolean {
  return isLoopback(address.startsWith("::ffff:") ? address.slice("::ffff:".length) : address);
}

function soleHost(rawHeaders: readonly string[]): string | null {
  let host: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") {
      if (host !== null) return null;
      host = rawHeaders[index + 1] ?? null;
    }
  }
  return host;
}

// A request without Origin passes (decisions, section 6): browsers send Origin with everything that could change state.
function refusePage(request: IncomingMessage, path: string, policy: ArrivalPolicy): Fault | null {
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (policy.origins === null || (origin === undefined && site === undefined)) return null;
  if (policy.openPaths.has(path)) return null;
  if (origin !== undefined && policy.origins.has(origin)) return null;
  if (origin !== undefined) {
    return new Fault(
      "forbidden_origin",
      "Pages from that origin may not call this server. Add it to ATELIER_CORS_ORIGINS to allow it.",
    );
  }
  if (site === "same-origin" || site === "none") return null;
  // Following a link to one of our pages is harmless: the other page cannot read the answer, and GET changes nothing.
  const isNavigation =
    request.headers["sec-fetch-mode"] === "navigate" && (request.method === "GET" || request.method === "HEAD");
  return isNavigation ? null : new Fault("forbidden_origin", "Pages from other sites may not call this server.");
}

// The Host values that a listener answers to.
export function hostsOf(names: readonly string[], port: number): string[] {
  return names.flatMap((name) => {
    const host = name.includes(":") && !name.startsWith("[") ? `[${name}]` : name;
    const withPort = `${host}:${port}`.toLowerCase();
    return port === 80 ? [withPort, host.toLowerCase()] : [withPort];
  });
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address === "localhost" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(address);
}
