// Previews as large as the application makes them, made small enough to be kept: a node that only shows its pictures sends
// them whole. One at a time, and of those that wait only the newest. What cannot be made smaller is not shown.
import type { Clock } from "../../../foundation/clock.ts";
import type { JobPreview } from "../../jobs/index.ts";

// A picture of these bytes with at most so many pixels on its longer side, as WebP; null when none can be made.
export type ShrinkPicture = (bytes: Uint8Array, side: (typeof sides)[number]) => Promise<Uint8Array | null>;

export interface FitPreviews {
  offer(preview: JobPreview): void;
  // Until what was offered last has been told, within reason: the job may end then.
  settle(): Promise<void>;
}

// What is kept of a job (LiveState).
const bytesMax = 128 * 1024;
const settleMsMax = 10_000;
// Noise may be too large even then: a smaller picture is seen, one that is left out is not.
const sides = [512, 128] as const;

export function fitPreviews(deps: {
  readonly tell: (preview: JobPreview) => void;
  readonly shrink: ShrinkPicture | null;
  readonly clock: Clock;
}): FitPreviews {
  let waiting: JobPreview | null = null;
  let working: Promise<void> | null = null;
  // The one in work: a newer one needed no work.
  let isOvertaken = false;

  async function work(shrink: ShrinkPicture): Promise<void> {
    for (let next = waiting; next !== null; next = waiting) {
      waiting = null;
      isOvertaken = false;
      const small = await fitting(shrink, next.bytes).catch(() => null);
      if (small !== null && !isOvertaken) {
        deps.tell({ nodeId: next.nodeId, contentType: "image/webp", bytes: Buffer.from(small) });
      }
    }
    working = null;
  }

  return {
    offer(preview) {
      if (preview.bytes.byteLength <= bytesMax) {
        waiting = null;
        isOvertaken = true;
        deps.tell(preview);
      } else if (deps.shrink !== null) {
        waiting = preview;
        working ??= work(deps.shrink);
      }
    },
    async settle() {
      if (working === null) return;
      const enough = new AbortController();
      await Promise.race([working, deps.clock.sleep(settleMsMax, enough.signal)]);
      enough.abort();
    },
  };
}

async function fitting(shrink: ShrinkPicture, bytes: Uint8Array): Promise<Uint8Array | null> {
  for (const side of sides) {
    const small = await shrink(bytes, side);
    if (small === null || small.byteLength <= bytesMax) return small;
  }
  return null;
}
