// Stored bytes opened for reading, as blocks or as a stream: the one accessed first, and only one of them.
import type { Readable } from "node:stream";
import { type ByteSource, streamOf } from "../../foundation/byte-source.ts";

export interface OpenedBytes {
  // The size of the whole, even if only a range was requested.
  readonly size: number;
  readonly source: ByteSource;
  // Created on first access. Destroying it frees everything, read or unread.
  readonly stream: Readable;
  // The requested bytes, if they are already in memory; a reader that uses them needs neither of the others. Read-only.
  readonly bytes?: Uint8Array;
  // The storage's identifier of these bytes; writing to them changes it. Absent if the storage has none.
  readonly mark?: string;
}

export function openedBytes(
  size: number,
  source: ByteSource,
  more: Pick<OpenedBytes, "bytes" | "mark"> = {},
): OpenedBytes {
  let stream: Readable | undefined;
  return {
    ...more,
    size,
    source,
    get stream() {
      stream ??= streamOf(source);
      return stream;
    },
  };
}
