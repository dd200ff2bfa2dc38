// A file download from an application. One that trickles, each drop just in time, would hold a job forever, so we require
// a minimum rate. Only the time we wait for the application counts, not what we do in between.
import type { Clock } from "../../../foundation/clock.ts";
import { ApplicationProblem } from "../application.ts";

export interface Pace {
  // Longer than a single silence may be, so that a slow start is tolerated.
  readonly windowMs: number;
  readonly windowBytesMin: number;
}

// Throws `unreachable`.
export async function* paced(
  body: AsyncIterable<unknown>,
  { windowMs, windowBytesMin }: Pace,
  clock: Clock,
): AsyncGenerator<Uint8Array> {
  let waitedMs = 0;
  let bytes = 0;
  let askedMs = clock.monotonicMs();
  for await (const chunk of body) {
    if (!(chunk instanceof Uint8Array)) continue;
    waitedMs += clock.monotonicMs() - askedMs;
    bytes += chunk.length;
    if (waitedMs >= windowMs) {
      if (bytes < windowBytesMin)
        throw new ApplicationProblem("unreachable", "The application's file arrived too slowly.");
      waitedMs = 0;
      bytes = 0;
    }
    yield chunk;
    askedMs = clock.monotonicMs();
  }
}
