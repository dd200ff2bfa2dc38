// The lanes of one pool as a dispatcher knows them: whose turn it is, and which jobs of each workspace to try next. All of
// it is a guess; a claim by primary key confirms it or fails. Each lane has a window of candidates read ahead and a mark
// where the next read starts, so we do not walk over claimed jobs again. A hint moves the mark back, or becomes the
// candidate itself if nothing else waits. From time to time a lane is read from the start, which finds whatever no hint
// announced.
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { comesBefore } from "../changes/job-hints.ts";
import type { Candidate, WindowRequest } from "./ready-store.ts";
import type { WorkspaceShare } from "./workspace-share.ts";

export interface LaneCandidate extends Candidate {
  readonly workspaceId: WorkspaceId;
}

interface Lane {
  readonly workspaceId: WorkspaceId;
  window: Candidate[];
  from: Candidate | null;
  // A read from the mark found fewer than it asked for: apart from hinted jobs, nothing waits.
  isDry: boolean;
  // How many reads from the start found nothing.
  emptyReads: number;
  // When to read it from the start again. Null until its first read.
  wholeAtMs: number | null;
  wholeCostMs: number;
  // The earliest position hinted while a read was running.
  hinted: Candidate | null;
}

export interface LaneRead {
  readonly window: WindowRequest;
  readonly found: readonly Candidate[];
  readonly count: number;
  readonly costMs: number;
  readonly nowMs: number;
}

const wholeEveryMs = 1_000;
// Reading from the start never takes more than this share of the time.
const costFactor = 50;
// A lane that stays empty is forgotten, unless reading it from the start is expensive: then its mark is worth keeping.
const emptyReadsMax = 10;
const cheapMs = 5;

export class Lanes {
  // In order of turns: a lane that was served goes to the end.
  readonly #lanes = new Map<WorkspaceId, Lane>();

  get size(): number {
    return this.#lanes.size;
  }

  // A job of this lane became ready at this position.
  hint(workspaceId: WorkspaceId, at: Candidate): void {
    const lane = this.#lane(workspaceId);
    if (lane.isDry && lane.window.length === 0) lane.window = [at];
    else if (lane.from !== null && comesBefore(at, lane.from)) {
      lane.window = lane.window.filter((candidate) => comesBefore(candidate, at));
    }
    lane.isDry = false;
    if (lane.hinted === null || comesBefore(at, lane.hinted)) lane.hinted = at;
    // It is before the mark, so the next read must start there.
    if (lane.from !== null && comesBefore(at, lane.from)) lane.from = at;
  }

  // Lanes that have jobs, as found by a look.
  seen(workspaceIds: readonly WorkspaceId[]): void {
    for (const workspaceId of workspaceIds) this.#lane(workspaceId);
  }

  // Read all lanes from the start once their candidates are used up.
  rewind(): void {
    for (const lane of this.#lanes.values()) {
      lane.isDry = false;
      if (lane.wholeAtMs !== null) lane.wholeAtMs = Number.NEGATIVE_INFINITY;
    }
  }

  known(): WorkspaceId[] {
    return [...this.#lanes.keys()];
  }

  // Lanes that have used up their candidates and may have more, in order of turns.
  toRead(countMax: number, nowMs: number): WindowRequest[] {
    const windows: WindowRequest[] = [];
    for (const lane of this.#lanes.values()) {
      if (windows.length >= countMax) break;
      if (lane.window.length > 0) continue;
      const isWhole = lane.wholeAtMs !== null && nowMs >= lane.wholeAtMs;
      if (lane.isDry && !isWhole) continue;
      lane.hinted = null;
      windows.push({ workspaceId: lane.workspaceId, from: isWhole ? null : lane.from });
    }
    return windows;
  }

  read({ window, found, count, costMs, nowMs }: LaneRead): void {
    const lane = this.#lane(window.workspaceId);
    const { hinted } = lane;
    if (window.from === null) lane.wholeCostMs = costMs;
    lane.window = [...found];
    lane.isDry = found.length < count;
    if (window.from === null || lane.wholeAtMs === null) {
      lane.wholeAtMs = nowMs + Math.max(wholeEveryMs, costFactor * lane.wholeCostMs);
    }
    lane.from = found.at(-1) ?? window.from ?? lane.from;
    if (window.from === null) lane.emptyReads = found.length === 0 ? lane.emptyReads + 1 : 0;
    if (lane.emptyReads > emptyReadsMax && lane.wholeCostMs < cheapMs && hinted === null)
      this.#lanes.delete(window.workspaceId);
    // Hinted while the read was running: the read may have passed that position too early.
    if (hinted === null) return;
    if (!found.some(({ jobId }) => jobId === hinted.jobId)) this.hint(window.workspaceId, hinted);
    lane.isDry = false;
  }

  // Whether several lanes have candidates, and together more than this many.
  isContended(count: number): boolean {
    let [candidates, filled] = [0, 0];
    for (const { window } of this.#lanes.values()) {
      candidates += window.length;
      if (window.length > 0) filled += 1;
      if (candidates > count && filled > 1) return true;
    }
    return false;
  }

  // Takes one from each lane in turn until there are enough. Lanes that have had their share come last.
  take(count: number, share: WorkspaceShare | null = null): LaneCandidate[] {
    const taken: LaneCandidate[] = [];
    const takeFrom = (isOver: (workspaceId: WorkspaceId) => boolean) => {
      const spent = new Set<WorkspaceId>();
      while (taken.length < count) {
        const lane = nextFilled(this.#lanes, spent, isOver);
        if (!lane) break;
        const candidate = lane.window.shift();
        if (candidate) taken.push({ ...candidate, workspaceId: lane.workspaceId });
        share?.took(lane.workspaceId);
        this.#lanes.delete(lane.workspaceId);
        this.#lanes.set(lane.workspaceId, lane);
      }
    };
    if (share) takeFrom((workspaceId) => share.isFull(workspaceId));
    takeFrom(() => false);
    return taken;
  }

  #lane(workspaceId: WorkspaceId): Lane {
    const known = this.#lanes.get(workspaceId);
    if (known) return known;
    const lane: Lane = {
      workspaceId,
      window: [],
      from: null,
      isDry: false,
      emptyReads: 0,
      wholeAtMs: null,
      wholeCostMs: 0,
      hinted: null,
    };
    this.#lanes.set(workspaceId, lane);
    return lane;
  }
}

// `spent` collects lanes that can no longer be next.
function nextFilled(
  lanes: ReadonlyMap<WorkspaceId, Lane>,
  spent: Set<WorkspaceId>,
  isOver: (workspaceId: WorkspaceId) => boolean,
): Lane | null {
  for (const lane of lanes.values()) {
    if (spent.has(lane.workspaceId)) continue;
    if (lane.window.length > 0 && !isOver(lane.workspaceId)) return lane;
    spent.add(lane.workspaceId);
  }
  return null;
}
