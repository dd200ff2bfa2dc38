// Uploads a large file with the tus protocol: in pieces, each acknowledged. After a cut we ask the server where to resume.
import { AtelierError } from "./failures.ts";
import { backOffMs, pause } from "./pause.ts";
import type { PutOptions } from "./put-options.ts";
import { pickCallOptions, type Transport } from "./transport.ts";

interface ResumableOptions {
  readonly blob: Blob;
  readonly filePath: string;
  readonly contentType: string;
  readonly hash: string;
  readonly options: PutOptions;
}

const pieceBytes = 16 * 1024 * 1024;
const failuresMax = 8;
const version = { "tus-resumable": "1.0.0" };

// Returns the link to the new asset.
export async function resumableUpload(transport: Transport, request: ResumableOptions): Promise<string> {
  const { blob, options } = request;
  const call = pickCallOptions(options);
  const begun = options.resumeFrom === undefined ? null : await findUpload(transport, options.resumeFrom, options);
  if (begun?.done) return begun.done;
  const address = begun === null ? await beginUpload(transport, request) : begun.address;
  options.onAddress?.(address);
  let offset = begun?.offset ?? 0;
  if (offset > 0) options.onProgress?.(offset, blob.size);
  for (let failures = 0; ; ) {
    try {
      const answer = await transport.send(address, {
        ...call,
        method: "PATCH",
        headers: { ...version, "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        body: blob.slice(offset, offset + pieceBytes),
        usualTimeoutMs: 600_000,
        maxRetries: 0,
      });
      offset = offsetOf(answer);
      failures = 0;
      options.onProgress?.(offset, blob.size);
      if (offset >= blob.size) return required(answer, "location");
    } catch (thrown) {
      if (!mayGoOn(thrown) || ++failures > failuresMax) throw thrown;
      await pause(backOffMs(failures), options.signal);
      const asked = await transport.send(address, { ...call, method: "HEAD", headers: version });
      offset = offsetOf(asked);
      const done = asked.headers.get("location");
      if (offset >= blob.size && done !== null) return done;
    }
  }
}

async function beginUpload(transport: Transport, request: ResumableOptions): Promise<string> {
  const created = await transport.send("/api/v2/uploads", {
    ...pickCallOptions(request.options),
    method: "POST",
    headers: { ...version, "upload-length": String(request.blob.size), "upload-metadata": metadataOf(request) },
    isRepeatable: true,
  });
  return required(created, "location");
}

// Null if the upload is gone; then the bytes go up again from the start.
async function findUpload(transport: Transport, address: string, options: PutOptions) {
  const ask = { ...pickCallOptions(options), method: "HEAD", headers: version, accept: [404, 410] } as const;
  const asked = await transport.send(address, ask);
  return asked.ok ? { address, offset: offsetOf(asked), done: asked.headers.get("location") } : null;
}

// A wrong offset means that more, or less, arrived than was acknowledged.
function mayGoOn(thrown: unknown): boolean {
  return thrown instanceof AtelierError && (thrown.isRetryable || thrown.status === 409 || thrown.status >= 500);
}

function offsetOf(answer: Response): number {
  return Number(required(answer, "upload-offset"));
}

function required(answer: Response, name: string): string {
  const value = answer.headers.get(name);
  if (value === null) throw new Error(`The server's response has no ${name}.`);
  return value;
}

function metadataOf({ filePath, contentType, hash, options }: ResumableOptions): string {
  const pairs = {
    file_path: filePath,
    content_type: contentType,
    expected_hash: hash,
    ...(options.tags === undefined ? {} : { tags: options.tags.join(",") }),
    ...(options.expiresIn === undefined ? {} : { expires_in: String(options.expiresIn) }),
  };
  return Object.entries(pairs)
    .map(([name, value]) => `${name} ${base64(value)}`)
    .join(",");
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
