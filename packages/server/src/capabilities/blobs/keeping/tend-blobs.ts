import type { Lifecycle } from "../../../foundation/lifecycle.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Blobs } from "../blobs.ts";

// Once an hour, removes what has no reference and re-hashes part of the rest, slowly enough that no one notices. Several
// processes can do this: the collector's rows and the scrub's marks are in the database.
export function tendBlobs(
  blobs: Pick<Blobs, "collect" | "scrub">,
  deps: { readonly life: Lifecycle; readonly log: Log },
): void {
  deps.life.repeat({
    name: "blobs: remove what nobody refers to, look for damage",
    role: "background",
    everyMs: 3_600_000,
    begins: "after_pause",
    async round(signal) {
      await blobs.collect({ dryRun: false, signal });
      const { damaged } = await blobs.scrub({ bytesPerSecondMax: 20_000_000, signal });
      for (const blob of damaged)
        deps.log.error({ hash: blob.hash }, "a blob is damaged; upload the same bytes again to repair it");
    },
  });
}
