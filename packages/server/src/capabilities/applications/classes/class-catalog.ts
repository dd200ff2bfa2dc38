// The newest known classes of an application. Reading them makes the application scan its folders, so we do it only after
// a (re)connect or when they proved outdated, and at most every few seconds.
import { createHash } from "node:crypto";
import type { Clock } from "../../../foundation/clock.ts";
import type { Log } from "../../../foundation/log.ts";
import { oneLoop } from "../../../foundation/memory/one-loop.ts";
import { boundedExactJson } from "../line/bounded-json.ts";
import type { ApplicationClasses } from "./application-classes.ts";
import { readObjectInfo } from "./read-object-info.ts";

export interface ClassCatalog {
  newest(): ApplicationClasses | null;
  // Never waits, never rejects.
  refresh(): void;
}

export interface ClassCatalogDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  // As last known before this process started. Null if not known.
  readonly known: ApplicationClasses | null;
  ask(): Promise<Buffer>;
  // Called for each valid reading.
  keep(objectInfo: Buffer): Promise<void>;
}

const pauseMs = 2_000;

export function createClassCatalog({ clock, log, signal, known, ask, keep }: ClassCatalogDeps): ClassCatalog {
  let classes = known;
  let isWanted = false;
  let hasFailed = false;
  let hasRead = false;
  let readDigest = "";

  const read = oneLoop(
    () => isWanted && !signal.aborted,
    async () => {
      isWanted = false;
      try {
        const text = await ask();
        const digest = createHash("sha256").update(text).digest("hex");
        // The same text means the same classes, so everything derived from them stays.
        const found = digest === readDigest ? classes : readObjectInfo(boundedExactJson(text));
        if (found === null) log.warn({}, "the application describes no node classes");
        else [classes, readDigest] = [found, digest];
        hasFailed = false;
        hasRead ||= found !== null;
        if (found !== null)
          await keep(text).catch((err: unknown) => log.warn({ err }, "node classes could not be stored"));
      } catch (error) {
        // Logged once per outage, because an application may be down for days.
        if (!signal.aborted && !hasFailed) log.warn({ err: error }, "the application's node classes could not be read");
        hasFailed = true;
        // Until the first success we have nothing of this application to fall back on.
        if (!hasRead) isWanted = true;
      }
      await clock.sleep(pauseMs, signal);
    },
  );

  return {
    newest: () => classes,
    refresh() {
      isWanted = true;
      void read();
    },
  };
}
