// Waits, or stops waiting when the signal fires; says which of the two it was. Never rejects.
import { setTimeout as wait } from "node:timers/promises";

export function sleep(seconds: number, signal: AbortSignal): Promise<"slept" | "woken"> {
  return wait(seconds * 1000, "slept" as const, { signal }).catch(() => "woken" as const);
}
