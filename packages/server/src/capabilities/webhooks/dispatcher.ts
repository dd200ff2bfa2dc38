// Sends what is due. Looks which lanes have something (once a second, and at once when it is woken), claims for those
// that may send now, makes the attempts, and writes what came of them in batches. Several processes do this side by
// side: claims are leases, and a process that dies loses them to the others. Nothing is sent before its claim is
// written, and nothing is forgotten before its result is: that is what makes it at least once.

import { randomUUID } from "node:crypto";
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import { type Database, groupCommit } from "../../foundation/database/index.ts";
import type { GuardedClient, GuardedOutcome } from "../../foundation/http/guarded-client.ts";
import type { Log } from "../../foundation/log.ts";
import type { ClaimedDelivery, Lane } from "./delivery.ts";
import { type LaneLimits, Lanes, laneKey } from "./lanes.ts";
import { disabledText } from "./outbox-store.ts";
import {
  claimDeliveries,
  endLanes,
  findLanes,
  type ReceiverRules,
  type RecordedSettlement,
  recordSettlements,
  releaseDeliveries,
  stopSubjects,
} from "./queue-store.ts";
import { type Settlement, settleAttempt, unreachedText } from "./settle-attempt.ts";
import { signDelivery } from "./sign-delivery.ts";
import type { WebhookMeter } from "./webhook-metrics.ts";
import type { WebhookSecrets } from "./webhook-secrets.ts";

export interface DispatcherDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly client: Pick<GuardedClient, "request">;
  readonly secrets: Pick<WebhookSecrets, "signing">;
  readonly meter: WebhookMeter;
  readonly userAgent: string;
  readonly limits?: LaneLimits;
  // 0 to 1.
  readonly random?: () => number;
}

export interface Dispatcher {
  // Has an effect at once where `run` runs.
  wake(lane: Lane, isUrgent?: boolean): void;
  // One look and everything it leads to; what it sent has ended when it resolves. The loop below calls it, tests too.
  round(): Promise<void>;
  // Until the signal fires; then what is being sent may end.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export const leaseSeconds = 60;
const attemptMsMax = 15_000;
// What is left of a lease must cover an attempt and the writing of its result.
const leaseLeftMsMin = attemptMsMax + 10_000;
const slowAfterMs = 500;
const lookEveryMs = 1_000;
const answerBytesMax = 64 * 1024;
// The longest a schedule can take, and some.
const scheduleMsMax = 96 * 3_600_000;
const receiverRules: ReceiverRules = {
  failuresUntilRest: 5,
  restSeconds: 60,
  disableAfterSeconds: 5 * 86_400,
};

interface Waiting {
  readonly delivery: ClaimedDelivery;
  readonly leaseEndsMs: number;
}

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { database, clock, log, meter, random = Math.random } = deps;
  const lanes = new Lanes(deps.limits);
  const waiting = new Map<string, Waiting[]>();
  const underWay = new Set<Promise<void>>();
  let pumping: Promise<void> | undefined;
  let isWoken = false;
  let isRunning = false;
  let isStopping = false;
  let lookMs = 0;

  const record = groupCommit<Settlement, void>({
    maxBatch: 256,
    inFlight: 2,
    async run(settlements) {
      await writeSettlements(deps, lanes, settlements);
      return settlements.map(() => undefined);
    },
  });

  async function look(): Promise<void> {
    const began = clock.monotonicMs();
    const now = clock.now();
    const found = await findLanes(database);
    lookMs = clock.monotonicMs() - began;
    lanes.replace(
      found
        .filter(({ dueAt }) => dueAt <= now)
        .map((lane) => ({
          ...lane,
          dueAtMs: lane.dueAt.getTime(),
          restingUntilMs: lane.restingUntil?.getTime() ?? null,
        })),
    );
  }

  // One at a time; whatever arrives meanwhile is seen by the next turn of the loop.
  function pump(): Promise<void> {
    isWoken = true;
    pumping ??= claimWhileWoken();
    return pumping;
  }

  async function claimWhileWoken(): Promise<void> {
    try {
      while (isWoken) {
        isWoken = false;
        await claimAll();
      }
    } finally {
      pumping = undefined;
    }
  }

  async function claimAll(): Promise<void> {
    while (!isStopping) {
      const now = clock.now();
      const wishes = lanes.wishes(now.getTime());
      if (wishes.length === 0) return;
      const claim = { claimId: randomUUID(), lanes: wishes, now, leaseSeconds, restSeconds: receiverRules.restSeconds };
      const claimed = await claimDeliveries(database, claim);
      const leaseEndsMs = clock.monotonicMs() + leaseSeconds * 1000;
      const byLane = Map.groupBy(claimed, laneKey);
      for (const wish of wishes) {
        const taken = byLane.get(laneKey(wish)) ?? [];
        lanes.claimed(wish, taken.length);
        if (taken.length === 0) continue;
        // The order of a claim's rows is nobody's promise.
        taken.sort((a, b) => (a.id < b.id ? -1 : 1));
        const line = waiting.get(laneKey(wish)) ?? [];
        line.push(...taken.map((delivery) => ({ delivery, leaseEndsMs })));
        waiting.set(laneKey(wish), line);
        startNext(wish);
      }
    }
  }

  function startNext(lane: Lane): void {
    const line = waiting.get(laneKey(lane));
    while (line !== undefined && line.length > 0 && !isStopping && lanes.mayStart(lane)) {
      const next = line.shift();
      if (next === undefined) break;
      if (next.leaseEndsMs - clock.monotonicMs() < leaseLeftMsMin) giveBack([next.delivery]);
      else track(attempt(next.delivery));
    }
    if (line?.length === 0) waiting.delete(laneKey(lane));
  }

  function track(work: Promise<void>): void {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  function giveBack(deliveries: readonly ClaimedDelivery[], afterMs = 0): void {
    if (deliveries.length === 0) return;
    const dueAt = new Date(clock.now().getTime() + afterMs);
    for (const delivery of deliveries) lanes.released(delivery, dueAt.getTime());
    track(
      releaseDeliveries(database, deliveries, dueAt).catch((error: unknown) =>
        log.warn({ err: error }, "claimed deliveries could not be given back; they come back when their lease ends"),
      ),
    );
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    lanes.started(delivery);
    let wasSlow = false;
    const ended = new AbortController();
    void clock.sleep(slowAfterMs, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      wasSlow = true;
      lanes.becameSlow(delivery);
      // Its place is free.
      void again();
    });
    let works: boolean | null = null;
    try {
      const startedAt = clock.now();
      if (delivery.step === 0 && !delivery.isManual)
        meter.firstAttempt(startedAt.getTime() - delivery.queuedAt.getTime());
      const outcome = await send(deps, delivery, startedAt);
      const settlement = settleAttempt(delivery, outcome, { startedAt, now: clock.now(), random: random() });
      works = settlement.receiver === "unsaid" ? null : settlement.receiver === "works";
      tell(deps, settlement, outcome);
      await record(settlement);
    } catch (error) {
      // Ours, not the receiver's: the lease brings it back without an attempt being counted.
      log.error({ deliveryId: delivery.id, err: error }, "a webhook could not be sent or its result not be written");
    } finally {
      ended.abort();
      lanes.ended(delivery, { wasSlow, works });
      // Those ready behind a failure wait for the receiver's next turn, under no lease of ours.
      if (works === false) giveBack((waiting.get(laneKey(delivery)) ?? []).splice(0).map((next) => next.delivery));
      startNext(delivery);
      void again();
    }
  }

  function again(): Promise<void> {
    return pump().catch((error: unknown) => {
      log.warn({ err: error }, "webhooks could not be claimed; the next look tries again");
    });
  }

  async function round(): Promise<void> {
    await look();
    await pump();
    while (underWay.size > 0 || pumping) await Promise.all([...underWay, pumping]);
  }

  return {
    wake(lane, isUrgent) {
      if (isStopping) return;
      lanes.wake(lane, clock.now().getTime(), isUrgent);
      if (isRunning) void again();
    },
    round,
    async run(background, signal) {
      isRunning = true;
      await background.run(
        {
          name: "webhooks: look for due deliveries",
          // A look that takes long is not made often.
          everyMs: () => Math.max(lookEveryMs, lookMs * 20),
          round: () => look().then(pump),
        },
        signal,
      );
      isStopping = true;
      await pumping?.catch(() => undefined);
      giveBack([...waiting.values()].flat().map((next) => next.delivery));
      waiting.clear();
      while (underWay.size > 0 || pumping) await Promise.allSettled([...underWay, pumping]);
      await record.close();
    },
  };
}

async function send(deps: DispatcherDeps, delivery: ClaimedDelivery, at: Date): Promise<GuardedOutcome> {
  const secrets = await deps.secrets.signing(delivery.workspaceId);
  return deps.client.request({
    url: delivery.url,
    method: "POST",
    headers: {
      "content-type": "application/json",
      "user-agent": deps.userAgent,
      ...signDelivery(delivery, at, secrets),
    },
    body: delivery.body,
    answerBytesMax,
    totalMs: attemptMsMax,
    scope: delivery.workspaceId,
  });
}

// The real reason is for the operator's log only.
function tell({ log, meter }: DispatcherDeps, settlement: Settlement, outcome: GuardedOutcome): void {
  const { delivery, status, durationMs, standing } = settlement;
  meter.attempt(status === null ? "unreached" : status < 300 ? "taken" : "refused");
  if (standing === "dead") meter.dead();
  if (status !== null && status < 300) return;
  const reason = outcome.kind === "answered" ? `answered ${outcome.status}` : `${outcome.kind} ${outcome.reason}`;
  log.info(
    {
      deliveryId: delivery.id,
      receiver: delivery.receiver,
      attempt: delivery.attempts + 1,
      reason,
      durationMs,
      standing,
    },
    "a webhook was not taken",
  );
}

async function writeSettlements(deps: DispatcherDeps, lanes: Lanes, settlements: readonly Settlement[]): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const gone = settlements.filter(({ standing, delivery }) => standing === "gone" && !delivery.isManual);
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
  await endWhatRests(deps, lanes, recorded, now);
}

async function endWhatRests(
  { database, log, meter }: DispatcherDeps,
  lanes: Lanes,
  recorded: readonly RecordedSettlement[],
  now: Date,
): Promise<void> {
  const resting = recorded.filter(({ isResting }) => isResting);
  if (resting.length === 0) return;
  for (const lane of resting) lanes.rests(lane, now.getTime() + receiverRules.restSeconds * 1000);
  const disabled = resting.filter(({ isDisabled }) => isDisabled);
  // What has waited for longer than a schedule takes will not be tried ten times, and nobody waits for it any more.
  const queuedBefore = new Date(now.getTime() - scheduleMsMax);
  let ended = await endLanes(database, { lanes: resting, queuedBefore, now, error: unreachedText });
  if (disabled.length > 0) {
    ended += await endLanes(database, { lanes: disabled, queuedBefore: now, now, error: disabledText });
    for (const { receiver, workspaceId } of disabled)
      log.warn({ receiver, workspaceId }, "a webhook receiver is disabled: five days without a success");
  }
  if (ended > 0) meter.dead(ended);
}
