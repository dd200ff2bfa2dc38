// Buffers that uploads use and give back. Taking new ones for every small upload costs more garbage collection than the
// upload itself (a sixth of all time, measured); a few are kept, the rest is let go.
export interface BlockPool {
  take(): Buffer;
  // Only when it is neither read nor written any more.
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
