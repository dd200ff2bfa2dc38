// Cleans up after webhooks: deliveries past their retention (decisions, section 8), secrets that no longer sign, unused
// receivers, and secrets sealed under a key that was rotated since. Several processes may run it; repeating a step does
// nothing.
import { type Background, everyStep } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { KeyRing } from "../secrets/index.ts";
import { forgetDeliveries, forgetReceivers } from "./delivery-store.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface WebhookHousekeepingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly keyRing: Pick<KeyRing, "current">;
  readonly secrets: Pick<WebhookSecrets, "resealAll" | "forgetEnded">;
  readonly keepDays: number;
}

export interface WebhookHousekeeping {
  round(signal: AbortSignal): Promise<{ readonly deliveriesForgotten: number; readonly secretsResealed: number }>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

const dayMs = 86_400_000;
const everyMs = 600_000;
const batchRows = 1_000;

export function createWebhookHousekeeping(deps: WebhookHousekeepingDeps): WebhookHousekeeping {
  const { database, clock } = deps;
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

  async function round(signal: AbortSignal) {
    const done = { deliveriesForgotten: 0, secretsResealed: 0 };
    await everyStep({
      async deliveries() {
        done.deliveriesForgotten = await forgetOld(signal);
      },
      receivers: () => forgetReceivers(database, ago(deps.keepDays)),
      secrets: () => deps.secrets.forgetEnded(ago(deps.keepDays)),
      async sealing() {
        done.secretsResealed = await deps.secrets.resealAll(deps.keyRing.current("seal").id);
      },
    });
    return done;
  }

  return {
    round,
    run: (background, signal) =>
      background.run({ name: "webhooks: housekeeping", role: "background", everyMs, round }, signal),
  };
}
