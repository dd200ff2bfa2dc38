// The console's files, read when the first page is asked for; in a checkout they are built first if they have to be, in the
// data folder where the checkout cannot be written.
import { join, resolve } from "node:path";
import { type ConsoleFiles, readConsoleFiles } from "../../areas/console/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";

export function openConsole(
  home: string,
  log: Log,
  prepare: (home: string) => Promise<{ readonly folder: string }> = prepareConsole,
): () => Promise<ConsoleFiles> {
  let reading: Promise<ConsoleFiles> | null = null;
  return () => {
    reading ??= read(home, prepare).catch((thrown: unknown) => {
      // The next page tries again: what was missing may have been mended.
      reading = null;
      log.error({ err: thrown }, `The console cannot be shown. ${buildConsoleWords}`);
      throw new Fault(
        "service_unavailable",
        `The console is not built, and could not be built. ${buildConsoleWords} The API works.`,
        {
          retryAfterSeconds: 5,
        },
      );
    });
    return reading;
  };
}

export const buildConsoleWords =
  "Run `npm run build -- console` in the checkout, as a user who may write there; no restart is needed.";

const optionsIn = (home: string) => ({ spareFolder: join(resolve(home), "console") });

// Built in a checkout where that is due; for a start to begin with early. Only where the console is installed.
export async function prepareConsole(home: string): Promise<{ readonly folder: string }> {
  const { ensureConsole } = await import("@atelier/console");
  return ensureConsole(optionsIn(home));
}

// Null: it is built. Else where the next start builds it, or why it cannot.
export async function missingConsole(home: string): ReturnType<typeof import("@atelier/console").consoleToBuild> {
  try {
    const { consoleToBuild } = await import("@atelier/console");
    return await consoleToBuild(optionsIn(home));
  } catch {
    return { reason: "the package @atelier/console is not installed" };
  }
}

async function read(home: string, prepare: typeof prepareConsole): Promise<ConsoleFiles> {
  return readConsoleFiles((await prepare(home)).folder);
}
