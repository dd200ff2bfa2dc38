// Decides which lanes may claim how much now, and thereby the fairness between receivers:
// - A lane that has not succeeded yet, or failed last, sends one at a time. A proven one sends four and holds a few more
//   ready. So a receiver that hangs ties up one slot, not all.
// - A request gives its slot back after half a second, ended or not; from then on it counts as slow. Slow requests have
//   their own limit: when it is reached, lanes that failed last time wait, and far above it all unproven lanes do. So
//   healthy receivers do not wait for hanging ones, however many hang.
// - No workspace takes more than a part of the capacity, and one process never sends more than sixteen at a time to one
//   receiver, even if many workspaces share it.
// No clock and no database in here: the dispatcher passes in the time and what happened.
import type { Lane } from "./delivery.ts";

export interface LaneLimits {
  readonly freshMax: number;
  readonly freshPerWorkspaceMax: number;
  // For lanes that failed last time.
  readonly slowMax: number;
  readonly slowPerWorkspaceMax: number;
  // For lanes without a history.
  readonly slowUnknownMax: number;
  readonly perLaneMax: number;
  readonly perReceiverMax: number;
  readonly readyPerLaneMax: number;
  readonly lanesPerClaimMax: number;
}

export const defaultLaneLimits: LaneLimits = {
  freshMax: 512,
  freshPerWorkspaceMax: 128,
  slowMax: 1024,
  slowPerWorkspaceMax: 256,
  slowUnknownMax: 4096,
  perLaneMax: 4,
  perReceiverMax: 16,
  readyPerLaneMax: 12,
  lanesPerClaimMax: 64,
};

export interface LaneFinding extends Lane {
  readonly dueAtMs: number;
  readonly failures: number;
  readonly restingUntilMs: number | null;
}

interface LaneState extends Lane {
  readonly key: string;
  dueAtMs: number;
  restingUntilMs: number;
  // Whether the last attempt that ended succeeded or failed; at first neither is set.
  isProven: boolean;
  isSuspect: boolean;
  // Claimed: waiting here or being sent.
  held: number;
  sending: number;
  slow: number;
}

export interface LaneRequest extends Lane {
  readonly count: number;
}

const provenKept = 5_000;

export const laneKey = ({ workspaceId, receiver }: Lane) => `${workspaceId} ${receiver}`;

export class Lanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, LaneState>();
  readonly #sendingTo = new Map<string, number>();
  readonly #freshOf = new Map<string, number>();
  readonly #slowOf = new Map<string, number>();
  #fresh = 0;
  #slow = 0;
  // The lane that goes first; it rotates, so that no lane is always last.
  #turn = 0;

  constructor(limits: LaneLimits = defaultLaneLimits) {
    this.#limits = limits;
  }

  // Takes in what the database knows about lanes with something due. Proven lanes are remembered for a while.
  replace(findings: readonly LaneFinding[]): void {
    for (const lane of this.#lanes.values()) lane.dueAtMs = Number.POSITIVE_INFINITY;
    for (const finding of findings) {
      const lane = this.#laneOf(finding);
      lane.dueAtMs = finding.dueAtMs;
      lane.restingUntilMs = finding.restingUntilMs ?? Number.NEGATIVE_INFINITY;
      lane.isSuspect = finding.failures > 0;
      if (lane.isSuspect) lane.isProven = false;
    }
    const isCrowded = this.#lanes.size > findings.length + provenKept;
    for (const [key, lane] of this.#lanes)
      if (lane.held === 0 && lane.dueAtMs === Number.POSITIVE_INFINITY && (isCrowded || !lane.isProven))
        this.#lanes.delete(key);
  }

  // Something was just queued. It is urgent if a person asked for it; then it does not wait for the receiver's pause to
  // end.
  wake(given: Lane, atMs: number, isUrgent = false): void {
    const lane = this.#laneOf(given);
    lane.dueAtMs = Math.min(lane.dueAtMs, atMs);
    if (isUrgent) lane.restingUntilMs = Number.NEGATIVE_INFINITY;
  }

  // What to claim now, in turn.
  requests(nowMs: number): LaneRequest[] {
    const due = [...this.#lanes.values()].filter((lane) => lane.dueAtMs <= nowMs && lane.restingUntilMs <= nowMs);
    const requests: LaneRequest[] = [];
    let claimsLeft = this.#limits.freshMax - this.#fresh;
    this.#turn = due.length === 0 ? 0 : (this.#turn + 1) % due.length;
    for (let index = 0; index < due.length; index++) {
      if (claimsLeft <= 0 || requests.length >= this.#limits.lanesPerClaimMax) break;
      const lane = due[(index + this.#turn) % due.length];
      if (!lane) continue;
      const count = Math.min(this.#roomOf(lane), claimsLeft);
      if (count <= 0) continue;
      claimsLeft -= count;
      requests.push({ workspaceId: lane.workspaceId, receiver: lane.receiver, count });
    }
    return requests;
  }

  // Fewer than requested means there is no more for now.
  claimed(request: LaneRequest, count: number): void {
    const lane = this.#laneOf(request);
    lane.held += count;
    if (count < request.count) lane.dueAtMs = Number.POSITIVE_INFINITY;
  }

  mayStart(given: Lane): boolean {
    const lane = this.#laneOf(given);
    return (
      lane.sending < (lane.isProven ? this.#limits.perLaneMax : 1) &&
      (this.#sendingTo.get(lane.receiver) ?? 0) < this.#limits.perReceiverMax
    );
  }

  started(given: Lane): void {
    const lane = this.#laneOf(given);
    lane.sending += 1;
    this.#fresh += 1;
    count(this.#sendingTo, lane.receiver, 1);
    count(this.#freshOf, lane.workspaceId, 1);
  }

  // It has taken a while and not ended.
  markSlow(given: Lane): void {
    const lane = this.#laneOf(given);
    lane.slow += 1;
    this.#fresh -= 1;
    this.#slow += 1;
    count(this.#freshOf, lane.workspaceId, -1);
    count(this.#slowOf, lane.workspaceId, 1);
  }

  ended(given: Lane, outcome: { readonly wasSlow: boolean; readonly works: boolean | null }): void {
    const lane = this.#laneOf(given);
    lane.sending -= 1;
    lane.held -= 1;
    count(this.#sendingTo, lane.receiver, -1);
    if (outcome.wasSlow) {
      lane.slow -= 1;
      this.#slow -= 1;
      count(this.#slowOf, lane.workspaceId, -1);
    } else {
      this.#fresh -= 1;
      count(this.#freshOf, lane.workspaceId, -1);
    }
    if (outcome.works === null) return;
    lane.isProven = outcome.works;
    lane.isSuspect = !outcome.works;
  }

  // Claimed but given back unsent. Due again immediately, or it would wait for the next look.
  released(given: Lane, atMs: number): void {
    const lane = this.#laneOf(given);
    lane.held -= 1;
    lane.dueAtMs = Math.min(lane.dueAtMs, atMs);
  }

  // It failed too often in a row.
  rests(given: Lane, untilMs: number): void {
    this.#laneOf(given).restingUntilMs = untilMs;
  }

  isProven(given: Lane): boolean {
    return this.#laneOf(given).isProven;
  }

  get inFlight(): { readonly fresh: number; readonly slow: number } {
    return { fresh: this.#fresh, slow: this.#slow };
  }

  #roomOf(lane: LaneState): number {
    const limits = this.#limits;
    const freshLeft = limits.freshPerWorkspaceMax - (this.#freshOf.get(lane.workspaceId) ?? 0);
    if (lane.isProven && lane.slow === 0) {
      return Math.min(limits.perLaneMax + limits.readyPerLaneMax - lane.held, freshLeft);
    }
    if (this.#slow >= (lane.isSuspect ? limits.slowMax : limits.slowUnknownMax)) return 0;
    if (lane.isSuspect && (this.#slowOf.get(lane.workspaceId) ?? 0) >= limits.slowPerWorkspaceMax) return 0;
    return Math.min(1 - lane.held, freshLeft);
  }

  #laneOf(given: Lane): LaneState {
    const key = laneKey(given);
    let lane = this.#lanes.get(key);
    if (!lane) {
      lane = {
        key,
        workspaceId: given.workspaceId,
        receiver: given.receiver,
        dueAtMs: Number.POSITIVE_INFINITY,
        restingUntilMs: Number.NEGATIVE_INFINITY,
        isProven: false,
        isSuspect: false,
        held: 0,
        sending: 0,
        slow: 0,
      };
      this.#lanes.set(key, lane);
    }
    return lane;
  }
}

function count(counts: Map<string, number>, key: string, by: number): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next === 0) counts.delete(key);
  else counts.set(key, next);
}
