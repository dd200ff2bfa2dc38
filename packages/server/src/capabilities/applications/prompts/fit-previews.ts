// Shrinks previews that are too large to keep: a node that only shows its pictures sends them in full size. Works on one
// at a time and keeps only the newest waiting one. A preview that cannot be shrunk is not shown.
import type { Clock } from "../../../foundation/clock.ts";
import type { JobPreview } from "../../jobs/index.ts";

// Makes a WebP with at most this many pixels on its longer side. Null if none can be made.
export type ShrinkPicture = (bytes: Uint8Array, side: (typeof sides)[number]) => Promise<Uint8Array | null>;

export interface FitPreviews {
  offer(preview: JobPreview): void;
  // Resolves once the last preview offered was reported, or after a limit, so that the job can end.
  settle(): Promise<void>;
}

// The limit for previews in a job's LiveState.
const bytesMax = 128 * 1024;
const settleMsMax = 10_000;
// Noise may be too large even at the first size; a smaller picture is better than none.
const sides = [512, 128] as const;

export function fitPreviews(deps: {
  readonly show: (preview: JobPreview) => void;
  readonly shrink: ShrinkPicture | null;
  readonly clock: Clock;
}): FitPreviews {
  let waiting: JobPreview | null = null;
  let working: Promise<void> | null = null;
  // True if a newer preview that needed no shrinking has replaced the one in work.
  let isOvertaken = false;

  async function work(shrink: ShrinkPicture): Promise<void> {
    for (let next = waiting; next !== null; next = waiting) {
      waiting = null;
      isOvertaken = false;
      const small = await fitting(shrink, next.bytes).catch(() => null);
      if (small !== null && !isOvertaken) {
        deps.show({ nodeId: next.nodeId, contentType: "image/webp", bytes: Buffer.from(small) });
      }
    }
    working = null;
  }

  return {
    offer(preview) {
      if (preview.bytes.byteLength <= bytesMax) {
        waiting = null;
        isOvertaken = true;
        deps.show(preview);
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
