// Receives a stream of unknown length into staging: counted, capped, hashed and written in our own blocks. Two blocks
// alternate, so one is filled and hashed while the other is written. The source is read no faster than that, and memory
// does not grow with the upload. The hash covers exactly the bytes that were written.
import { Fault } from "../../../foundation/fault.ts";
import { countMovedBytes } from "../../../foundation/memory/young-garbage.ts";
import type { Blake3 } from "../blake3-stream.ts";
import type { Staging } from "../blob-storage.ts";
import type { BlockPools } from "../files/block-pool.ts";
import { readUntilAborted } from "../read-until-aborted.ts";

export interface ReceiveOptions {
  readonly bytesMax: number;
  readonly signal?: AbortSignal | undefined;
  readonly pools: BlockPools;
  // Checked repeatedly during a long upload, since others fill the same disk.
  requireSpace(): Promise<void>;
}

export interface Received {
  readonly hash: string;
  readonly size: number;
}

const bytesPerSpaceCheck = 64 * 1024 * 1024;

export async function receiveBytes(
  source: AsyncIterable<Uint8Array>,
  staging: Staging,
  blake3: Blake3,
  options: ReceiveOptions,
): Promise<Received> {
  const writer = blockWriter(staging, blake3, options.pools);
  let size = 0;
  let checkAt = bytesPerSpaceCheck;
  try {
    for await (const chunk of readUntilAborted(source, options.signal)) {
      size += chunk.length;
      countMovedBytes(chunk.length);
      if (size > options.bytesMax) throw tooLarge(options.bytesMax);
      if (size >= checkAt) {
        await options.requireSpace();
        checkAt = size + bytesPerSpaceCheck;
      }
      await writer.add(chunk);
    }
    await writer.end();
  } finally {
    // The file must not be closed during a write.
    await writer.settle();
  }
  return { hash: blake3.digest(), size };
}

function blockWriter(staging: Staging, blake3: Blake3, pools: BlockPools) {
  const first = pools.small.take();
  const large: Buffer[] = [];
  let filling = first;
  let [used, sent] = [0, 0];
  let writing: Promise<void> = Promise.resolve();

  // The small first block once, then two large ones in turn.
  function nextBlock(): Buffer {
    const turn = (sent - 1) % 2;
    const block = large[turn] ?? pools.large.take();
    large[turn] = block;
    return block;
  }

  async function send(): Promise<void> {
    const bytes = filling.subarray(0, used);
    blake3.update(bytes);
    await writing;
    writing = staging.write(bytes);
    // It is awaited later; until then it must not count as unhandled.
    writing.catch(() => {});
    sent++;
    used = 0;
  }

  return {
    async add(chunk: Uint8Array): Promise<void> {
      for (let at = 0; at < chunk.length; ) {
        if (used === filling.length) {
          await send();
          filling = nextBlock();
        }
        const part = chunk.subarray(at, at + filling.length - used);
        filling.set(part, used);
        used += part.length;
        at += part.length;
      }
    },
    async end(): Promise<void> {
      if (used > 0) await send();
      await writing;
    },
    async settle(): Promise<void> {
      await writing.catch(() => {});
      pools.small.giveBack(first);
      for (const block of large) pools.large.giveBack(block);
    },
  };
}

function tooLarge(bytesMax: number): Fault {
  return new Fault("payload_too_large", `At most ${bytesMax} bytes are accepted here.`, {
    details: { bytes_max: bytesMax },
  });
}
