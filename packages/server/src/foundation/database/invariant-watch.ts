// Watches the invariants of the database while a server runs.
import { Gauge } from "prom-client";
import type { Background } from "../background.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Queryable } from "./queryable.ts";
import type { Statement } from "./sql.ts";

// A rule over the whole database: the query must return no row.
export interface Invariant {
  readonly name: string;
  readonly statement: Statement;
  // What an operator should do if it is broken, other than restoring a backup.
  readonly mend?: string;
}

export interface InvariantWatchDeps {
  readonly database: Queryable;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "registry">;
  readonly invariants: readonly Invariant[];
  readonly everySeconds?: number;
}

export interface InvariantWatch {
  // Checks each once and returns how many are broken.
  look(signal: AbortSignal): Promise<number>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

// A starting server has yet to take over what a killed one left, so a broken invariant is checked again soon.
const againSeconds = 15;

// The gauge holds the number of rows that broke each invariant at the last check, or NaN if the check failed or has not run: an
// alert on "not 0" also catches a watch that sees nothing. Invariants are checked one after another to keep the load low. A
// broken one is checked again until it holds, and is logged if a second check finds it still broken.
export function createInvariantWatch(deps: InvariantWatchDeps): InvariantWatch {
  const { database, log, invariants, everySeconds = 300 } = deps;
  const gauge = new Gauge({
    name: "atelier_invariants_broken",
    help: "Rows that break an invariant, as of the last check (every 5 minutes, or every 15 seconds while it is broken).",
    labelNames: ["invariant"],
    registers: [deps.metrics.registry],
  });
  for (const { name } of invariants) gauge.labels(name).set(Number.NaN);
  // The invariants found broken by the last check, with the number of consecutive checks that did.
  const broken = new Map<string, number>();
  // Seconds from the end of a round until all are checked again.
  let secondsToAll = everySeconds;

  async function lookAt({ name, statement }: Invariant): Promise<void> {
    try {
      const rows = (await database.query(statement)).length;
      gauge.labels(name).set(rows);
      if (rows === 0) {
        broken.delete(name);
        return;
      }
      const looks = (broken.get(name) ?? 0) + 1;
      broken.set(name, looks);
      if (looks === 2) log.error({ invariant: name, rows }, "an invariant is broken: run atelier doctor");
    } catch (error) {
      gauge.labels(name).set(Number.NaN);
      log.warn({ invariant: name, err: error }, "an invariant could not be checked");
    }
  }

  async function lookAtThese(these: readonly Invariant[], signal: AbortSignal): Promise<number> {
    for (const invariant of these) {
      if (signal.aborted) break;
      await lookAt(invariant);
    }
    return broken.size;
  }

  const pauseSeconds = () => (broken.size > 0 ? Math.min(againSeconds, secondsToAll) : secondsToAll);

  async function round(stopping: AbortSignal): Promise<void> {
    const left = secondsToAll - pauseSeconds();
    secondsToAll = left > 0 ? left : everySeconds;
    await lookAtThese(left > 0 ? invariants.filter(({ name }) => broken.has(name)) : invariants, stopping);
  }

  return {
    look: (signal) => lookAtThese(invariants, signal),
    run: (background, signal) =>
      background.run(
        { name: "invariants: look at each", role: "background", everyMs: () => pauseSeconds() * 1000, round },
        signal,
      ),
  };
}
