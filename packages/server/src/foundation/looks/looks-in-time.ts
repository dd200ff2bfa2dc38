// Several looks at once, each with a time limit, so that one that hangs does not hide the others.
import type { Clock } from "../clock.ts";
import { type Finding, problem, warning } from "./finding.ts";

type Look = readonly [name: string, look: () => Promise<readonly Finding[]>];

// Runs all checks in parallel and returns them in order. Each is cut off after five seconds.
export function looksInTime(clock: Pick<Clock, "sleep">, looks: readonly Look[]): Promise<(readonly Finding[])[]> {
  return Promise.all(
    looks.map(([name, look]) => {
      const over = new AbortController();
      const late = clock.sleep(lookMsMax, over.signal).then(() => [tookTooLong(name)]);
      return Promise.race([look().catch(() => [notLookedAt(name)]), late]).finally(() => over.abort());
    }),
  );
}

// Callers wait for at least ten seconds; a slower check is reported as too slow.
const lookMsMax = 5_000;

const tookTooLong = (name: string): Finding =>
  warning(name, "The check took too long.", "the machine is busy: try again, or run: atelier doctor");

// The error may contain an address, so it goes only to the log.
const notLookedAt = (name: string): Finding =>
  problem(name, "The check failed.", "see the server's log, and run: atelier doctor");
