// Writes the results of attempts, many in one statement, and ends deliveries that a paused or disabled receiver will not
// get any more. A result is written under its claim: if another process has taken the lease since, it changes nothing.
import type { Clock } from "../../foundation/clock.ts";
import { type Database, type GroupCommit, groupCommit } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import type { Lanes } from "./lanes.ts";
import { disabledText } from "./outbox-store.ts";
import {
  endLanes,
  type ReceiverRules,
  type RecordedSettlement,
  recordSettlements,
  stopSubjects,
} from "./queue-store.ts";
import { type Settlement, unreachedText } from "./settle-attempt.ts";
import type { WebhookMeter } from "./webhook-metrics.ts";

export interface RecordDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: WebhookMeter;
}

// Longer than any schedule can take.
const scheduleMsMax = 96 * 3_600_000;
export const receiverRules: ReceiverRules = {
  failuresUntilRest: 5,
  restSeconds: 60,
  disableAfterSeconds: 5 * 86_400,
};

export function recordAttempts(deps: RecordDeps, lanes: Lanes): GroupCommit<Settlement, void> {
  return groupCommit<Settlement, void>({
    maxBatch: 256,
    inFlight: 2,
    async run(settlements) {
      await writeSettlements(deps, lanes, settlements);
      return settlements.map(() => undefined);
    },
  });
}

async function writeSettlements(deps: RecordDeps, lanes: Lanes, settlements: readonly Settlement[]): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const gone = settlements.filter(({ state: status, delivery }) => status === "gone" && !delivery.isManual);
  const recorded =
    gone.length === 0
      ? await recordSettlements(database, settlements, now, receiverRules)
      : await database.transaction(async (tx) => {
          const written = await recordSettlements(tx, settlements, now, receiverRules);
          const ids = new Set(written.map(({ id }) => id));
          const stopped = gone.filter(({ delivery }) => ids.has(delivery.id)).map(({ delivery }) => delivery);
          if (stopped.length > 0) await stopSubjects(tx, stopped, gone[0]?.error ?? "");
          return written;
        });
  await restFailingReceivers(deps, lanes, recorded, now);
}

async function restFailingReceivers(
  { database, log, meter }: RecordDeps,
  lanes: Lanes,
  recorded: readonly RecordedSettlement[],
  now: Date,
): Promise<void> {
  const resting = recorded.filter(({ isResting }) => isResting);
  if (resting.length === 0) return;
  for (const lane of resting) lanes.rests(lane, now.getTime() + receiverRules.restSeconds * 1000);
  const disabled = resting.filter(({ isDisabled }) => isDisabled);
  // A delivery that has waited longer than a schedule takes will not get ten attempts any more, and no one expects it by
  // now.
  const queuedBefore = new Date(now.getTime() - scheduleMsMax);
  let ended = await endLanes(database, { lanes: resting, queuedBefore, now, error: unreachedText });
  if (disabled.length > 0) {
    ended += await endLanes(database, { lanes: disabled, queuedBefore: now, now, error: disabledText });
    for (const { receiver, workspaceId } of disabled)
      log.warn(
        { receiver, workspaceId },
        "a webhook receiver was disabled after five days without a successful delivery",
      );
  }
  if (ended > 0) meter.dead(ended);
}
