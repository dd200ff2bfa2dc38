// The newest known classes of an application. Reading them costs the application a look through its folders, so they are
// read when it was (re)connected and when somebody found them wanting, and never more often than every few seconds.
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import type { ApplicationClasses } from "./application-classes.ts";
import { readObjectInfo } from "./read-object-info.ts";

export interface ClassBook {
  newest(): ApplicationClasses | null;
  // Never waits, never rejects.
  refresh(): void;
}

export interface ClassBookDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  ask(): Promise<Buffer>;
}

const pauseMs = 2_000;

export function createClassBook({ clock, log, signal, ask }: ClassBookDeps): ClassBook {
  let classes: ApplicationClasses | null = null;
  let isReading = false;
  let isWanted = false;
  let hasFailed = false;

  async function read(): Promise<void> {
    isReading = true;
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        const found = readObjectInfo(JSON.parse((await ask()).toString("utf8")));
        if (found === null) log.warn({}, "the application describes no node classes");
        else classes = found;
        hasFailed = false;
      } catch (error) {
        // Once for every time it went away: an application may stay away for days.
        if (!signal.aborted && !hasFailed) log.warn({ err: error }, "the application's node classes could not be read");
        hasFailed = true;
        // Until the first time there is nothing to fall back on.
        if (classes === null) isWanted = true;
      }
      await clock.sleep(pauseMs, signal);
    }
    isReading = false;
  }

  return {
    newest: () => classes,
    refresh() {
      isWanted = true;
      if (!isReading) void read();
    },
  };
}
