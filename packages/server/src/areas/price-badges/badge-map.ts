// Every answer the badges endpoint can give, made beforehand: per version bucket and platform one body, per body three
// content codings, each with a strong ETag of its own bytes (RFC 9110: codings of one resource are told apart).
// A request only looks one up, so the same client always gets the same bytes, whatever else its request says.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { BytesAnswer } from "../../foundation/http/area.ts";
import { strongEtag } from "../../foundation/http/etag.ts";
import type { AppVersion } from "./app-version.ts";
import type { Platform, ServedRow } from "./badge-row.ts";
import type { ContentCoding } from "./content-coding.ts";
import { bucketIndex, bucketsOf } from "./resolve-badge.ts";

export interface PreparedAnswer {
  readonly etag: string;
  // 200 with the body, and 304 without one; both are sent as they are.
  readonly full: BytesAnswer;
  readonly notModified: BytesAnswer;
}

export type PreparedAnswers = Readonly<Record<ContentCoding, PreparedAnswer>>;

export interface BadgeMap {
  find(version: AppVersion | "latest", platform: Platform): PreparedAnswers;
}

interface PlatformAnswers {
  readonly boundaries: readonly AppVersion[];
  readonly answers: readonly PreparedAnswers[];
  readonly latest: PreparedAnswers;
}

export async function buildBadgeMap(rows: readonly ServedRow[], cacheControl: string): Promise<BadgeMap> {
  // Buckets and platforms often agree; equal bodies are compressed and kept once.
  const made = new Map<string, Promise<PreparedAnswers>>();
  const prepared = (body: string) => {
    const before = made.get(body);
    if (before) return before;
    const answers = prepare(Buffer.from(body), cacheControl);
    made.set(body, answers);
    return answers;
  };
  const forPlatform = async (platform: Platform): Promise<PlatformAnswers> => {
    const buckets = bucketsOf(rows, platform);
    const answers = await Promise.all(buckets.rows.map((bucket) => prepared(bodyOf(bucket))));
    return { boundaries: buckets.boundaries, answers, latest: await prepared(bodyOf(buckets.rows.at(-1) ?? [])) };
  };
  const [cloud, local] = await Promise.all([forPlatform("cloud"), forPlatform("local")]);
  return {
    find(version, platform) {
      const { boundaries, answers, latest } = platform === "cloud" ? cloud : local;
      return answers[bucketIndex(boundaries, version)] ?? latest;
    },
  };
}

// Written key by key and never through an object: no id can mean anything to JavaScript, and the order is ours.
export function bodyOf(rows: readonly ServedRow[]): string {
  return `{${rows.map((row) => `${JSON.stringify(row.nodeId)}:${row.badgeText}`).join(",")}}`;
}

const compressGzip = promisify(gzip);
const compressBrotli = promisify(brotliCompress);

// A window no larger than the body finds as much and spares each start megabytes of cleared memory for every body.
function brotliParams(bytes: number): Record<number, number> {
  const window = Math.min(Math.max(Math.ceil(Math.log2(bytes + 16)), 10), constants.BROTLI_DEFAULT_WINDOW);
  return {
    [constants.BROTLI_PARAM_QUALITY]: 9,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes,
  };
}

async function prepare(body: Buffer, cacheControl: string): Promise<PreparedAnswers> {
  const [zipped, brotli] = await Promise.all([
    compressGzip(body, { level: 9 }),
    compressBrotli(body, { params: brotliParams(body.byteLength) }),
  ]);
  const identity = answerOf(body, null, cacheControl);
  // Where compressing gains nothing, as on an empty map, the plain bytes serve.
  const smaller = (bytes: Buffer, coding: string) =>
    bytes.byteLength < body.byteLength ? answerOf(bytes, coding, cacheControl) : identity;
  return { identity, gzip: smaller(zipped, "gzip"), br: smaller(brotli, "br") };
}

function answerOf(bytes: Buffer, coding: string | null, cacheControl: string): PreparedAnswer {
  const etag = strongEtag(bytes);
  const always = { "cache-control": cacheControl, etag, vary: "Accept-Encoding" };
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
