// The few file system calls that blobs need, as a value, so that a test can pass in ones that record their order or fail.
import * as promises from "node:fs/promises";

export type FileCalls = Pick<
  typeof promises,
  "access" | "link" | "mkdir" | "open" | "readdir" | "rename" | "stat" | "statfs" | "unlink"
>;

export const nodeFiles: FileCalls = promises;
