// Parses the announcement of a resumable upload: its length or that it comes later, what the file is, and whether it is part of
// another upload or made of parts. Contradictions are refused with 400.
import type { IncomingHttpHeaders } from "node:http";
import type { UploadId } from "../../../capabilities/assets/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { parseId } from "../../../foundation/ids.ts";
import { readUploadMetadata } from "./upload-metadata.ts";

interface Announced {
  readonly file: ReturnType<typeof readUploadMetadata>;
  // As sent.
  readonly metadata: string;
}

interface NewUpload extends Announced {
  readonly partialIds: null;
  readonly length: number | null;
  readonly concat: "partial" | null;
}

interface FinalUpload extends Announced {
  readonly partialIds: readonly UploadId[];
  readonly concat: string;
}

export function readAnnouncement(headers: IncomingHttpHeaders): NewUpload | FinalUpload {
  const metadata = readText(headers, "upload-metadata") ?? "";
  const concat = readText(headers, "upload-concat") ?? null;
  if (concat?.startsWith("final;")) {
    if (headers["upload-length"] !== undefined || headers["upload-defer-length"] !== undefined)
      throw refused("A final upload is as long as its parts. Leave out Upload-Length and Upload-Defer-Length.");
    return { file: readUploadMetadata(metadata), metadata, concat, partialIds: readPartials(concat) };
  }
  if (concat !== null && concat !== "partial")
    throw refused("Upload-Concat must be partial, or final; followed by the URLs of partial uploads.");
  const length = readLength(headers);
  // Metadata of a partial upload means nothing: the final one is the file.
  const file = concat === null ? readUploadMetadata(metadata) : partOfAFile;
  return { file, metadata, concat, length, partialIds: null };
}

const partOfAFile: Announced["file"] = {
  contentType: "application/octet-stream",
  filePath: null,
  tags: [],
  keepSeconds: null,
  expectedHash: null,
};

// tus: exactly one of the two.
function readLength(headers: IncomingHttpHeaders): number | null {
  const deferred = readText(headers, "upload-defer-length");
  if (deferred === undefined) return headerCount(headers, "upload-length");
  if (deferred !== "1") throw refused("Upload-Defer-Length must be 1.");
  if (headers["upload-length"] !== undefined)
    throw refused("Send either Upload-Length or Upload-Defer-Length, not both.");
  return null;
}

// URLs or paths, separated by spaces; the end of the path names the upload. Ownership is checked where it is looked up.
function readPartials(concat: string): readonly UploadId[] {
  const addresses = concat.slice("final;".length).split(" ").filter(Boolean);
  const ids = addresses.map((address) => {
    const path = URL.parse(address, "http://upload")?.pathname ?? "";
    const id = parseId<"upload">(/\/api\/v2\/uploads\/([^/]+)$/.exec(path)?.[1] ?? "");
    if (id === null) throw refused("Upload-Concat contains a URL that is not an upload.");
    return id;
  });
  if (ids.length === 0) throw refused("Upload-Concat names no partial upload.");
  if (new Set(ids).size < ids.length) throw refused("Upload-Concat names a partial upload twice.");
  return ids;
}

export function headerCount(headers: IncomingHttpHeaders, name: string): number {
  const text = readText(headers, name);
  if (text === undefined || !/^\d{1,15}$/.test(text)) throw refused(`${name} must be a whole number.`);
  return Number(text);
}

function readText(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === "string" ? value : undefined;
}

function refused(message: string): Fault {
  return new Fault("invalid_request", message);
}
