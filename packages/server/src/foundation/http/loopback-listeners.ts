// Listens on 127.0.0.1 and ::1 with the same port, on both or on neither. Otherwise another user of this machine could take the
// second one and answer callers who meant us. If there is no IPv6 at all, no one can take it.
import type { RunningServer, ServeOptions } from "./serve.ts";
import { serve } from "./serve.ts";

const freePortTriesMax = 20;

export async function serveOnLoopback(options: Omit<ServeOptions, "host">): Promise<RunningServer> {
  for (let tries = 1; ; tries += 1) {
    const first = await serve({ ...options, host: "127.0.0.1" });
    try {
      const second = await serve({ ...options, host: "::1", port: first.port });
      return both(first, second);
    } catch (error) {
      if (isWithoutIpv6(error)) return first;
      await first.stop(0);
      // A free port on one may be taken on the other.
      if (options.port !== 0 || tries >= freePortTriesMax || readErrorCode(error) !== "EADDRINUSE") throw error;
    }
  }
}

function both(first: RunningServer, second: RunningServer): RunningServer {
  return {
    port: first.port,
    async stop(drainSeconds) {
      await Promise.all([first.stop(drainSeconds), second.stop(drainSeconds)]);
    },
  };
}

function isWithoutIpv6(error: unknown): boolean {
  return ["EADDRNOTAVAIL", "EAFNOSUPPORT"].includes(readErrorCode(error));
}

function readErrorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
