// Turns bytes that arrive in one piece into an asset. Their description may come before or after them: we ask for it
// after the last byte, before anything is committed.
import type { WorkspaceId } from "../../foundation/ids.ts";
import { hashMismatch } from "../blobs/index.ts";
import type { Limits } from "../limits/index.ts";
import { signatureBytes } from "./addresses/signature.ts";
import type { AssetInput, JobId, StoredAsset } from "./asset.ts";
import { decideMediaTypes } from "./media-type.ts";
import { type StoreAssetDeps, storeAsset } from "./store-asset.ts";
import type { AssetUsage } from "./usage-store.ts";

export interface ReceiveAssetDeps extends StoreAssetDeps {
  // An estimate; the exact sum comes with the commit.
  usageOf(workspaceId: WorkspaceId): Promise<AssetUsage>;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
}

export interface ReceiveAsset {
  readonly workspaceId: WorkspaceId;
  // May throw a Fault; then nothing of the upload is kept.
  readonly source: AsyncIterable<Uint8Array>;
  // 64 hexadecimal digits, if known before the bytes.
  readonly expectedHash: string | null;
  // Called once the source has ended.
  describe(): AssetInput & { readonly expectedHash: string | null };
  readonly jobId: JobId | null;
  readonly signal?: AbortSignal;
}

// Throws hash_mismatch, payload_too_large, quota_exceeded, storage_full, client_disconnected, and anything the source
// throws.
export async function receiveAsset(deps: ReceiveAssetDeps, request: ReceiveAsset): Promise<StoredAsset> {
  const { workspaceId } = request;
  const used = await deps.usageOf(workspaceId);
  await deps.limits.requireQuota(workspaceId, "assets", used.assets);
  const head = new HeadBytes();
  const metered = meter(request.source, (received) =>
    deps.limits.requireQuota(workspaceId, "bytes", used.bytes, received),
  );
  return deps.blobs.keep(head.watch(metered), {
    bytesMax: await deps.limits.limitOf(workspaceId, "asset_bytes"),
    // Uploads of a workspace all update its usage row last, so they commit as a group.
    group: workspaceId,
    ...(request.expectedHash === null ? {} : { expectedHash: request.expectedHash }),
    ...(request.signal === undefined ? {} : { signal: request.signal }),
    commit: (tx, blob) => {
      const { expectedHash, ...input } = request.describe();
      requireHash(expectedHash, blob.hash);
      const types = decideMediaTypes(input.contentType, input.filePath, head.bytes());
      return storeAsset(deps, tx, blob, { ...input, workspaceId, jobId: request.jobId, types });
    },
  });
}

export function requireHash(expected: string | null, hash: string): void {
  if (expected !== null && expected !== hash) throw hashMismatch(expected, hash);
}

const meterEveryBytes = 8 * 1024 * 1024;

// Stops a caller without room early rather than after five gigabytes. The exact check comes with the commit.
async function* meter(
  source: AsyncIterable<Uint8Array>,
  check: (received: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  let received = 0;
  let checked = 0;
  for await (const chunk of source) {
    received += chunk.byteLength;
    if (checked === 0 || received - checked >= meterEveryBytes) {
      await check(received);
      checked = received;
    }
    yield chunk;
  }
}

// Copies the first bytes while all of them pass through.
export class HeadBytes {
  readonly #parts: Buffer[] = [];
  #length = 0;

  async *watch(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      if (this.#length < signatureBytes) {
        // Copied, because the producer may reuse the chunk's memory.
        const part = Buffer.from(chunk.subarray(0, signatureBytes - this.#length));
        this.#parts.push(part);
        this.#length += part.length;
      }
      yield chunk;
    }
  }

  // Reads only as much as is needed, for a source that is read for nothing else.
  async read(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const _ of this.watch(source)) if (this.#length >= signatureBytes) return;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
