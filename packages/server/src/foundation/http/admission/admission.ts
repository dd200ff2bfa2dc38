// Everything between a request and our work, shared by all listeners of a process: connection limits, the rate limit of
// addresses without a credential, fair turns, and the pacing of refusals and their log lines. Created once per process and
// counted in its metrics.
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";
import type { Metrics } from "../../metrics.ts";
import { openFilesMax as readOpenFilesMax } from "../../open-files.ts";
import type { AnsweredError } from "../answered-error.ts";
import { AddressRate } from "./address-rate.ts";
import { ConnectionLimits } from "./connection-limits.ts";
import { FairTurns } from "./fair-turns.ts";
import { PacedRefusals } from "./paced-refusals.ts";
import { RefusalLog } from "./refusal-log.ts";

export interface AdmissionSettings {
  readonly activeRequestsMax: number;
  readonly queueAgeMsMax: number;
  readonly refusalsPerSecondMax: number;
  readonly anonymousRequestsPerMinute: number;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
}

export interface AdmissionOptions {
  readonly settings: AdmissionSettings;
  // Defaults to what the operating system allows this process.
  readonly openFilesMax?: number | null;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Log;
  // Called with every error answered to a known workspace.
  readonly errorAnswered?: (error: AnsweredError) => void;
}

export interface Admission {
  readonly turns: FairTurns;
  readonly refusals: PacedRefusals;
  readonly refusalLog: RefusalLog;
  readonly addresses: AddressRate;
  readonly connections: ConnectionLimits;
  readonly errorAnswered?: ((error: AnsweredError) => void) | undefined;
}

// Overload is logged once per this interval, not once for each request it costs.
const reportEveryMs = 10_000;

export function createAdmission(options: AdmissionOptions): Admission {
  const { settings, openFilesMax = readOpenFilesMax(), clock, metrics, log } = options;
  const shed = metrics.counter(
    "atelier_requests_shed_total",
    "Requests refused with 503 because they waited too long.",
  );
  const report = throttled(clock, (count) =>
    log.warn({ count }, "requests were refused because the server is overloaded"),
  );
  const limited = metrics.counter(
    "atelier_anonymous_requests_refused_total",
    "Requests without a credential refused with 429 because their address sends too many.",
  );
  const cut = metrics.counter("atelier_connections_refused_total", "Connections cut because there are too many.");
  const turns = new FairTurns({
    clock,
    turnsMax: settings.activeRequestsMax,
    ageMsMax: settings.queueAgeMsMax,
    onShed: () => {
      shed.add();
      report();
    },
  });
  const refusals = new PacedRefusals({ clock, perSecondMax: settings.refusalsPerSecondMax });
  const unlogged = metrics.counter(
    "atelier_refusals_unlogged_total",
    "Refused or failed requests that got no log line of their own because there were too many.",
  );
  const refusalLog = new RefusalLog({ clock, onUnlogged: () => unlogged.add() });
  const addresses = new AddressRate({
    clock,
    perMinute: settings.anonymousRequestsPerMinute,
    onRefused: () => limited.add(),
  });
  const connections = new ConnectionLimits({
    ...settings,
    clock,
    openFilesMax,
    onAccepted: () => turns.accepted(),
    onRefused: () => cut.add(),
  });
  metrics.gauge("atelier_requests_active", "Requests being processed.", () => turns.running);
  metrics.gauge("atelier_requests_waiting", "Requests waiting for their turn.", () => turns.waiting);
  metrics.gauge("atelier_refusals_waiting", "Refusals waiting to be sent.", () => refusals.waiting);
  metrics.gauge("atelier_connections_open", "Open connections.", () => connections.open);
  metrics.gauge("atelier_connections_max", "How many connections may be open.", () => connections.max);
  return { turns, refusals, refusalLog, addresses, connections, errorAnswered: options.errorAnswered };
}

function throttled(clock: Clock, report: (count: number) => void): () => void {
  let count = 0;
  let reportedMs = Number.NEGATIVE_INFINITY;
  return () => {
    count += 1;
    const nowMs = clock.monotonicMs();
    if (nowMs - reportedMs < reportEveryMs) return;
    report(count);
    count = 0;
    reportedMs = nowMs;
  };
}
