// Every invariant of the house, by name: no row may come back. The tests, `doctor`, a restore and a metric run them.
import { Gauge } from "prom-client";
import { uploadInvariants } from "../capabilities/assets/index.ts";
import type { Invariant } from "../capabilities/backup/index.ts";
import { blobInvariants } from "../capabilities/blobs/index.ts";
import { callInvariants } from "../capabilities/calls/index.ts";
import { jobInvariants } from "../capabilities/jobs/index.ts";
import { requestInvariants } from "../capabilities/model-requests/index.ts";
import { taskInvariants } from "../capabilities/partner-tasks/index.ts";
import { versionInvariants } from "../capabilities/registry/index.ts";
import { deliveryFacts, webhookInvariants } from "../capabilities/webhooks/index.ts";
import type { Background } from "../foundation/background.ts";
import type { Queryable } from "../foundation/database/index.ts";
import type { Log } from "../foundation/log.ts";
import type { Metrics } from "../foundation/metrics.ts";

export const allInvariants: readonly Invariant[] = [
  ...callInvariants,
  ...blobInvariants,
  ...uploadInvariants,
  ...jobInvariants(deliveryFacts),
  ...webhookInvariants,
  ...taskInvariants,
  ...requestInvariants,
  ...versionInvariants,
];

export interface InvariantWatchDeps {
  readonly database: Queryable;
  readonly log: Log;
  readonly metrics: Pick<Metrics, "registry">;
  readonly invariants?: readonly Invariant[];
  readonly everySeconds?: number;
}

export interface InvariantWatch {
  // Looks at each once; how many are broken.
  look(signal: AbortSignal): Promise<number>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

// The gauge holds the rows that break each invariant as of the last look, NaN where looking failed or has not happened:
// an alert on "not 0" also catches a watch that sees nothing. One after another, so that it never weighs on the rest.
export function createInvariantWatch(deps: InvariantWatchDeps): InvariantWatch {
  const { database, log, invariants = allInvariants, everySeconds = 300 } = deps;
  const gauge = new Gauge({
    name: "atelier_invariants_broken",
    help: "Rows that break an invariant, as of the last look (every 5 minutes).",
    labelNames: ["invariant"],
    registers: [deps.metrics.registry],
  });
  for (const { name } of invariants) gauge.labels(name).set(Number.NaN);

  async function look(signal: AbortSignal): Promise<number> {
    let broken = 0;
    for (const { name, statement } of invariants) {
      if (signal.aborted) break;
      try {
        const rows = (await database.query(statement)).length;
        gauge.labels(name).set(rows);
        if (rows === 0) continue;
        broken += 1;
        log.error({ invariant: name, rows }, "an invariant is broken: run atelier doctor");
      } catch (error) {
        gauge.labels(name).set(Number.NaN);
        log.warn({ invariant: name, err: error }, "an invariant could not be looked at");
      }
    }
    return broken;
  }

  return {
    look,
    run: (background, signal) =>
      background.run(
        { name: "invariants: look at each", role: "background", everyMs: everySeconds * 1000, round: look },
        signal,
      ),
  };
}
