// Which stored bytes were read through lately and found right. Hashing costs more than reading and sending together
// (measured), so bytes that were hashed within the hour, and that their storage says are the very same, are sent as they
// are. What a storage cannot tell (a disk that forgets) waits for that hour or for the scrub at most.
import type { Clock } from "../../foundation/clock.ts";

export interface SoundFiles {
  // The mark is the storage's word for these bytes: another mark, other bytes.
  has(hash: string, mark: string | undefined): boolean;
  add(hash: string, mark: string | undefined): void;
  drop(hash: string): void;
}

const believedMs = 3_600_000;
const keptMax = 16_384;

export function soundFiles(clock: Clock): SoundFiles {
  // In the order in which they were read, the oldest first.
  const kept = new Map<string, { readonly mark: string; readonly readMs: number }>();
  return {
    has(hash, mark) {
      const found = mark === undefined ? undefined : kept.get(hash);
      return found !== undefined && found.mark === mark && clock.monotonicMs() - found.readMs < believedMs;
    },
    add(hash, mark) {
      if (mark === undefined) return;
      kept.delete(hash);
      kept.set(hash, { mark, readMs: clock.monotonicMs() });
      const oldest = kept.size > keptMax ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
    },
    drop: (hash) => void kept.delete(hash),
  };
}
