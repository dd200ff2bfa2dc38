// The console's files, read when the first page is asked for; in a checkout they are built first if they have to be.
import { type ConsoleFiles, readConsoleFiles } from "../../areas/console/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";

export function openConsole(log: Log): () => Promise<ConsoleFiles> {
  let reading: Promise<ConsoleFiles> | null = null;
  return () => {
    reading ??= read().catch((thrown: unknown) => {
      // The next page tries again: what was missing may have been mended.
      reading = null;
      log.error({ err: thrown }, "The console cannot be shown.");
      throw new Fault("service_unavailable", "The console cannot be shown; the server's log says why. The API works.", {
        retryAfterSeconds: 5,
      });
    });
    return reading;
  };
}

// Built in a checkout where that is due; for a start to begin with early. Only where the console is installed.
export async function prepareConsole(): Promise<{ readonly folder: string }> {
  const { ensureConsole } = await import("@atelier/console");
  return ensureConsole();
}

async function read(): Promise<ConsoleFiles> {
  return readConsoleFiles((await prepareConsole()).folder);
}
