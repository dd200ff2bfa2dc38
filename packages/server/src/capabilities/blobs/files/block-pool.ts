// A pool of buffers for uploads. Allocating new ones for every small upload costs more garbage collection than the upload
// itself (a sixth of all time, measured). A few are kept, the rest is dropped.
export interface BlockPool {
  take(): Buffer;
  // Only once nothing reads or writes it any more.
  giveBack(block: Buffer): void;
}

export function blockPool(blockBytes: number, kept: number): BlockPool {
  const free: Buffer[] = [];
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(blockBytes),
    giveBack(block) {
      if (free.length < kept) free.push(block);
    },
  };
}

export interface BlockPools {
  // Most uploads fit into one of these.
  readonly small: BlockPool;
  readonly large: BlockPool;
}

export function blockPools(): BlockPools {
  return { small: blockPool(64 * 1024, 64), large: blockPool(512 * 1024, 8) };
}
