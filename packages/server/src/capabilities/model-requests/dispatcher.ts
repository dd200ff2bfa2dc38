// Gives what waits to this process, as far as slots and this process's own room allow. Every process that
// does background work does; who gets what is decided in the database. Fair between workspaces: each that waits is offered an equal share of the room in every round, and
// where there is less room than workspaces, the next round goes on behind the last one served.
import type { Background } from "../../foundation/background.ts";
import type { Bus } from "../../foundation/bus/bus.ts";
import { sharedTopic } from "../../foundation/bus/shared-topic.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { type Calls, callEndedTopic, type OwnedCall, type SlotBounds } from "../calls/index.ts";
import { type ClaimedRequest, claimRequests, listWaitingWorkspaces } from "./claim-store.ts";
import type { ModelRequestId } from "./model-request.ts";

export interface DispatchDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly calls: Pick<Calls, "ownerId" | "open">;
  // How many this process runs at once, and how many bytes of their inputs it holds.
  readonly atOnceMax: number;
  readonly inputBytesMax: number;
  // The workspace's slots, in all and for costly models, less what this process has given away besides.
  slotsOf(workspaceId: WorkspaceId): Promise<{ slots: number; costlySlots: number }>;
  started(waitedMs: number): void;
}

// Runs one request to its end, and never throws for what became of it.
export type RunRequest = (call: OwnedCall, request: ClaimedRequest) => Promise<void>;

export interface RequestDispatcher {
  // Something waits, or a slot has come free.
  wake(): void;
  // One round: how many were begun.
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
  // A call that ended anywhere may have left its slot; heard of only while something waits for one.
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
    // Before the intent: a process that slept between this and the sending does not send.
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
      // Others may have room.
      else bus.publish(topic, null);
    },
    round,
    async run(background, run, signal) {
      const work = { name: workName, role: "background", everyMs } as const;
      // Others run what waits: a submission here wakes them.
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

// From behind the last one served, and around.
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
