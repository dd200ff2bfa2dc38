// A weight that is complete on this machine, as neighbours read it.
import { type FileHandle, open } from "node:fs/promises";
import type { SharedWeight } from "./share-pieces.ts";

export async function openFinished(
  path: string,
  pieceBytes: number,
): Promise<SharedWeight & { close(): Promise<void> }> {
  const handle: FileHandle = await open(path);
  const { size } = await handle.stat();
  const count = Math.ceil(size / pieceBytes);
  const bits = Buffer.alloc(Math.ceil(count / 8), 0xff);
  if (count % 8 !== 0) bits[bits.length - 1] = (1 << (count % 8)) - 1;
  return {
    bits: () => Buffer.concat([bits, Buffer.alloc(bits.length)]),
    async read(piece) {
      const bytes = Buffer.allocUnsafe(Math.min(pieceBytes, size - piece * pieceBytes));
      for (let done = 0; done < bytes.length; ) {
        const { bytesRead } = await handle.read(bytes, done, bytes.length - done, piece * pieceBytes + done);
        if (bytesRead === 0) throw new Error("The file was shortened.");
        done += bytesRead;
      }
      return bytes;
    },
    close: () => handle.close(),
  };
}
