// Remembers which stored bytes were recently hashed and found right. Hashing costs more than reading and sending together
// (measured), so bytes hashed within the hour that the storage reports as unchanged are sent without hashing. Damage that
// a storage cannot report (a disk that forgets) is found after that hour, or by the scrub at the latest.
import type { Clock } from "../../../foundation/clock.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";

export interface SoundFiles {
  // The mark is the storage's identifier of these bytes: a different mark means different bytes.
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
