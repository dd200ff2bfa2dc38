// Webhooks of this process: sends while the process runs. Reaches loopback only if the operator allows it.
import type { BudgetNotices, Budgets, OddSpendingWatch, SpendingNotices } from "../../../capabilities/calls/index.ts";
import type { Mail } from "../../../capabilities/mail/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { VersionNotices } from "../../../capabilities/registry/index.ts";
import {
  createDevelopmentTargets,
  createWebhooks,
  noticeBytesMax,
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
import { budgetMail, spendingMail } from "./build-mail.ts";

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

interface AlertDeps {
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly mail: Pick<Mail, "enqueue" | "wake">;
  // Null if people could not open it.
  readonly consoleUrl: () => string | null;
}

// Hands on the alerts of budgets, and looks for odd hours.
export function watchMoney(
  life: ProcessDeps["life"],
  { budgets, oddSpending }: { readonly budgets: Budgets; readonly oddSpending: OddSpendingWatch },
  deps: AlertDeps,
): void {
  life.work("budgets", { run: (background, signal) => budgets.run(budgetNotices(deps), background, signal) });
  life.work("odd spending", {
    run: (background, signal) => oddSpending.run(spendingNotices(deps), background, signal),
  });
}

// Alerts of budgets as signed webhooks and as mail: both are written in the transaction that marks the alert as handed on.
function budgetNotices({ webhooks, mail, consoleUrl }: AlertDeps): BudgetNotices {
  return {
    async enqueue(tx, alerts) {
      await mail.enqueue(
        tx,
        alerts.map((alert) => budgetMail(alert, consoleUrl())),
      );
      return webhooks.enqueue(
        tx,
        alerts.map(({ budget, sequence, ...alert }) => ({
          workspaceId: budget.workspaceId,
          subjectId: budget.id,
          sequence,
          url: budget.webhookUrl,
          type: "budget.threshold",
          body: Buffer.from(
            JSON.stringify({
              budget: budget.name,
              scope: budget.scope,
              subject: budget.scope === "workspace" ? null : budget.subject,
              period: budget.period,
              period_start: alert.periodStart,
              at_limit: budget.atLimit,
              threshold: alert.threshold,
              amount: creditsText(alert.amount),
              spent: creditsText(alert.spent),
              held: creditsText(alert.held),
              at: alert.at.toISOString(),
              sequence,
            }),
          ),
        })),
      );
    },
    wake(addresses) {
      webhooks.wake(addresses);
      mail.wake();
    },
  };
}

// Odd hours, for endpoints and as mail, in the transaction that found them.
function spendingNotices({ webhooks, mail, consoleUrl }: AlertDeps): SpendingNotices {
  return {
    async enqueue(tx, found) {
      await mail.enqueue(
        tx,
        found.map((odd) => spendingMail(odd, consoleUrl())),
      );
      const addresses = await webhooks.enqueue(
        tx,
        found.map(({ workspaceId, sequence, ...odd }) => ({
          ...{ workspaceId, subjectId: workspaceId, sequence, url: null, type: "spending.odd" },
          body: Buffer.from(
            JSON.stringify({
              hour: odd.hour.toISOString(),
              spent: creditsText(odd.spent),
              average: creditsText(odd.average),
              highest: creditsText(odd.highest),
              weeks: odd.weeks,
              at: odd.at.toISOString(),
              sequence,
            }),
          ),
        })),
      );
      return () => {
        webhooks.wake(addresses);
        mail.wake();
      };
    },
  };
}

// A version may have thousands of findings; a read has them all.
const findingsMax = 100;

// Decisions about versions, for endpoints of the publisher's workspace. They leave within a second or so.
export function versionNotices(webhooks: Pick<Webhooks, "enqueue">): VersionNotices {
  return {
    async enqueue(tx, { workspaceId, sequence, type, ...version }) {
      const body = {
        id: version.id,
        node_id: version.nodeId,
        version: version.version,
        status: version.status,
        status_reason: version.statusReason,
        findings: version.findings.slice(0, findingsMax),
        at: version.at.toISOString(),
        sequence,
      };
      const bytes = Buffer.from(JSON.stringify(body));
      const small = bytes.byteLength <= noticeBytesMax ? bytes : Buffer.from(JSON.stringify({ ...body, findings: [] }));
      await webhooks.enqueue(tx, [{ workspaceId, subjectId: version.id, sequence, url: null, type, body: small }]);
    },
  };
}
