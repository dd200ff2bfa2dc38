// Which stored bytes were read through lately and found right. Hashing costs more than reading and sending together
// (measured), so bytes that were hashed within the hour, and that their storage says are the very same, are sent as they
// are. What a storage cannot tell (a disk that forgets) waits for that hour or for the scrub at most.
import type { Clock } from "../../../foundation/clock.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";

export interface SoundFiles {
  // The mark is the storage's word for these bytes: another mark, other bytes.
  has(hash: string, mark: string | undefined): boolean;
  add(hash: string, mark: string | undefined): void;
  drop(hash: string): void;
}

const believedMs = 3_600_000;
const keptMax = 16_384;

export function soundFiles(clock: Clock): SoundFiles {
  const marks = new TtlCache<string, string>({ clock, keepMs: believedMs, entriesMax: keptMax });
  return {
    has: (hash, mark) => mark !== undefined && marks.get(hash) === mark,
    add(hash, mark) {
      if (mark !== undefined) marks.set(hash, mark);
    },
    drop: (hash) => marks.delete(hash),
  };
}
