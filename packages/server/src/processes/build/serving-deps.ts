// What every part that serves callers gets: the process, and what was built before all of them.
import type { RequestBodies } from "../../capabilities/request-bodies/index.ts";
import type { Retention } from "../../capabilities/retention/index.ts";
import type { SafetyHook } from "../../capabilities/safety/index.ts";
import type { Selling } from "../../capabilities/selling/index.ts";
import type { Webhooks } from "../../capabilities/webhooks/index.ts";
import type { Storage } from "../../foundation/database/opening/open-storage.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import type { Paying } from "./build-calls.ts";
import type { Capabilities } from "./build-capabilities.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface ServingDeps extends ProcessDeps {
  readonly metrics: Metrics;
  readonly storage: Storage;
  readonly capabilities: Capabilities;
  readonly paying: Paying;
  readonly webhooks: Webhooks;
  readonly requestBodies: RequestBodies;
  readonly retention: Retention;
  // Null: no credits are sold.
  readonly selling: Selling | null;
  // Null without one.
  readonly safety: SafetyHook | null;
  readonly baseUrl: () => string;
}
