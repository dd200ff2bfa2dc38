// The console's files and the client packages, read on the first request. In a checkout they are built first if necessary, in
// the data folder if the checkout is read-only.
import { join, resolve } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { Log } from "../../foundation/log.ts";
import { type ClientPackages, readClientPackages } from "./client-packages.ts";
import { type ConsoleFiles, readConsoleFiles } from "./console-files.ts";

export function openConsole(
  home: string,
  log: Log,
  prepare: (home: string) => Promise<{ readonly folder: string }> = prepareConsole,
): () => Promise<ConsoleFiles> {
  const read = async () => readConsoleFiles((await prepare(home)).folder);
  return readOnce(read, (thrown) => {
    log.error({ err: thrown }, `The console is not available. ${buildConsoleWords}`);
    return `The console is not built, and could not be built. ${buildConsoleWords} The API works.`;
  });
}

export function openClients(home: string, log: Log): () => Promise<ClientPackages> {
  const read = async () => {
    const { ensureClients } = await import("@atelier/console");
    return readClientPackages((await ensureClients(optionsIn(home))).folder);
  };
  return readOnce(read, (thrown) => {
    log.error({ err: thrown }, "The packages of the SDK and the command line are not available.");
    return "The packages of the SDK and the command line are not built; the server's log says why. The API works.";
  });
}

function readOnce<Read>(read: () => Promise<Read>, refusal: (thrown: unknown) => string): () => Promise<Read> {
  let reading: Promise<Read> | null = null;
  return () => {
    reading ??= read().catch((thrown: unknown) => {
      // The next request tries again: the problem may have been fixed.
      reading = null;
      throw new Fault("service_unavailable", refusal(thrown), { retryAfterSeconds: 5 });
    });
    return reading;
  };
}

export const buildConsoleWords =
  "Run `npm run build -- console` in the checkout, as a user with write access; no restart is needed.";

const optionsIn = (home: string) => ({ spareFolder: join(resolve(home), "console") });

// Builds the console in a checkout if that is due, so that a start can begin it early. Only if the console is installed.
export async function prepareConsole(home: string): Promise<{ readonly folder: string }> {
  const { ensureConsole } = await import("@atelier/console");
  return ensureConsole(optionsIn(home));
}

// Null if it is built. Otherwise where the next start will build it, or why it cannot.
export async function missingConsole(home: string): ReturnType<typeof import("@atelier/console").consoleToBuild> {
  try {
    const { consoleToBuild } = await import("@atelier/console");
    return await consoleToBuild(optionsIn(home));
  } catch {
    return { reason: "the package @atelier/console is not installed" };
  }
}
