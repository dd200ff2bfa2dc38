// Bytes that are asked for block by block, so that few blocks of memory carry many bytes: a stream takes new memory for
// every chunk, and collecting that again cost more than reading and sending it (measured). Its maker uses a block again
// when it may, which the two rules of `next` decide.
import { Readable } from "node:stream";

export interface ByteSource {
  // The next block, null after the last one. A block stays as it is until the next but one is asked for; so one can be
  // read while the one before it is sent. One call at a time.
  next(): Promise<Uint8Array | null>;
  // No block is in use any more, or the connection that did is gone. Frees everything, read or unread. May be repeated.
  close(): Promise<void>;
}

export function isByteSource(value: object): value is ByteSource {
  return "next" in value && "close" in value;
}

// For those who want chunks that are theirs.
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

// The chunks of a stream are its reader's anyway.
export function sourceOf(stream: Readable): ByteSource {
  const chunks = stream.iterator({ destroyOnReturn: true });
  // A failure before the first `next` waits for it, instead of ending the process.
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
