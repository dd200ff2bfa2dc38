// A source of bytes, read block by block, so that a few blocks of memory carry many bytes. A stream allocates memory for every
// chunk, and collecting that garbage cost more than reading and sending it (measured). The source reuses its blocks; the two
// rules of `next` say when it may.
import { Readable } from "node:stream";

export interface ByteSource {
  // The next block, or null after the last one. A block stays valid until the next but one is requested, so one block can be
  // read while the previous one is being sent. One call at a time.
  next(): Promise<Uint8Array | null>;
  // Call when no block is in use any more, or the connection that used it is gone. Frees everything, read or unread.
  // Idempotent.
  close(): Promise<void>;
}

export function isByteSource(value: object): value is ByteSource {
  return "next" in value && "close" in value;
}

// For readers that want to keep the chunks.
export function streamOf(source: ByteSource): Readable {
  return new Readable({
    highWaterMark: 256 * 1024,
    read() {
      source.next().then(
        (block) => this.push(block && Buffer.from(block)),
        (thrown) => this.destroy(thrown),
      );
    },
    destroy(reason, done) {
      source.close().then(
        () => done(reason),
        (thrown) => done(reason ?? thrown),
      );
    },
  });
}

// A stream's chunks already belong to its reader, so nothing needs copying.
export function sourceOf(stream: Readable): ByteSource {
  const chunks = stream.iterator({ destroyOnReturn: true });
  // An error before the first `next` is reported by that call instead of crashing the process.
  stream.on("error", () => {});
  return {
    async next() {
      const chunk = await chunks.next();
      return chunk.done ? null : chunk.value;
    },
    async close() {
      stream.destroy();
    },
  };
}

// Bytes in memory, for readers of streams.
export async function* onlyBlock(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
