// The few calls of the file system that blobs need, as a value: a test hands in ones that tell their order or fail.
import * as promises from "node:fs/promises";

export type FileCalls = Pick<
  typeof promises,
  "access" | "link" | "mkdir" | "open" | "readdir" | "rename" | "stat" | "statfs" | "unlink"
>;

export const nodeFiles: FileCalls = promises;
