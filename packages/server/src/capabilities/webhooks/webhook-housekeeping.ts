// What webhooks leave behind: deliveries past their retention (decisions, section 8), secrets that sign no more,
// receivers nobody uses, and secrets sealed under a key that was rotated since. Every process may run it; doing a step
// twice does nothing.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import type { KeyRing } from "../secrets/index.ts";
import { forgetDeliveries, forgetReceivers } from "./delivery-store.ts";
import { forgetSecrets } from "./secret-store.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface WebhookHousekeepingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyRing: Pick<KeyRing, "current">;
  readonly secrets: Pick<WebhookSecrets, "resealAll">;
  readonly keepDays: number;
}

export interface WebhookHousekeeping {
  round(signal: AbortSignal): Promise<{ readonly deliveriesForgotten: number; readonly secretsResealed: number }>;
  run(signal: AbortSignal): Promise<void>;
}

const dayMs = 86_400_000;
const everyMs = 600_000;
const batchRows = 1_000;

export function createWebhookHousekeeping(deps: WebhookHousekeepingDeps): WebhookHousekeeping {
  const { database, clock, log } = deps;
  const ago = (days: number) => new Date(clock.now().getTime() - days * dayMs);

  async function forgetOld(signal: AbortSignal): Promise<number> {
    let total = 0;
    while (!signal.aborted) {
      const count = await forgetDeliveries(database, { before: ago(deps.keepDays), count: batchRows });
      total += count;
      if (count < batchRows) break;
    }
    return total;
  }

  async function step(name: string, run: () => Promise<number>): Promise<number> {
    return run().catch((error: unknown) => {
      log.warn({ task: name, err: error }, "a step of the webhooks' housekeeping failed; the next round tries again");
      return 0;
    });
  }

  async function round(signal: AbortSignal) {
    const deliveriesForgotten = await step("deliveries", () => forgetOld(signal));
    await step("receivers", () => forgetReceivers(database, ago(deps.keepDays)));
    await step("secrets", () => forgetSecrets(database, ago(deps.keepDays)));
    const secretsResealed = await step("sealing", () => deps.secrets.resealAll(deps.keyRing.current("seal").id));
    return { deliveriesForgotten, secretsResealed };
  }

  return {
    round,
    async run(signal) {
      while (!signal.aborted) {
        await round(signal);
        await clock.sleep(everyMs, signal);
      }
    },
  };
}
