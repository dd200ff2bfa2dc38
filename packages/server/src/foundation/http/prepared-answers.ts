// Answers that are prepared once and sent unchanged: one body in three content codings, each with a strong ETag of its own
// bytes (RFC 9110: codings of one resource have different ETags).
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BytesAnswer, Incoming } from "./area.ts";
import { type ContentCoding, rememberedCoding } from "./body/content-coding.ts";
import { matchesIfNoneMatch, strongEtag } from "./etag.ts";

export interface PreparedAnswer {
  readonly etag: string;
  // 200 with the body, and 304 without one.
  readonly full: BytesAnswer;
  readonly notModified: BytesAnswer;
}

export type PreparedAnswers = Readonly<Record<ContentCoding, PreparedAnswer>>;

export interface PreparedHeaders {
  readonly cacheControl: string;
  readonly vary: string;
}

export type AnswerChooser = (prepared: PreparedAnswers, request: Pick<Incoming<unknown>, "headers">) => BytesAnswer;

export function answerChooser(): AnswerChooser {
  const codingFor = rememberedCoding();
  return (prepared, { headers }) => {
    const { etag, full, notModified } = prepared[codingFor(headers["accept-encoding"])];
    const held = headers["if-none-match"];
    return held !== undefined && matchesIfNoneMatch(held, etag) ? notModified : full;
  };
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);
// Above this, the last few percent of compression cost seconds.
const thoroughBytesMax = 1024 * 1024;

// A window no larger than the body compresses just as well and saves clearing megabytes of memory for each body at every start.
function brotliParams(bytes: number): Record<number, number> {
  const window = Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), 10), constants.BROTLI_DEFAULT_WINDOW);
  return {
    [constants.BROTLI_PARAM_QUALITY]: bytes > thoroughBytesMax ? 5 : 9,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  };
}

export async function prepareAnswers(body: Buffer, headers: PreparedHeaders): Promise<PreparedAnswers> {
  const [zipped, brotli] = await Promise.all([
    compressGzip(body, { level: body.byteLength > thoroughBytesMax ? 6 : 9 }),
    compressBrotli(body, { params: brotliParams(body.byteLength) }),
  ]);
  const identity = buildAnswer(body, null, headers);
  // If compression gains nothing, as for an empty map, the plain bytes serve.
  const smaller = (bytes: Buffer, coding: string) =>
    bytes.byteLength < body.byteLength ? buildAnswer(bytes, coding, headers) : identity;
  return { identity, gzip: smaller(zipped, "gzip"), br: smaller(brotli, "br") };
}

// For answers that change too often to be compressed thoroughly.
export async function quickAnswers(body: Buffer, headers: PreparedHeaders): Promise<PreparedAnswers> {
  const zipped = buildAnswer(await compressGzip(body, { level: 1 }), "gzip", headers);
  return { identity: buildAnswer(body, null, headers), gzip: zipped, br: zipped };
}

// For answers requested too rarely to be worth compressing.
export function plainAnswers(body: Buffer, headers: PreparedHeaders): PreparedAnswers {
  const identity = buildAnswer(body, null, headers);
  return { identity, gzip: identity, br: identity };
}

function buildAnswer(bytes: Buffer, coding: string | null, { cacheControl, vary }: PreparedHeaders): PreparedAnswer {
  const etag = strongEtag(bytes);
  const always = { "cache-control": cacheControl, etag, vary };
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(bytes.byteLength),
    ...always,
    ...(coding === null ? {} : { "content-encoding": coding }),
  };
  return {
    etag,
    full: { status: 200, headers, body: bytes },
    notModified: { status: 304, headers: always },
  };
}
