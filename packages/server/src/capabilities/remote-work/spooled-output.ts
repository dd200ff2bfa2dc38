// An output to be sent: read once from its producer and hashed on the way. Small ones stay in memory, large ones go to a
// file, so that sending can be retried.
import { createReadStream, createWriteStream, type WriteStream } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { limits } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import { newId } from "../../foundation/ids.ts";
import { blake3Stream } from "../blobs/index.ts";

export interface SpooledOutput {
  // BLAKE3, 64 hexadecimal digits.
  readonly hash: string;
  readonly bytes: number;
  // A fresh source for each attempt.
  source(): Buffer | ReturnType<typeof createReadStream>;
  remove(): Promise<void>;
}

const memoryBytesMax = 1024 * 1024;
const blake3 = blake3Stream();

// Throws payload_too_large: an endless producer must not fill the disk here before the server can refuse it.
export async function spoolOutput(
  source: AsyncIterable<Uint8Array>,
  directory: string,
  bytesMax: number = limits.assetBytesMax,
): Promise<SpooledOutput> {
  const hasher = await blake3();
  const parts: Uint8Array[] = [];
  let bytes = 0;
  let path: string | null = null;
  let file: WriteStream | null = null;
  try {
    for await (const chunk of source) {
      hasher.update(chunk);
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new Fault("payload_too_large", `An output has more than ${bytesMax} bytes.`);
      // A copy, because the producer may reuse the chunk's memory.
      parts.push(Buffer.from(chunk));
      if (bytes <= memoryBytesMax) continue;
      path ??= join(directory, newId());
      file ??= createSpool(path);
      for (const part of parts.splice(0)) await written(file, part);
    }
    if (file !== null) {
      file.end();
      await finished(file);
    }
  } catch (error) {
    file?.destroy();
    if (path !== null) await rm(path, { force: true });
    throw error;
  }
  const whole = Buffer.concat(parts);
  const location = path;
  return {
    hash: hasher.digest(),
    bytes,
    source: () => (location === null ? whole : createReadStream(location)),
    remove: async () => {
      if (location !== null) await rm(location, { force: true });
    },
  };
}

// The caller of write() gets the error. Without a listener as well, a full disk would end the process.
function createSpool(path: string): WriteStream {
  return createWriteStream(path, { mode: 0o600 }).on("error", () => {});
}

function written(file: WriteStream, part: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => file.write(part, (error) => (error ? reject(error) : resolve())));
}
