// Saves a model's answer. We find media wherever the provider put it: as the body itself, as a URL, as a data: URL or as base64
// under a name that says so. An answer without media is saved as it is.
import { statSync } from "node:fs";
import { basename, extname } from "node:path";
import { type Atelier, AtelierError, type ModelResult } from "@atelier/sdk";
import { keepFile, replaceFile } from "../files/keep-file.ts";
import { safeName } from "../jobs/save-outputs.ts";
import { isRecord } from "../json-record.ts";
import { ClientProblem } from "../server/client-problem.ts";

type Medium =
  // `name`: as the answer calls the file; null if it does not.
  | { readonly kind: "address"; readonly url: string; readonly name: string | null }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array; readonly extension: string };

export async function saveAnswer(
  atelier: Atelier,
  answer: Pick<ModelResult<unknown>, "data" | "bytes" | "contentType" | "idempotencyKey">,
  target: string,
): Promise<string[]> {
  const isFolder = namesFolder(target);
  const isJson = /json/i.test(answer.contentType);
  const media = isJson ? mediaIn(answer.data) : [];
  const whole: Medium = { kind: "bytes", bytes: answer.bytes, extension: extensionOf(answer.contentType) };
  const files: string[] = [];
  for (const [index, medium] of (media.length === 0 ? [whole] : media).entries()) {
    const bytes = medium.kind === "bytes" ? medium.bytes : await fetched(atelier, medium.url, answer.idempotencyKey);
    files.push(
      isFolder
        ? await keepFile(bytes, { folder: target, name: nameOf(medium, index) })
        : await replaceFile(index === 0 ? target : numbered(target, index + 1), bytes),
    );
  }
  return files;
}

// The call is already paid for. A failed download must not look as if the call had failed, or as if the key were wrong.
export async function fetched(
  atelier: Atelier,
  url: string,
  key: string | null,
): Promise<ReadableStream<Uint8Array> | null> {
  try {
    return (await atelier.request(url)).body;
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    const reason = error.status === 0 ? "no answer" : String(error.status);
    const message = `The model answered, but its output cannot be downloaded from ${url} (${reason}).`;
    throw new ClientProblem("ran_and_failed", "output_unavailable", message, {
      hint:
        key === null
          ? "the answer is kept for a day; leave -o out to print it"
          : `repeat the call with --idempotency-key ${key} to get the answer again for free; leave -o out to print it`,
    });
  }
}

// A target is a folder if one exists there, or if it ends in a slash.
export const namesFolder = (target: string): boolean =>
  target.endsWith("/") || statSync(target, { throwIfNoEntry: false })?.isDirectory() === true;

// fox.png, fox-2.png, fox-3.png
export function numbered(path: string, number: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${number}${extension}`;
}

function nameOf(medium: Medium, index: number): string {
  if (medium.kind === "bytes") return `answer-${index + 1}.${medium.extension}`;
  return safeName({ name: medium.name ?? basename(new URL(medium.url).pathname), id: `answer-${index + 1}` });
}

const mediaPath = /\.(png|jpe?g|webp|gif|avif|mp4|webm|mov|mp3|wav|flac|ogg|opus|glb|svg)$/i;

const mediaKey = /(^|_)(url|uri|sample|output|image|video|audio)s?$/i;
// Members that point to the provider's API (status, cancel, callback), which needs the provider's key.
const followUpKey =
  /(^|_)(status|poll|polling|cancel|stop|response|request|webhook|callback|next|self|get|logs?|stream)_ur[li]$/i;

export function mediaIn(value: unknown, key = "", name: string | null = null): Medium[] {
  if (typeof value === "string") return mediumOf(value, key, name);
  if (Array.isArray(value)) return value.flatMap((each) => mediaIn(each, key));
  if (!isRecord(value)) return [];
  // A file as works describe it: {"url": …, "name": "fox.png"}.
  const { name: given } = value;
  const own = typeof given === "string" && mediaPath.test(given) ? given : null;
  return Object.entries(value).flatMap(([member, each]) => mediaIn(each, member, member === "url" ? own : null));
}

function mediumOf(text: string, key: string, name: string | null): Medium[] {
  if (URL.canParse(text) && /^https?:/i.test(text)) {
    const isMedia = mediaPath.test(new URL(text).pathname) || (mediaKey.test(key) && !followUpKey.test(key));
    return isMedia ? [{ kind: "address", url: text, name }] : [];
  }
  const [, type, data] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.+)$/s.exec(text) ?? [];
  if (type !== undefined && data !== undefined)
    return [{ kind: "bytes", bytes: Buffer.from(data, "base64"), extension: extensionOf(type) }];
  if (/(b64|base64)/i.test(key) && /^[A-Za-z0-9+/\s]{16,}={0,2}$/.test(text)) {
    const bytes = Buffer.from(text, "base64");
    return [{ kind: "bytes", bytes, extension: sniff(bytes) }];
  }
  return [];
}

const extensions: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/gif": "gif",
  "video/mp4": "mp4",
  "video/webm": "webm",
  "audio/mpeg": "mp3",
  "audio/wav": "wav",
  "audio/flac": "flac",
  "application/json": "json",
  "text/plain": "txt",
};

export const extensionOf = (contentType: string): string =>
  extensions[contentType.split(";")[0]?.trim().toLowerCase() ?? ""] ?? "bin";

function sniff(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  if (head.startsWith("\u0089PNG")) return "png";
  if (head.startsWith("\u00ff\u00d8")) return "jpg";
  if (head.startsWith("RIFF")) return head.endsWith("WEBP") ? "webp" : "wav";
  return head.slice(4, 8) === "ftyp" ? "mp4" : "bin";
}
