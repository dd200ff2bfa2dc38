// Removes half-written files however the program ends: a second Ctrl-C, a signal, a fault.
import { rmSync } from "node:fs";

const paths = new Set<string>();

// Call the returned function when the file is finished, or already gone.
export function beginUnfinished(path: string): () => void {
  if (paths.size === 0) process.on("exit", removeAll);
  paths.add(path);
  return () => {
    paths.delete(path);
    if (paths.size === 0) process.off("exit", removeAll);
  };
}

function removeAll(): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}
