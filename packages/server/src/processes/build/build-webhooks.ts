// Webhooks of this process: sends as long as the process runs, and may reach loopback only where the operator says so.
import { createWebhooks, type Webhooks, webhookMeter } from "../../capabilities/webhooks/index.ts";
import type { Config } from "../../config.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import type { EgressPolicy } from "../../foundation/http/egress-guard.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { UsageProblem } from "../commands/command.ts";
import { isDevelopment, type Reach } from "../development.ts";
import { serverVersion } from "../server-version.ts";
import type { Capabilities } from "./build-capabilities.ts";
import type { ProcessDeps } from "./process-deps.ts";

export interface WebhookBuildDeps extends ProcessDeps {
  readonly metrics: Metrics;
  readonly database: Database;
  // Where lists are read; the database if absent.
  readonly lists?: Queryable;
  readonly capabilities: Pick<Capabilities, "audit" | "keyRing">;
  // Ours and the application's; known late.
  readonly ownPorts: () => readonly number[];
}

// What is being sent when we stop may end.
const stopSecondsMax = 20;

export function buildWebhooks(deps: WebhookBuildDeps): Webhooks {
  const { config, life, clock, log, database } = deps;
  const webhooks = createWebhooks({
    database,
    lists: deps.lists ?? database,
    clock,
    log,
    audit: deps.capabilities.audit,
    keyRing: deps.capabilities.keyRing,
    policy: webhookPolicy(config, deps.ownPorts),
    userAgent: `Atelier/${serverVersion}`,
    keepDays: config.webhookKeepDays,
    meter: webhookMeter(deps.metrics, { database, clock }),
  });
  if (config.webhookTargets.length > 0)
    log.warn({ targets: config.webhookTargets }, "webhooks may reach this machine: for development only");
  const running = webhooks.run(life.background, life.stopping);
  life.onStop("webhooks", () => running, stopSecondsMax);
  return webhooks;
}

// Decisions, section 4: loopback targets are for development on one machine, so a server that others can reach has none.
export function webhookPolicy(
  config: Reach & Pick<Config, "webhookTargets">,
  ownPorts: () => readonly number[],
): EgressPolicy {
  if (config.webhookTargets.length > 0 && !isDevelopment(config)) {
    throw new UsageProblem([
      "ATELIER_WEBHOOK_TARGETS is for development on one machine: this server listens beyond loopback, or has a public address (ATELIER_BASE_URL and its relatives).",
    ]);
  }
  return {
    allowHttp: false,
    developmentTargets: config.webhookTargets,
    get ownPorts() {
      return ownPorts();
    },
  };
}
