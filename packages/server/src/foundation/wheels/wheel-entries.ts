// Reads chosen files of a wheel, which is a zip archive. Only names and bytes leave it: where anything is written is decided by
// who reads, so no path in the archive counts.
import { buffer } from "node:stream/consumers";
import { UsageProblem } from "../settings.ts";

export interface WheelEntry {
  readonly path: string;
  readonly size: number;
  bytes(): Promise<Buffer>;
}

const entriesMax = 50_000;

export async function* readEntries(wheel: string, isWanted: (path: string) => boolean): AsyncGenerator<WheelEntry> {
  const { default: yauzl } = await import("yauzl");
  const zip = await yauzl.openPromise(wheel, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw new UsageProblem([`${wheel} is not a wheel: ${error instanceof Error ? error.message : String(error)}`]);
  });
  try {
    if (zip.entryCount > entriesMax) throw new UsageProblem([`${wheel} has more than ${entriesMax} files.`]);
    for await (const entry of zip.eachEntry()) {
      if (!isWanted(entry.fileName)) continue;
      // The library ends a file that is longer than it says with an error.
      const bytes = async () => buffer(await zip.openReadStreamPromise(entry));
      yield { path: entry.fileName, size: entry.uncompressedSize, bytes };
    }
  } finally {
    zip.close();
  }
}
