// Decides which jobs to claim for which waiting workers: fairly across workspaces, by what a job needs and a worker offers.
// Everything here is a guess; the claim confirms it or fails. Hints bring a new job within milliseconds. Regular looks at
// the lanes find whatever no hint announced.
import type { Clock } from "../../../foundation/clock.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { ReadyHint } from "../changes/job-hints.ts";
import type { JobId, PoolId, WorkerId } from "../job.ts";
import type { WorkerOffer } from "../job-needs.ts";
import { createKnownNeeds, type KnownNeeds } from "./known-needs.ts";
import { Lanes } from "./lanes.ts";
import { type Asking, type KnownCandidate, placeJobs } from "./place-jobs.ts";
import type { Candidate, WindowRequest } from "./ready-store.ts";
import { createShelf } from "./shelf.ts";
import { shareOf, type WorkspaceShare } from "./workspace-share.ts";

export interface FindWorkDeps {
  readonly poolId: PoolId;
  readonly clock: Clock;
  listLanes(asked: { poolId: PoolId; known: readonly WorkspaceId[]; count: number }): Promise<WorkspaceId[]>;
  readWindows(asked: {
    poolId: PoolId;
    lanes: readonly WindowRequest[];
    count: number;
    leftOut: readonly string[];
  }): Promise<Map<WorkspaceId, Candidate[]>>;
  findGraphs(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, Buffer>>;
  // How many jobs of each workspace run in this pool, across all processes.
  countRunning(poolId: PoolId): Promise<ReadonlyMap<WorkspaceId, number>>;
  // The share of running jobs that one workspace gets while others wait.
  readonly workspaceShare: number;
}

export interface FreeWorker {
  readonly workerId: WorkerId;
  readonly slots: number;
  readonly offer: WorkerOffer;
}

type BusyOffers = (free: ReadonlySet<WorkerId>, nowMs: number) => WorkerOffer[];

// One round: the asking workers with their free slots, and what each should claim.
interface Round<Worker extends FreeWorker> {
  readonly asking: readonly (Asking<Worker> & { slots: number })[];
  readonly claims: Map<JobId, Worker>;
  readonly busyOffers: BusyOffers;
}

const lookEveryMs = 1_000;
const lookCostFactor = 20;
const lanesPerLook = 1_000;
const lanesPerRead = 64;
const windowMin = 16;
const claimsMax = 64;
// How many times one round skips candidates that no worker takes.
const turnsMax = 8;

export class WorkFinder {
  readonly #deps: FindWorkDeps;
  readonly #lanes = new Lanes();
  readonly #shelf = createShelf();
  readonly #knownNeeds: KnownNeeds;
  #nextLookMs = Number.NEGATIVE_INFINITY;

  constructor(deps: FindWorkDeps) {
    this.#deps = deps;
    this.#knownNeeds = createKnownNeeds(deps.findGraphs);
  }

  hint(hint: ReadyHint): void {
    this.#lanes.hint(hint.workspaceId, hint);
  }

  // How long nothing new can be found here unless a hint arrives.
  pauseMs(): number {
    const nowMs = this.#deps.clock.monotonicMs();
    const dueMs = this.#shelf.nextDueMs() ?? this.#nextLookMs;
    return Math.max(1, Math.min(lookEveryMs, this.#nextLookMs - nowMs, dueMs - nowMs));
  }

  // `isWhole` is false if there may be more for workers that got nothing.
  async find<Worker extends FreeWorker>(
    here: readonly Worker[],
    busyOffers: BusyOffers,
  ): Promise<{ readonly claims: ReadonlyMap<JobId, Worker>; readonly isWhole: boolean }> {
    const round: Round<Worker> = { asking: askingOf(here), claims: new Map(), busyOffers };
    const offers = round.asking.map(({ offer }) => offer);
    if (this.#deps.clock.monotonicMs() >= this.#nextLookMs) await this.#look();
    if (this.#shelf.admit(offers)) this.#lanes.rewind();
    const kept = this.#shelf.take(offers);
    const share = kept.length > 0 && this.#lanes.size > 1 ? await this.#shareNow(round) : null;
    const later = this.#placeWithin(share, round, kept);
    const isWhole = await this.#placeFresh(share, round);
    this.#assign(round, later);
    return { claims: round.claims, isWhole };
  }

  // Finds lanes that no hint announced.
  async #look(): Promise<void> {
    const { clock, poolId } = this.#deps;
    const startedMs = clock.monotonicMs();
    this.#lanes.seen(await this.#deps.listLanes({ poolId, known: this.#lanes.known(), count: lanesPerLook }));
    const endedMs = clock.monotonicMs();
    this.#nextLookMs = endedMs + Math.max(lookEveryMs, lookCostFactor * (endedMs - startedMs));
  }

  // Takes candidates from the lanes, turn by turn, until every slot has one or nothing is left to try.
  async #placeFresh<Worker extends FreeWorker>(known: WorkspaceShare | null, round: Round<Worker>): Promise<boolean> {
    let share = known;
    let isWhole = true;
    for (let turn = 0; turn < turnsMax; turn += 1) {
      const need = slotsLeft(round);
      if (need === 0) break;
      // A job that has its worker does not wait while we look for more. The next round does that.
      isWhole = round.claims.size === 0;
      if (isWhole) await this.#refill(need);
      if (share === null && this.#lanes.isContended(need)) share = await this.#shareNow(round);
      const taken = this.#lanes.take(need, share);
      if (taken.length === 0) break;
      const fresh = taken.filter(({ jobId }) => !round.claims.has(jobId) && !this.#shelf.has(jobId));
      const needs = await this.#knownNeeds.of(fresh);
      this.#assign(
        round,
        fresh.map((one, at) => ({ ...one, needs: needs[at] ?? null, passedSinceMs: null })),
      );
    }
    return isWhole;
  }

  async #refill(need: number): Promise<void> {
    const { clock, poolId } = this.#deps;
    const lanes = this.#lanes.toRead(lanesPerRead, clock.monotonicMs());
    if (lanes.length === 0) return;
    const count = Math.max(windowMin, Math.ceil((2 * need) / lanes.length));
    const startedMs = clock.monotonicMs();
    const found = await this.#deps.readWindows({ poolId, lanes, count, leftOut: this.#shelf.leftOut() });
    const nowMs = clock.monotonicMs();
    const costMs = nowMs - startedMs;
    for (const window of lanes)
      this.#lanes.read({ window, found: found.get(window.workspaceId) ?? [], count, costMs, nowMs });
  }

  async #shareNow(round: Round<FreeWorker>): Promise<WorkspaceShare | null> {
    const { workspaceShare: share, poolId } = this.#deps;
    if (share >= 1) return null;
    const free = slotsLeft(round);
    return shareOf({ running: await this.#deps.countRunning(poolId), free, share });
  }

  // Returns the candidates beyond their workspace's share, to try after all others.
  #placeWithin<Worker extends FreeWorker>(
    share: WorkspaceShare | null,
    round: Round<Worker>,
    candidates: readonly KnownCandidate[],
  ): KnownCandidate[] {
    const [within, beyond]: [KnownCandidate[], KnownCandidate[]] = [[], []];
    for (const candidate of candidates) {
      const isFull = share?.isFull(candidate.workspaceId) ?? false;
      if (!isFull) share?.took(candidate.workspaceId);
      (isFull ? beyond : within).push(candidate);
    }
    this.#assign(round, within);
    return beyond;
  }

  #assign<Worker extends FreeWorker>(round: Round<Worker>, candidates: readonly KnownCandidate[]): void {
    if (candidates.length === 0) return;
    const { asking, claims } = round;
    const nowMs = this.#deps.clock.monotonicMs();
    const free = new Set(asking.filter(({ slots }) => slots > 0).map(({ owner }) => owner.workerId));
    const placed = placeJobs({ candidates, asking, busy: round.busyOffers(free, nowMs), nowMs });
    for (const { candidate, owner } of placed.claims) {
      claims.set(candidate.jobId, owner);
      const own = asking.find((one) => one.owner === owner);
      if (own) own.slots -= 1;
    }
    const offers = asking.map(({ offer }) => offer);
    this.#shelf.put([...placed.passedOver, ...placed.untried], offers, nowMs);
  }
}

function slotsLeft({ asking }: Round<FreeWorker>): number {
  return asking.reduce((sum, { slots }) => sum + slots, 0);
}

// The waiting workers with their slots, up to what one claim may hold.
function askingOf<Worker extends FreeWorker>(here: readonly Worker[]): (Asking<Worker> & { slots: number })[] {
  let left = claimsMax;
  return here.flatMap((owner) => {
    const slots = Math.min(left, owner.slots);
    left -= slots;
    return slots > 0 ? [{ owner, offer: owner.offer, slots }] : [];
  });
}
