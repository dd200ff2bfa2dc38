// Serves the bytes of an asset over HTTP, the same way under a credential and behind a signed URL. No matter what the
// bytes are, a browser runs nothing: we set the type ourselves, add nosniff (as on every answer) and a sandbox, and force
// a download unless the type is on the short list (decisions, section 1).
import { invariant } from "../../foundation/assert.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival, BytesAnswer, Envelope, HeaderValues } from "../../foundation/http/area.ts";
import { matchesIfNoneMatch } from "../../foundation/http/etag.ts";
import type { Blobs, DirectRead } from "../blobs/index.ts";
import type { Asset } from "./asset.ts";
import { type ByteRange, readRange } from "./byte-range.ts";
import { contentDisposition } from "./content-disposition.ts";
import { fileNameOf } from "./file-path.ts";
import { isShown } from "./media-type.ts";

// Any stored bytes can be served this way, whether they are an asset or not.
export type ServedBytes = Pick<Asset, "hash" | "size" | "servedType" | "filePath"> & { readonly id: string };

export type ContentRequest = Pick<Arrival, "method" | "headers">;

export interface ContentRules {
  readonly cacheControl: string;
  readonly asAttachment: boolean;
  // How long the requested address still works, which is the longest we may redirect the caller to the store for. If
  // absent, we serve the bytes ourselves.
  readonly directSeconds?: number;
  // The fault to report if the bytes are missing from the store. By default it is our own error; set this if the store
  // belongs to the caller.
  readonly goneAs?: "output_unavailable";
}

// The requested range is outside the bytes. The area reports it in its envelope, with this Content-Range.
export interface OutsideRange {
  readonly contentRange: string;
}

export const sandboxHeaders: HeaderValues = {
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
  // Access is decided by the address or the credential, so pages of other origins may show what they were given.
  "cross-origin-resource-policy": "cross-origin",
};

export type ContentAnswer = BytesAnswer | OutsideRange;

// Synchronous if the bytes are in memory.
export function answerContent(
  blobs: Pick<Blobs, "open" | "inMemory" | "directUrl">,
  asset: ServedBytes,
  request: ContentRequest,
  rules: ContentRules,
): ContentAnswer | Promise<ContentAnswer> {
  const { etag, headers: whole } = wholeHead(asset, rules);
  if (matchesIfNoneMatch(request.headers["if-none-match"], etag)) {
    return { status: 304, headers: { etag, "cache-control": rules.cacheControl } };
  }
  const wanted = mayUseRange(request, etag) ? readRange(request.headers.range, asset.size) : "whole";
  if (wanted === "unsatisfiable") return { contentRange: `bytes */${asset.size}` };
  const range = wanted === "whole" ? undefined : wanted;
  const fromHere = () => bytesFromHere(blobs, asset, { request, range, whole, goneAs: rules.goneAs });
  const direct = blobs.directUrl && directRead(asset, request, rules);
  if (!blobs.directUrl || direct === null) return fromHere();
  return blobs.directUrl(asset.hash, direct).then((url) => (url === null ? fromHere() : sentTo(url)));
}

interface FromHere {
  readonly request: ContentRequest;
  readonly range: ByteRange | undefined;
  readonly whole: HeaderValues;
  readonly goneAs: ContentRules["goneAs"];
}

function bytesFromHere(
  blobs: Pick<Blobs, "open" | "inMemory">,
  asset: ServedBytes,
  { request, range, whole, goneAs }: FromHere,
): BytesAnswer | Promise<BytesAnswer> {
  const headers = range === undefined ? whole : { ...whole, ...rangeHeaders(range, asset.size) };
  const status = range === undefined ? 200 : 206;
  if (request.method === "HEAD") return { status, headers };
  const inMemory = blobs.inMemory(asset.hash, range);
  if (inMemory) {
    requireSize(asset, inMemory.size);
    return { status, headers, body: inMemory.bytes };
  }
  return openBlob(blobs, asset, range, goneAs).then((body) => ({ status, headers, body }));
}

// Most clients use the store's address immediately. Players return to it for each part of a film, so theirs lasts longer.
const directSecondsMax = 60;
const playedSecondsMax = 3600;

// Decides whether the caller may be redirected to the store, and for how long: never longer than the address they came by
// still works. We never redirect a request with a credential, because the next request would carry it to a host that is
// not ours; nor a page's script, because CORS is ours to decide; nor text shown inline, which relies on our nosniff
// header.
function directRead(asset: ServedBytes, { method, headers }: ContentRequest, rules: ContentRules): DirectRead | null {
  const isOpen = ["origin", "authorization", "x-api-key", "cookie"].every((name) => headers[name] === undefined);
  const isPlayed = /^(?:video|audio)\//.test(asset.servedType);
  const seconds = Math.floor(Math.min(rules.directSeconds ?? 0, isPlayed ? playedSecondsMax : directSecondsMax));
  const contentDisposition = dispositionOf(asset, rules.asAttachment);
  const isShownText = contentDisposition.startsWith("inline") && asset.servedType.startsWith("text/");
  if (!isOpen || isShownText || seconds < 1 || (method !== "GET" && method !== "HEAD")) return null;
  const { cacheControl } = rules;
  return { method, seconds, contentType: asset.servedType, contentDisposition, cacheControl };
}

// Every redirect has a new address that lives for seconds, so no cache may keep it.
function sentTo(url: string): BytesAnswer {
  return { status: 302, headers: { ...sandboxHeaders, location: url, "cache-control": "no-store" } };
}

interface WholeHead {
  readonly etag: string;
  readonly headers: HeaderValues;
}

// Concurrent requests for the same file share one record, so for a moment they can share its headers too.
const lastHeads = new WeakMap<ServedBytes, WholeHead & Pick<ContentRules, "cacheControl" | "asAttachment">>();

function wholeHead(asset: ServedBytes, { cacheControl, asAttachment }: ContentRules): WholeHead {
  const last = lastHeads.get(asset);
  if (last?.cacheControl === cacheControl && last.asAttachment === asAttachment) return last;
  const etag = `"${asset.hash}"`;
  const headers: HeaderValues = {
    ...sandboxHeaders,
    etag,
    "cache-control": cacheControl,
    "content-type": asset.servedType,
    "content-disposition": dispositionOf(asset, asAttachment),
    "accept-ranges": "bytes",
    "content-length": String(asset.size),
  };
  lastHeads.set(asset, { etag, headers, cacheControl, asAttachment });
  return { etag, headers };
}

function rangeHeaders({ start, end }: ByteRange, size: number): HeaderValues {
  return { "content-length": String(end - start + 1), "content-range": `bytes ${start}-${end}/${size}` };
}

export function isOutsideRange(answer: ContentAnswer): answer is OutsideRange {
  return "contentRange" in answer;
}

// Passes the answer on, or reports a bad range in the envelope of the area that serves the bytes.
export function withinRange(answer: ContentAnswer, arrival: Arrival, envelope: Envelope): BytesAnswer {
  if (!isOutsideRange(answer)) return answer;
  const refused = envelope(new Fault("range_not_satisfiable", "The requested range is outside the file."), arrival);
  return { ...refused, headers: { ...refused.headers, "content-range": answer.contentRange } };
}

// RFC 9110, 13.1.5: if the validator differs, the range refers to other bytes.
function mayUseRange({ headers }: ContentRequest, etag: string): boolean {
  const ifRange = headers["if-range"];
  return ifRange === undefined || ifRange === etag;
}

async function openBlob(
  blobs: Pick<Blobs, "open">,
  asset: Pick<ServedBytes, "id" | "hash" | "size">,
  range: { start: number; end: number } | undefined,
  goneAs: ContentRules["goneAs"],
) {
  const opened = await blobs.open(asset.hash, range).catch((thrown: unknown) => {
    const isLoss = thrown instanceof Fault && thrown.code === "internal_error";
    throw goneAs !== undefined && isLoss ? gone(goneAs, thrown) : thrown;
  });
  if (opened === null) {
    if (goneAs !== undefined) throw gone(goneAs);
    throw new Fault("internal_error", "This asset cannot be read right now. Try again later.", {
      cause: new Error(`the blob ${asset.hash} of asset ${asset.id} is missing`),
    });
  }
  if (opened.size !== asset.size) await opened.source.close();
  requireSize(asset, opened.size);
  return opened.bytes ?? opened.source;
}

function requireSize(asset: Pick<ServedBytes, "hash" | "size">, size: number): void {
  invariant(size === asset.size, `the blob ${asset.hash} has the size of its assets`);
}

function gone(code: NonNullable<ContentRules["goneAs"]>, cause?: unknown): Fault {
  return new Fault(code, "The bytes of this asset are lost; retrying will not help.", { cause });
}

function dispositionOf(asset: ServedBytes, asAttachment: boolean): string {
  const name = asset.filePath === null ? asset.id : fileNameOf(asset.filePath);
  return contentDisposition(asAttachment || !isShown(asset.servedType) ? "attachment" : "inline", name);
}
