// Stored bytes that were found: to be had as blocks or as a stream, whichever is asked for first, and only one of them.
import type { Readable } from "node:stream";
import { type ByteSource, streamOf } from "../../foundation/byte-source.ts";

export interface OpenedBytes {
  // Of the whole, also when only a range was asked for.
  readonly size: number;
  readonly source: ByteSource;
  // Made when it is asked for. Destroying it frees everything, read or unread.
  readonly stream: Readable;
  // What was asked for, where it is in memory already: a reader that takes it needs neither of the others. Read only.
  readonly bytes?: Uint8Array;
  // The storage's word for these bytes: a write to them changes it. Absent where the storage has none.
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
