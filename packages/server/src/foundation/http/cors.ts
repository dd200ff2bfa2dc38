// Which pages may read our answers. Price badges are open to all (Spec: public, cacheable); everything else uses an exact list,
// empty by default. We never send `*` together with credentials, and no header at all for an unlisted origin.
import { exposedHeaders } from "@atelier/contract";
import type { Arrival, BytesAnswer, HeaderValues } from "./area.ts";

const exposed = [
  ...exposedHeaders,
  "Content-Disposition",
  "Tus-Checksum-Algorithm",
  "Tus-Extension",
  "Tus-Resumable",
  "Tus-Version",
  "Upload-Concat",
  "Upload-Defer-Length",
  "Upload-Expires",
  "Upload-Length",
  "Upload-Offset",
].join(", ");

const openHeaders: HeaderValues = { "access-control-allow-origin": "*", "access-control-expose-headers": exposed };
const listedVary: HeaderValues = { vary: "Origin" };

export function corsHeaders(
  mode: "open" | "listed",
  origin: string | undefined,
  listed: ReadonlySet<string>,
): HeaderValues | null {
  // Even without Origin, so that a shared cache never stores an answer that a page cannot read.
  if (mode === "open") return openHeaders;
  if (listed.size === 0) return null;
  if (origin === undefined || !listed.has(origin)) return listedVary;
  return { "access-control-allow-origin": origin, "access-control-expose-headers": exposed, vary: "Origin" };
}

// Pages of `readerOrigins` may read answers to GET, and nothing else.
export function resolveCors(
  { corsOrigins, readerOrigins }: { corsOrigins: ReadonlySet<string>; readerOrigins?: () => ReadonlySet<string> },
  mode: "open" | "listed",
  method: string,
  origin: string | undefined,
): HeaderValues | null {
  if (readerOrigins === undefined || (origin !== undefined && corsOrigins.has(origin)))
    return corsHeaders(mode, origin, corsOrigins);
  return corsHeaders(mode, origin, method === "GET" ? readerOrigins() : corsOrigins);
}

export function isPreflight(arrival: Pick<Arrival, "method" | "headers">): boolean {
  return (
    arrival.method === "OPTIONS" &&
    arrival.headers.origin !== undefined &&
    arrival.headers["access-control-request-method"] !== undefined
  );
}

// Answers a CORS preflight, or an OPTIONS request about what an area offers. Null if the request is neither.
export function answerOptions(
  arrival: Pick<Arrival, "method" | "headers">,
  known: {
    readonly methods: readonly string[];
    readonly cors: HeaderValues | null;
    readonly offered: HeaderValues | undefined;
  },
): BytesAnswer | null {
  const { methods, cors, offered } = known;
  if (methods.length === 0 || arrival.method !== "OPTIONS") return null;
  if (isPreflight(arrival) && cors?.["access-control-allow-origin"] !== undefined)
    return answerPreflight(methods, cors);
  return offered === undefined ? null : { status: 204, headers: { ...cors, ...offered } };
}

export function answerPreflight(methods: readonly string[], headers: HeaderValues): BytesAnswer {
  return {
    status: 204,
    headers: {
      ...headers,
      "access-control-allow-methods": methods.join(", "),
      "access-control-allow-headers":
        "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, Range, X-API-Key, X-Service-Job-Id, X-Service-Max-Credits, Tus-Resumable, Upload-Length, Upload-Offset, Upload-Metadata, Upload-Checksum, Upload-Concat, Upload-Defer-Length",
      "access-control-max-age": "600",
    },
  };
}
