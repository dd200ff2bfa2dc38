// Starts waiting requests in this process, as far as slots and its own capacity allow. Every process with background work
// does this; the database decides who gets what. Fair across workspaces: each waiting workspace is offered an equal share of
// the capacity in every round. If there is less capacity than workspaces, the next round continues behind the last one
// served.
import type { Background } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import { sharedTopic } from "../../foundation/bus/shared-topic.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { type Calls, callEndedTopic, type OwnedCall, type SlotBounds } from "../calls/index.ts";
import { claimRequests, listWaitingWorkspaces } from "./claim-store.ts";
import type { ClaimedRequest, ModelRequestId } from "./model-request.ts";

export interface DispatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly calls: Pick<Calls, "ownerId" | "open">;
  // How many requests this process runs at once, and how many bytes of input it holds for them.
  readonly atOnceMax: number;
  readonly inputBytesMax: number;
  // The workspace's slots, in total and for costly models, minus those this process has given to other calls.
  slotsOf(workspaceId: WorkspaceId): Promise<{ slots: number; costlySlots: number }>;
  started(waitedMs: number): void;
}

// Runs one request to its end. Never throws because of the request's outcome.
export type RunRequest = (call: OwnedCall, request: ClaimedRequest) => Promise<void>;

export interface RequestDispatcher {
  // A request waits, or a slot has become free.
  wake(): void;
  // One round. Returns how many requests it began.
  round(run: RunRequest): Promise<number>;
  run(background: Background, run: RunRequest, signal: AbortSignal): Promise<void>;
}

const workName = "model requests: start what waits";
const topic = "model_requests.waiting";
const everyMs = 1_000;
const workspacesMax = 256;

export function requestDispatcher(deps: DispatchDeps): RequestDispatcher {
  const { database, calls, bus } = deps;
  const running = new Map<ModelRequestId, number>();
  let after: WorkspaceId | null = null;
  let isWaiting = false;
  let ring: (() => void) | null = null;
  // A call that ended in any process may have freed a slot. We listen only while something waits for one.
  const endings = sharedTopic(bus, callEndedTopic, () => ring?.());
  let leaveEndings: (() => void) | null = null;
  const waits = (isSo: boolean) => {
    isWaiting = isSo;
    if (isSo && ring !== null) leaveEndings ??= endings.attendAll();
    if (isSo || leaveEndings === null) return;
    leaveEndings();
    leaveEndings = null;
  };

  const room = () => {
    let bytes = 0;
    for (const size of running.values()) bytes += size;
    return bytes >= deps.inputBytesMax ? 0 : deps.atOnceMax - running.size;
  };

  async function round(run: RunRequest): Promise<number> {
    const free = room();
    if (free <= 0) return 0;
    const waiting = await waitingBehind(database, after, Math.min(free, workspacesMax));
    waits(waiting.length > 0);
    if (!isWaiting) return 0;
    after = waiting.at(-1) ?? null;
    const bounds = await boundsOf(deps, waiting, free);
    // Taken before the intent is written: a process that slept between this and sending must not send.
    const moment = calls.open.moment();
    const claimed = await claimRequests(database, bounds, calls.ownerId);
    for (const request of claimed) begin(run, request, calls.open.own(callOf(request), moment));
    return claimed.length;
  }

  function begin(run: RunRequest, request: ClaimedRequest, call: OwnedCall): void {
    running.set(request.id, request.body?.byteLength ?? 0);
    deps.started(request.waitedMs);
    run(call, request)
      .catch((error: unknown) => deps.log.error({ callId: request.id, err: error }, "a request could not be run"))
      .finally(() => {
        running.delete(request.id);
        if (isWaiting) ring?.();
      });
  }

  return {
    wake() {
      waits(true);
      if (ring !== null && room() > 0) ring();
      // Other processes may have capacity.
      else bus.publish(topic, null);
    },
    round,
    async run(background, run, signal) {
      const work = { name: workName, role: "background", everyMs } as const;
      // Other processes run waiting requests; a submission here wakes them.
      if (!background.does(work)) return;
      ring = () => background.wake(workName);
      const unsubscribe = bus.subscribe(topic, () => ring?.());
      const roundsUntilEmpty = async () => {
        while (!signal.aborted && (await round(run)) > 0);
      };
      await background.run({ ...work, round: roundsUntilEmpty }, signal);
      unsubscribe();
      waits(false);
      ring = null;
    },
  };
}

// Starts behind the last one served and wraps around.
async function waitingBehind(database: Database, after: WorkspaceId | null, count: number): Promise<WorkspaceId[]> {
  const next = await listWaitingWorkspaces(database, { after, count });
  if (after === null || next.length >= count) return next;
  const first = await listWaitingWorkspaces(database, { after: null, count });
  return [...new Set([...next, ...first])].slice(0, count);
}

async function boundsOf(deps: DispatchDeps, waiting: readonly WorkspaceId[], free: number): Promise<SlotBounds[]> {
  const count = Math.max(1, Math.floor(free / waiting.length));
  const bounds: SlotBounds[] = [];
  for (const workspaceId of waiting) {
    const { slots, costlySlots } = await deps.slotsOf(workspaceId);
    bounds.push({ workspaceId, slotsMax: slots, costlySlotsMax: costlySlots, count });
  }
  return bounds;
}

function callOf({ id, workspaceId, fence }: ClaimedRequest) {
  return { id, workspaceId, fence };
}
