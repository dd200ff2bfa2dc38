// One dispatcher for each pool and process: it claims for all who wait for work, fairly over workspaces. Hints bring a new
// job within milliseconds; looking at the lanes from time to time is the truth, and finds what no hint told of. Who gets
// what is decided by what the job needs and the worker offers.
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { ClaimWish } from "./claim-jobs.ts";
import type { JobId, PoolId, WorkerId } from "./job.ts";
import type { ReadyHint } from "./job-hints.ts";
import { anyWork, type WorkerOffer } from "./job-needs.ts";
import { createKnownNeeds } from "./known-needs.ts";
import { createLanes } from "./lanes.ts";
import { type Asking, type KnownCandidate, placeJobs } from "./place-jobs.ts";
import type { Candidate, WindowWish } from "./ready-store.ts";
import { createShelf } from "./shelf.ts";
import type { ClaimedJob, JobLease } from "./worker-port.ts";
import { shareOf, type WorkspaceShare } from "./workspace-share.ts";

export interface DispatcherDeps {
  readonly poolId: PoolId;
  readonly clock: Clock;
  readonly log: Log;
  claim(wishes: readonly ClaimWish[]): Promise<ClaimedJob[]>;
  giveBack(lease: JobLease): Promise<void>;
  listLanes(asked: { poolId: PoolId; known: readonly WorkspaceId[]; count: number }): Promise<WorkspaceId[]>;
  readWindows(asked: {
    poolId: PoolId;
    lanes: readonly WindowWish[];
    count: number;
    leftOut: readonly string[];
  }): Promise<Map<WorkspaceId, Candidate[]>>;
  findGraphs(jobIds: readonly JobId[]): Promise<ReadonlyMap<JobId, Buffer>>;
  // How many jobs of each workspace run in this pool, in whatever process.
  countRunning(poolId: PoolId): Promise<ReadonlyMap<WorkspaceId, number>>;
  // The part of what runs at once that one workspace gets while others wait.
  readonly workspaceShare: number;
}

export interface Dispatcher {
  claim(asked: {
    workerId: WorkerId;
    slots: number;
    waitMs: number;
    signal: AbortSignal;
    offer?: WorkerOffer;
  }): Promise<readonly ClaimedJob[]>;
  hint(hint: ReadyHint): void;
  close(): void;
}

interface Waiting {
  readonly workerId: WorkerId;
  readonly slots: number;
  readonly offer: WorkerOffer;
  isOver: boolean;
  // The time is up; a look that is under way is waited for, since it may bring something.
  isLate: boolean;
  wasLookedFor: boolean;
  readonly resolve: (jobs: readonly ClaimedJob[]) => void;
}

// `some`: there may be more for those who got nothing; they are looked for at once.
type Served = "all" | "some" | "nobody";

type AskingWaiting = Asking<Waiting> & { slots: number };

const lookEveryMs = 1_000;
const lookCostFactor = 20;
const lanesPerLook = 1_000;
const lanesPerRead = 64;
const windowMin = 16;
const claimsMax = 64;
// Candidates that nobody takes are looked past so often in one round.
const roundsMax = 8;
// A worker that has not asked for so long may be gone.
const busyMsMax = 30_000;
const failurePauseMs = 500;
// A database that is away must not keep a worker from hearing that there is nothing.
const serveMsMax = 15_000;

export function createDispatcher(deps: DispatcherDeps): Dispatcher {
  const { clock, poolId } = deps;
  const lanes = createLanes();
  const shelf = createShelf();
  const knownNeeds = createKnownNeeds(deps.findGraphs);
  // Who asked when, and with what.
  const offers = new Map<WorkerId, { readonly offer: WorkerOffer; readonly atMs: number }>();
  const waiting = new Set<Waiting>();
  const closing = new AbortController();
  let isPumping = false;
  let isServing = false;
  let nextLookMs = Number.NEGATIVE_INFINITY;
  let bell = new AbortController();
  const ring = () => bell.abort();

  // Lanes that nobody told us of.
  async function look(): Promise<void> {
    const startedMs = clock.monotonicMs();
    lanes.seen(await deps.listLanes({ poolId, known: lanes.known(), count: lanesPerLook }));
    const endedMs = clock.monotonicMs();
    nextLookMs = endedMs + Math.max(lookEveryMs, lookCostFactor * (endedMs - startedMs));
  }

  async function refill(need: number): Promise<void> {
    const wishes = lanes.toRead(lanesPerRead, clock.monotonicMs());
    if (wishes.length === 0) return;
    const count = Math.max(windowMin, Math.ceil((2 * need) / wishes.length));
    const startedMs = clock.monotonicMs();
    const found = await deps.readWindows({ poolId, lanes: wishes, count, leftOut: shelf.leftOut() });
    const nowMs = clock.monotonicMs();
    const costMs = nowMs - startedMs;
    for (const wish of wishes) lanes.read({ wish, found: found.get(wish.workspaceId) ?? [], count, costMs, nowMs });
  }

  // False: there is nothing to claim now.
  async function serve(): Promise<boolean> {
    const here = [...waiting];
    isServing = true;
    let served: Served = "all";
    try {
      served = await serveThese(here);
      return served !== "nobody";
    } finally {
      isServing = false;
      for (const one of served === "some" ? [] : here) {
        one.wasLookedFor = true;
        if (one.isLate) leave(one);
      }
    }
  }

  async function serveThese(here: readonly Waiting[]): Promise<Served> {
    const asking = askingOf(here);
    const asked = asking.map(({ offer }) => offer);
    if (clock.monotonicMs() >= nextLookMs) await look();
    if (shelf.admit(asked)) lanes.rewind();
    const wishes = new Map<JobId, Waiting>();
    const kept = shelf.take(asked);
    let share = kept.length > 0 && lanes.size > 1 ? await shareNow(asking) : null;
    const later = placeWithin(share, asking, kept, wishes);
    let isWhole = true;
    for (let round = 0; round < roundsMax; round += 1) {
      const need = asking.reduce((sum, { slots }) => sum + slots, 0);
      if (need === 0) break;
      // A job that has its worker does not wait for a look after more of them: that is the next round's.
      isWhole = wishes.size === 0;
      if (isWhole) await refill(need);
      if (share === null && lanes.isContended(need)) share = await shareNow(asking);
      const taken = lanes.take(need, share);
      if (taken.length === 0) break;
      const fresh = taken.filter(({ jobId }) => !wishes.has(jobId) && !shelf.has(jobId));
      const needs = await knownNeeds.of(fresh);
      const candidates = fresh.map((one, at) => ({ ...one, needs: needs[at] ?? null, passedSinceMs: null }));
      place(asking, candidates, wishes);
    }
    place(asking, later, wishes);
    if (wishes.size === 0) return "nobody";
    const claims = [...wishes].map(([jobId, { workerId }]) => ({ jobId, workerId }));
    const claimed = Map.groupBy(await deps.claim(claims), ({ lease }) => wishes.get(lease.jobId));
    for (const [owner, jobs] of claimed) if (owner) hand(owner, jobs);
    return isWhole ? "all" : "some";
  }

  async function shareNow(asking: readonly AskingWaiting[]): Promise<WorkspaceShare | null> {
    if (deps.workspaceShare >= 1) return null;
    const free = asking.reduce((sum, { slots }) => sum + slots, 0);
    return shareOf({ running: await deps.countRunning(poolId), free, share: deps.workspaceShare });
  }

  // What is beyond its workspace's share, to be tried when everybody else was.
  function placeWithin(
    share: WorkspaceShare | null,
    asking: readonly AskingWaiting[],
    candidates: readonly KnownCandidate[],
    wishes: Map<JobId, Waiting>,
  ): KnownCandidate[] {
    const [within, beyond]: [KnownCandidate[], KnownCandidate[]] = [[], []];
    for (const candidate of candidates) {
      const isFull = share?.isFull(candidate.workspaceId) ?? false;
      if (!isFull) share?.took(candidate.workspaceId);
      (isFull ? beyond : within).push(candidate);
    }
    place(asking, within, wishes);
    return beyond;
  }

  // Slots of those who wait, each worker's own, as many as one claim may hold.
  function askingOf(here: readonly Waiting[]): AskingWaiting[] {
    let left = claimsMax;
    return here.flatMap((owner) => {
      const slots = Math.min(left, owner.slots);
      left -= slots;
      return slots > 0 ? [{ owner, offer: owner.offer, slots }] : [];
    });
  }

  function place(
    asking: readonly AskingWaiting[],
    candidates: readonly KnownCandidate[],
    wishes: Map<JobId, Waiting>,
  ): void {
    if (candidates.length === 0) return;
    const nowMs = clock.monotonicMs();
    const placed = placeJobs({ candidates, asking, busy: busyOffers(asking, nowMs), nowMs });
    for (const { candidate, owner } of placed.wishes) {
      wishes.set(candidate.jobId, owner);
      const own = asking.find((one) => one.owner === owner);
      if (own) own.slots -= 1;
    }
    const asked = asking.map(({ offer }) => offer);
    shelf.put([...placed.passedOver, ...placed.untried], asked, nowMs);
  }

  function busyOffers(asking: readonly AskingWaiting[], nowMs: number): WorkerOffer[] {
    const free = new Set(asking.filter(({ slots }) => slots > 0).map(({ owner }) => owner.workerId));
    const busy: WorkerOffer[] = [];
    for (const [workerId, { offer, atMs }] of offers) {
      if (nowMs - atMs > busyMsMax) offers.delete(workerId);
      else if (!free.has(workerId) && offer.modelsLoaded.size > 0) busy.push(offer);
    }
    return busy;
  }

  function hand(owner: Waiting, jobs: readonly ClaimedJob[]): void {
    waiting.delete(owner);
    if (!owner.isOver) {
      owner.isOver = true;
      owner.resolve(jobs);
      return;
    }
    // Claimed for somebody who has left meanwhile.
    for (const { lease } of jobs) {
      deps
        .giveBack(lease)
        .catch((err: unknown) => deps.log.warn({ err, jobId: lease.jobId }, "a job was not given back"));
    }
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (waiting.size > 0 && !closing.signal.aborted) {
        bell = new AbortController();
        const wasServed = await serve().catch(async (err: unknown) => {
          deps.log.warn({ err }, "jobs could not be claimed; trying again");
          await clock.sleep(failurePauseMs, closing.signal);
          return true;
        });
        if (wasServed) continue;
        const nowMs = clock.monotonicMs();
        const pauseMs = Math.max(
          1,
          Math.min(lookEveryMs, nextLookMs - nowMs, (shelf.nextDueMs() ?? nextLookMs) - nowMs),
        );
        await clock.sleep(pauseMs, AbortSignal.any([bell.signal, closing.signal]));
      }
    } finally {
      isPumping = false;
    }
  }

  return {
    claim({ workerId, slots, waitMs, signal, offer = anyWork }) {
      if (slots < 1 || signal.aborted || closing.signal.aborted) return Promise.resolve([]);
      const { promise, resolve } = Promise.withResolvers<readonly ClaimedJob[]>();
      const done = new AbortController();
      const one: Waiting = {
        workerId,
        slots,
        offer,
        isOver: false,
        isLate: false,
        wasLookedFor: false,
        resolve(jobs) {
          done.abort();
          resolve(jobs);
        },
      };
      waiting.add(one);
      offers.set(workerId, { offer, atMs: clock.monotonicMs() });
      void leaveLater(one, waitMs, AbortSignal.any([signal, done.signal, closing.signal]));
      ring();
      void pump();
      return promise;
    },
    hint(hint) {
      lanes.hint(hint.workspaceId, hint);
      ring();
    },
    close() {
      closing.abort();
      for (const one of waiting) leave(one);
    },
  };

  // Somebody who waits for nothing still gets one look; somebody whose signal fires gets none.
  async function leaveLater(one: Waiting, waitMs: number, limit: AbortSignal): Promise<void> {
    if (waitMs > 0) await clock.sleep(waitMs, limit);
    if (limit.aborted || (one.wasLookedFor && !isServing)) {
      leave(one);
      return;
    }
    one.isLate = true;
    await clock.sleep(serveMsMax, limit);
    leave(one);
  }

  function leave(one: Waiting): void {
    waiting.delete(one);
    if (one.isOver) return;
    one.isOver = true;
    one.resolve([]);
  }
}
