import {
  createDevelopmentTargets,
  createWebhooks,
  type Webhooks,
  webhookMeter,
} from "../../../capabilities/webhooks/index.ts";
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { type EgressPolicies, egressPolicies } from "../../../foundation/http/outgoing/egress-policies.ts";
import type { KnownSecrets } from "../../../foundation/known-secrets.ts";
import type { Metrics } from "../../../foundation/metrics.ts";
import { isDevelopment, requireDevelopmentTargets } from "../../development.ts";
import { serverVersion } from "../../server-version.ts";
import type { Capabilities } from "../build-capabilities.ts";
import type { ProcessDeps } from "../process-deps.ts";

export interface WebhookBuildDeps extends ProcessDeps {
  readonly metrics: Metrics;
  readonly database: Database;
  // Where lists are read from. The database if absent.
  readonly lists?: Queryable;
  readonly capabilities: Pick<Capabilities, "audit" | "keyRing">;
  readonly known: KnownSecrets;
  // The ports of our listeners and the application. A function, because they are known late.
  readonly ownPorts: () => readonly number[];
}

// Deliveries in progress at shutdown may finish within this time.
const stopSecondsMax = 20;

export interface BuiltWebhooks {
  readonly webhooks: Webhooks;
  readonly egress: EgressPolicies;
}

export function buildWebhooks(deps: WebhookBuildDeps): BuiltWebhooks {
  const { config, life, clock, log, database } = deps;
  requireDevelopmentTargets(config);
  const targets = createDevelopmentTargets({
    database,
    clock,
    audit: deps.capabilities.audit,
    configured: config.webhookTargets,
    isDevelopment: isDevelopment(config),
  });
  const egress = egressPolicies(config, { ownPorts: deps.ownPorts, targets: targets.current });
  const webhooks = createWebhooks({
    database,
    lists: deps.lists ?? database,
    clock,
    log,
    audit: deps.capabilities.audit,
    keyRing: deps.capabilities.keyRing,
    policy: egress.webhooks,
    scalePolicy: egress.scale,
    targets,
    known: deps.known,
    userAgent: `Atelier/${serverVersion}`,
    keepDays: config.webhookKeepDays,
    meter: webhookMeter(deps.metrics, { database, clock }),
  });
  if (config.webhookTargets.length > 0)
    log.warn({ targets: config.webhookTargets }, "webhooks may reach this machine: for development only");
  if (config.egressAllow.length > 0)
    log.warn({ allow: config.egressAllow }, "private networks are open to callers' URLs");
  const running = Promise.all([
    webhooks.run(life.background, life.stopping),
    targets.run(life.background, life.stopping),
  ]);
  life.onStop("webhooks", async () => void (await running), stopSecondsMax);
  return { webhooks, egress };
}
