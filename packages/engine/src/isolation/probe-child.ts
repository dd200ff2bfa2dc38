// Started once per level when a server starts, to see whether the level works here: it must start, and must not read the file
// that it was named if the level claims to hide it.
import { readFileSync } from "node:fs";
import { dieWithParent } from "../own-code.ts";

dieWithParent(process.ppid);
process.on("disconnect", () => process.exit(0));
const [canary = ""] = process.argv.slice(2);
process.send?.({ kind: "ready" });
process.send?.({ kind: "seen", couldRead: canRead(canary), threads: process.permission?.has("worker") ?? true });

function canRead(path: string): boolean {
  try {
    return readFileSync(path).length > 0;
  } catch {
    return false;
  }
}
