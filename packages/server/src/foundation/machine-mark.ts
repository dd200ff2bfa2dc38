// Names the files that this process sees: those of one boot and one mount namespace. Two processes with the same mark find the
// same files under the same paths, unless one of them has another root folder.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";

// Null if the system does not tell.
export function machineMark(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    // A hash, because it leaves the machine.
    return createHash("sha256")
      .update(`${boot} ${readlinkSync("/proc/self/ns/mnt")}`)
      .digest("hex");
  } catch {
    return null;
  }
}
