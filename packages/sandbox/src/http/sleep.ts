// Waits until the time is over or the signal fires; says which it was. Never rejects.
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

export function sleep(seconds: number, signal: AbortSignal): Promise<"slept" | "woken"> {
  return wait(seconds * 1000, "slept" as const, { signal }).catch(() => "woken" as const);
}

// Fires when the client has gone or the server closes.
export function goneSignal(response: ServerResponse, closing: AbortSignal): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return AbortSignal.any([gone.signal, closing]);
}
