// Retries while a database is about to be ready: it recovers from a kill, or still runs what a killed process began. A database
// without a listener is not waited for, unless it was there a moment ago.
import type { Clock } from "../clock.ts";
import { AwayFault } from "../fault.ts";
import type { Log } from "../log.ts";
import { errorCode } from "./database-errors.ts";

export interface RecoveryDeps {
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  readonly log: Pick<Log, "warn">;
}

const secondsMax = 120;
const pauseMs = 500;

const passingCodes = new Set([
  "57P01", // terminated by an administrator
  "57P02", // another server process crashed
  "57P03", // starting up, recovering or shutting down
  "55P03", // a table is locked: a killed process's session ends with its statement
  "ECONNRESET",
  "EPIPE",
]);
const absentCodes = new Set(["ECONNREFUSED", "ENOENT"]);

export async function throughRecovery<T>({ clock, log }: RecoveryDeps, run: () => Promise<T>): Promise<T> {
  let since: number | undefined;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (!isPassing(error, since !== undefined)) throw error;
      const why = firstLine(error);
      if (since === undefined)
        log.warn({ why, secondsMax }, "the database is not ready yet (it may be recovering from a crash); waiting");
      since ??= clock.monotonicMs();
      if (clock.monotonicMs() - since >= secondsMax * 1000)
        throw new AwayFault(`The database was not ready within ${secondsMax} s: ${why}`, causesOf(error).at(-1));
    }
    await clock.sleep(pauseMs);
  }
}

function isPassing(error: unknown, wasThere: boolean): boolean {
  return causesOf(error).some((cause) => {
    const code = errorCode(cause);
    if (code === undefined) return /^Connection terminated/.test(cause.message);
    return passingCodes.has(code) || (wasThere && absentCodes.has(code));
  });
}

// If an error says only that the database is away, the reason behind it.
function firstLine(error: unknown): string {
  const causes = causesOf(error);
  const said = error instanceof AwayFault ? causes.slice(1) : causes;
  const [line = ""] = (said.find(({ message }) => message !== "")?.message ?? "").split("\n");
  return line || (causes.map(errorCode).find((code) => code !== undefined) ?? String(error));
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
