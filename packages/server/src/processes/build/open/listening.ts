// What every listener of a process has in common. One that differs says so after it.

import type { Admission } from "../../../foundation/http/admission/admission.ts";
import { peerReader } from "../../../foundation/http/peer-address.ts";
import type { Metrics } from "../../../foundation/metrics.ts";
import type { ProcessDeps } from "../process-deps.ts";

export interface ListenerDeps extends Pick<ProcessDeps, "config" | "life" | "clock" | "log"> {
  readonly metrics: Metrics;
  readonly admission: Admission;
}

export const listening = ({ config, clock, log, metrics, admission }: ListenerDeps) => ({
  clock,
  log,
  metrics,
  admission,
  bufferedBytesMax: config.bufferedBytesMax,
  corsOrigins: new Set(config.corsOrigins),
  readPeer: peerReader(config.trustProxy),
});
