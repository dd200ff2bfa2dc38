// Sends due deliveries. It looks for lanes with something to send (once a second, and right away when woken), claims for
// those that may send now, makes the attempts, and writes the results in batches. Several processes do this side by side:
// claims are leases, and a process that dies loses them to the others. Nothing is sent before its claim is written, and
// nothing is dropped before its result is, which makes delivery at-least-once. An attempt starts only while its lease
// covers it and the writing of its result. Claimed deliveries that cannot be started are given back; if that fails, they
// come back when the lease ends.
import { randomUUID } from "node:crypto";
import type { Background, PeriodicWork } from "../../foundation/background.ts";
import type { GroupCommit } from "../../foundation/database/index.ts";
import { oneLoop } from "../../foundation/memory/one-loop.ts";
import type { ClaimedDelivery, Lane } from "./delivery.ts";
import { type LaneLimits, Lanes, laneKey } from "./lanes.ts";
import { claimDeliveries, findLanes, releaseDeliveries } from "./queue-store.ts";
import { type RecordDeps, receiverRules, recordAttempts } from "./record-attempts.ts";
import { attemptMsMax, logAttempt, type SendDeps, sendDelivery } from "./send-delivery.ts";
import { type Settlement, settleAttempt } from "./settle-attempt.ts";

export interface DispatcherDeps extends SendDeps, RecordDeps {
  readonly limits?: LaneLimits;
  // From 0 to 1.
  readonly random?: () => number;
}

export const leaseSeconds = 60;
// The rest of a lease must cover an attempt and the writing of its result.
const leaseLeftMsMin = attemptMsMax + 10_000;
const slowAfterMs = 500;
const lookEveryMs = 1_000;

interface Waiting {
  readonly delivery: ClaimedDelivery;
  readonly leaseEndsMs: number;
}

export class Dispatcher {
  readonly #deps: DispatcherDeps;
  readonly #lanes: Lanes;
  readonly #record: GroupCommit<Settlement, void>;
  // Claimed but not started, by lane.
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #underWay = new Set<Promise<void>>();
  #isWoken = false;
  #isRunning = false;
  #isStopping = false;
  #lookMs = 0;

  constructor(deps: DispatcherDeps) {
    this.#deps = deps;
    this.#lanes = new Lanes(deps.limits);
    this.#record = recordAttempts(deps, this.#lanes);
  }

  // Takes effect immediately if `run` is running.
  wake(lane: Lane, isUrgent?: boolean): void {
    if (this.#isStopping) return;
    this.#lanes.wake(lane, this.#deps.clock.now().getTime(), isUrgent);
    if (this.#isRunning) this.#claimAgain();
  }

  // Runs one look and everything that follows from it; resolves when all attempts have ended. For tests; `run` repeats
  // it.
  async round(): Promise<void> {
    await this.#look();
    await this.#claim();
    await this.#untilNothingIsUnderWay();
  }

  // Runs until the signal fires; attempts in progress may then finish. A process that leaves sending to others starts
  // nothing, and the others find due deliveries by their own look.
  async run(background: Background, signal: AbortSignal): Promise<void> {
    const work: PeriodicWork = {
      name: "webhooks: look for due deliveries",
      role: "webhooks",
      // The longer a look takes, the less often it runs.
      everyMs: () => Math.max(lookEveryMs, this.#lookMs * 20),
      round: () => this.#look().then(() => this.#claim()),
    };
    this.#isRunning = background.does(work);
    this.#isStopping = !this.#isRunning;
    await background.run(work, signal);
    this.#isStopping = true;
    // A claim in progress may still return deliveries, but they are not started.
    await this.#claiming().catch(() => undefined);
    this.#giveBack([...this.#waiting.values()].flat().map((next) => next.delivery));
    this.#waiting.clear();
    await this.#untilNothingIsUnderWay();
    await this.#record.close();
  }

  async #look(): Promise<void> {
    const { clock, database } = this.#deps;
    const began = clock.monotonicMs();
    const now = clock.now();
    const found = await findLanes(database);
    this.#lookMs = clock.monotonicMs() - began;
    this.#lanes.replace(
      found
        .filter(({ dueAt }) => dueAt <= now)
        .map((lane) => ({
          ...lane,
          dueAtMs: lane.dueAt.getTime(),
          restingUntilMs: lane.restingUntil?.getTime() ?? null,
        })),
    );
  }

  // Anything that arrives while claiming is seen in its next turn.
  #claim(): Promise<void> {
    this.#isWoken = true;
    return this.#claiming();
  }

  readonly #claiming = oneLoop(
    () => this.#isWoken,
    async () => {
      this.#isWoken = false;
      while (!this.#isStopping && (await this.#claimOnce()));
    },
  );

  #claimAgain(): void {
    const claimed = this.#claim().catch((err: unknown) =>
      this.#deps.log.warn({ err }, "webhooks could not be claimed; trying again later"),
    );
    this.#track(claimed);
  }

  // False if no lane may claim now.
  async #claimOnce(): Promise<boolean> {
    const { clock, database } = this.#deps;
    const now = clock.now();
    const lanes = this.#lanes.requests(now.getTime());
    if (lanes.length === 0) return false;
    const claim = { claimId: randomUUID(), lanes, now, leaseSeconds, restSeconds: receiverRules.restSeconds };
    const claimed = Map.groupBy(await claimDeliveries(database, claim), laneKey);
    const leaseEndsMs = clock.monotonicMs() + leaseSeconds * 1000;
    for (const lane of lanes) {
      const taken = claimed.get(laneKey(lane)) ?? [];
      this.#lanes.claimed(lane, taken.length);
      if (taken.length === 0) continue;
      // The order of a claim's rows is not guaranteed.
      taken.sort((a, b) => (a.id < b.id ? -1 : 1));
      const line = this.#waiting.get(laneKey(lane)) ?? [];
      line.push(...taken.map((delivery) => ({ delivery, leaseEndsMs })));
      this.#waiting.set(laneKey(lane), line);
      this.#startNext(lane);
    }
    return true;
  }

  #startNext(lane: Lane): void {
    const line = this.#waiting.get(laneKey(lane));
    while (line !== undefined && line.length > 0 && !this.#isStopping && this.#lanes.mayStart(lane)) {
      const next = line.shift();
      if (next === undefined) break;
      if (next.leaseEndsMs - this.#deps.clock.monotonicMs() < leaseLeftMsMin) this.#giveBack([next.delivery]);
      else this.#track(this.#attempt(next.delivery));
    }
    if (line?.length === 0) this.#waiting.delete(laneKey(lane));
  }

  async #attempt(delivery: ClaimedDelivery): Promise<void> {
    this.#lanes.started(delivery);
    let wasSlow = false;
    const ended = new AbortController();
    void this.#deps.clock.sleep(slowAfterMs, ended.signal).then(() => {
      if (ended.signal.aborted) return;
      wasSlow = true;
      this.#lanes.markSlow(delivery);
      // Its share of the limit is free again.
      this.#claimAgain();
    });
    let works: boolean | null = null;
    try {
      const settlement = await this.#send(delivery);
      works = settlement.receiver === "unsaid" ? null : settlement.receiver === "works";
      await this.#record(settlement);
    } catch (error) {
      // Our failure, not the receiver's: the lease brings it back without counting an attempt.
      const text = "a webhook could not be sent, or its result could not be stored";
      this.#deps.log.error({ deliveryId: delivery.id, err: error }, text);
    } finally {
      ended.abort();
      this.#lanes.ended(delivery, { wasSlow, works });
      // Deliveries queued behind a failure wait for the receiver's next turn, without our lease.
      if (works === false)
        this.#giveBack((this.#waiting.get(laneKey(delivery)) ?? []).splice(0).map((next) => next.delivery));
      this.#startNext(delivery);
      this.#claimAgain();
    }
  }

  async #send(delivery: ClaimedDelivery): Promise<Settlement> {
    const { clock, meter, random = Math.random } = this.#deps;
    const startedAt = clock.now();
    if (delivery.step === 0 && !delivery.isManual)
      meter.firstAttempt(startedAt.getTime() - delivery.queuedAt.getTime());
    const outcome = await sendDelivery(this.#deps, delivery, startedAt);
    const settlement = settleAttempt(delivery, outcome, { startedAt, now: clock.now(), random: random() });
    logAttempt(this.#deps, settlement, outcome);
    return settlement;
  }

  #giveBack(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length === 0) return;
    const { database, clock, log } = this.#deps;
    const dueAt = clock.now();
    for (const delivery of deliveries) this.#lanes.released(delivery, dueAt.getTime());
    this.#track(
      releaseDeliveries(database, deliveries, dueAt).catch((err: unknown) =>
        log.warn({ err }, "claimed deliveries could not be released; they become available when their lease expires"),
      ),
    );
  }

  #track(work: Promise<void>): void {
    const tracked = work.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  async #untilNothingIsUnderWay(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.allSettled([...this.#underWay]);
  }
}
