// Admits everything that a test without a whole app sends, unless the test says otherwise.
import { type Clock, systemClock } from "../../src/foundation/clock.ts";
import {
  type Admission,
  type AdmissionSettings,
  createAdmission,
} from "../../src/foundation/http/admission/admission.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { createMetrics, type Metrics } from "../../src/foundation/metrics.ts";

export function smallAdmission(
  settings: Partial<AdmissionSettings> = {},
  { clock = systemClock, metrics = createMetrics() }: { clock?: Clock; metrics?: Metrics } = {},
): Admission {
  return createAdmission({
    settings: {
      activeRequestsMax: 64,
      queueAgeMsMax: 60_000,
      refusalsPerSecondMax: 100_000,
      anonymousRequestsPerMinute: 1_000_000,
      connectionsMax: 1000,
      connectionsPerAddressMax: 1000,
      ...settings,
    },
    openFilesMax: null,
    clock,
    metrics,
    log: silentLog,
  });
}
