// v2 assets. We hash the bytes here and send them only if the server does not have them. Large files go up in pieces and survive
// a dropped connection. The hashing code is loaded with the first upload, not before.
import { blobOf } from "./blob-of.ts";
import { NotFound } from "./failures.ts";
import type { Asset, AssetTags, Output } from "./generated/wire.ts";
import { readJson, walk } from "./pages.ts";
import type { PutOptions } from "./put-options.ts";
import { type CallOptions, type HashBlob, pickCallOptions, type Transport } from "./transport.ts";

/** Bytes to store. In Node a file is `await fileSource("photo.png")`, in a browser a `File`. */
export type AssetSource = Blob | Uint8Array | ArrayBuffer;

/** Which assets to list. */
export interface ListAssetsOptions extends CallOptions {
  readonly tag?: string;
  readonly kind?: string;
  readonly jobId?: string;
  /** Only uploads, or only outputs of jobs. */
  readonly source?: "upload" | "output";
  /** Part of the name. */
  readonly q?: string;
  readonly hash?: string;
  readonly pageSize?: number;
}

/** A URL that works without a key, and when it expires; null if the surface has no such URLs. */
export interface SharedUrl {
  readonly url: string;
  readonly expiresAt: Date | null;
}

/**
 * A file on this machine, to store. Its bytes are read while they are sent. Node, Deno and Bun.
 * @example
 * const asset = await atelier.assets.put(await fileSource("photo.png"));
 */
export async function fileSource(path: string): Promise<File> {
  const { openAsBlob, promises }: NodeFiles = await import(/* webpackIgnore: true */ nodeFs);
  const name = path.split(/[\\/]/).at(-1) ?? "file";
  // Opening a missing file reports neither its name nor the reason, so we check first.
  const found = await promises.stat(path).catch((thrown: unknown) => {
    throw new Error(`Cannot read "${path}": ${reasonOf(thrown)}.`, { cause: thrown });
  });
  if (!found.isFile()) throw new Error(`"${path}" is not a file.`);
  return new File([await openAsBlob(path)], name);
}

interface NodeFiles {
  openAsBlob(path: string): Promise<Blob>;
  readonly promises: { stat(path: string): Promise<{ isFile(): boolean }> };
}

function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : "";
  return code === "ENOENT" ? "no such file" : String(code || thrown);
}

// A variable, because bundlers for browsers try to resolve a literal.
const nodeFs: string = "node:fs";

/** How a graph refers to an asset. */
export function referenceTo({ id }: Pick<Asset, "id">): {
  readonly __type: "core/ASSET";
  readonly info: { readonly id: string };
} {
  return { __type: "core/ASSET", info: { id } };
}

/** How an estimated graph refers to a file that is uploaded only on submission. */
export function referenceToLater(filePath: string): {
  readonly __type: "core/ASSET";
  readonly info: { readonly file_path: string };
} {
  return { __type: "core/ASSET", info: { file_path: filePath } };
}

const hashHere: HashBlob = async (blob, signal) => {
  const { blake3OfBlob } = await import("./blake3.ts");
  return `blake3:${await blake3OfBlob(blob, signal)}`;
};

/** v2 assets: `atelier.assets`. */
export class Assets {
  readonly #transport: Transport;

  readonly #hashOf: HashBlob;

  constructor(transport: Transport, hashOf: HashBlob = hashHere) {
    this.#transport = transport;
    this.#hashOf = hashOf;
  }

  /**
   * Stores bytes. Bytes the workspace already has are not sent again.
   * @example
   * const asset = await atelier.assets.put(new TextEncoder().encode("hello"), { filePath: "hello.txt" });
   */
  async put(source: AssetSource, options: PutOptions = {}): Promise<Asset> {
    const blob = blobOf(source);
    const named = blob instanceof File ? blob.name : "file";
    const filePath = options.filePath ?? named;
    const contentType = options.contentType ?? (blob.type || typeOf(filePath));
    const hash = options.hash ?? (await this.#hashOf(blob, options.signal));
    const call = pickCallOptions(options);
    if (await this.has(hash, call)) {
      const known = await this.#fromHash(hash, filePath, options);
      if (known !== null) return known;
    }
    if (blob.size >= (options.resumableFromBytes ?? 32 * 1024 * 1024)) {
      const { resumableUpload } = await import("./resumable-upload.ts");
      const link = await resumableUpload(this.#transport, { blob, filePath, contentType, hash, options });
      return readJson(this.#transport, link, call);
    }
    const form = new FormData();
    form.set("content_type", contentType);
    form.set("file_path", filePath);
    form.set("expected_hash", hash);
    for (const tag of options.tags ?? []) form.append("tags", tag);
    if (options.expiresIn !== undefined) form.set("expires_in", String(options.expiresIn));
    form.set("file", blob, filePath);
    // The same bytes under the same name are the same asset, so a repeated request creates nothing new.
    const ask = {
      ...call,
      method: "POST",
      body: form,
      isRepeatable: true,
      usualTimeoutMs: 600_000,
    } as const;
    const asset: Asset = await readJson(this.#transport, "/api/v2/assets", ask);
    options.onProgress?.(blob.size, blob.size);
    return asset;
  }

  /** Whether the workspace has these bytes; `hash` is blake3: and 64 hexadecimal digits. */
  async has(hash: string, options: CallOptions = {}): Promise<boolean> {
    const ask = { ...options, method: "HEAD", accept: [404] } as const;
    return (await this.#transport.send(`/api/v2/assets/by-hash/${encodeURIComponent(hash)}`, ask)).ok;
  }

  async #fromHash(hash: string, filePath: string, options: PutOptions): Promise<Asset | null> {
    const json = {
      hash,
      file_path: filePath,
      ...(options.tags === undefined ? {} : { tags: options.tags }),
      ...(options.expiresIn === undefined ? {} : { expires_in: options.expiresIn }),
    };
    try {
      const ask = { ...pickCallOptions(options), method: "POST", json, isRepeatable: true } as const;
      return await readJson(this.#transport, "/api/v2/assets/from-hash", ask);
    } catch (thrown) {
      if (thrown instanceof NotFound) return null;
      throw thrown;
    }
  }

  /** An asset by its id, with a fresh URL. */
  get(id: string, options: CallOptions = {}): Promise<Asset> {
    return readJson(this.#transport, `/api/v2/assets/${encodeURIComponent(id)}`, options);
  }

  /**
   * Your assets, newest first.
   * @example
   * for await (const asset of atelier.assets.list({ kind: "image" })) console.log(asset.file_path);
   */
  list(options: ListAssetsOptions = {}): AsyncGenerator<Asset, void> {
    const { tag, kind, jobId, source, q, hash, pageSize, ...call } = options;
    const query = { tag, kind, job: jobId, source, q, hash, limit: pageSize };
    return walk(this.#transport, "/api/v2/assets", { ...call, query });
  }

  /** Adds and removes tags of an asset. */
  changeTags(id: string, change: AssetTags, options: CallOptions = {}): Promise<Asset> {
    const ask = { ...options, method: "PATCH", json: change, isRepeatable: true } as const;
    return readJson(this.#transport, `/api/v2/assets/${encodeURIComponent(id)}`, ask);
  }

  /** Deletes an asset. Its bytes go when nothing else uses them. */
  async delete(id: string, options: CallOptions = {}): Promise<void> {
    await this.#transport.send(`/api/v2/assets/${encodeURIComponent(id)}`, { ...options, method: "DELETE" });
  }

  /** A URL to share: it works without a key until it expires. Ask for a fresh one each time you show it. */
  async share(asset: Pick<Asset, "id"> | Pick<Output, "id">, options: CallOptions = {}): Promise<SharedUrl> {
    const { url, url_expires_at: expiry } = await this.get(asset.id, options);
    return { url, expiresAt: expiry === null ? null : new Date(expiry) };
  }

  /** All bytes of an asset or output. */
  async download(of: Pick<Asset | Output, "urls">, options: CallOptions = {}): Promise<Uint8Array> {
    const response = await this.open(of, options);
    return new Uint8Array(await response.arrayBuffer());
  }

  /**
   * The bytes as a stream, all of them or a range.
   * @example
   * const { body } = await atelier.assets.open(asset, { range: { from: 0, to: 1023 } });
   */
  async open(
    of: Pick<Asset | Output, "urls">,
    options: CallOptions & { readonly range?: { readonly from: number; readonly to?: number } } = {},
  ): Promise<Response> {
    const { range, ...call } = options;
    const headers: Record<string, string> = range ? { range: `bytes=${range.from}-${range.to ?? ""}` } : {};
    // The content endpoint would redirect us to this address, and a browser drops its Origin on such a redirect.
    const { url }: Asset = await readJson(this.#transport, of.urls.self, pickCallOptions(call));
    return this.#transport.send(url, { ...call, headers, usualTimeoutMs: 600_000 });
  }
}

const types: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  webp: "image/webp",
  gif: "image/gif",
  mp4: "video/mp4",
  webm: "video/webm",
  mp3: "audio/mpeg",
  wav: "audio/wav",
  flac: "audio/flac",
  txt: "text/plain",
  json: "application/json",
};

function typeOf(path: string): string {
  return types[path.split(".").at(-1)?.toLowerCase() ?? ""] ?? "application/octet-stream";
}
