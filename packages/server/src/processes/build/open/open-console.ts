// The console's files and the packages of the clients, read when the first of them is asked for; in a checkout they are built
// first if they have to be, in the data folder where the checkout cannot be written.
import { join, resolve } from "node:path";
import {
  type ClientPackages,
  type ConsoleFiles,
  readClientPackages,
  readConsoleFiles,
} from "../../../areas/console/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";

export function openConsole(
  home: string,
  log: Log,
  prepare: (home: string) => Promise<{ readonly folder: string }> = prepareConsole,
): () => Promise<ConsoleFiles> {
  const read = async () => readConsoleFiles((await prepare(home)).folder);
  return readOnce(read, (thrown) => {
    log.error({ err: thrown }, `The console cannot be shown. ${buildConsoleWords}`);
    return `The console is not built, and could not be built. ${buildConsoleWords} The API works.`;
  });
}

export function openClients(home: string, log: Log): () => Promise<ClientPackages> {
  const read = async () => {
    const { ensureClients } = await import("@atelier/console");
    return readClientPackages((await ensureClients(optionsIn(home))).folder);
  };
  return readOnce(read, (thrown) => {
    log.error({ err: thrown }, "The packages of the SDK and the command line cannot be handed out.");
    return "The packages of the SDK and the command line are not built; the server's log says why. The API works.";
  });
}

function readOnce<Read>(read: () => Promise<Read>, refusal: (thrown: unknown) => string): () => Promise<Read> {
  let reading: Promise<Read> | null = null;
  return () => {
    reading ??= read().catch((thrown: unknown) => {
      // The next request tries again: what was missing may have been mended.
      reading = null;
      throw new Fault("service_unavailable", refusal(thrown), { retryAfterSeconds: 5 });
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
