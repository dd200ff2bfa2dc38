// How long the disk takes to write and flush 8 KiB, this many times: at the end of a file, or over its first page.
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";

export function fdatasyncMs(folder: string, count: number, where: "appended" | "over"): number[] {
  const file = join(folder, "bench-flush.bin");
  const [target, page] = [openSync(file, "w"), Buffer.alloc(8192, 1)];
  try {
    return Array.from({ length: count }, () => {
      writeSync(target, page, 0, page.length, where === "over" ? 0 : null);
      const began = performance.now();
      fdatasyncSync(target);
      return performance.now() - began;
    });
  } finally {
    closeSync(target);
    rmSync(file);
  }
}
