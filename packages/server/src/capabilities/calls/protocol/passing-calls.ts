// Calls that leave nothing to keep: free, and without a key under which they could be requested again. They need no intent
// before sending and no record afterwards, since a crash loses neither money nor an answer a caller could collect. They do
// need to count among the workspace's slots, which processes tell each other, and a usage row, which is written soon after.
// Processes that begin such calls within the same twentieth of a second may together exceed the limit.
import type { Bus } from "../../../foundation/bus/bus.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { CallEnding, CallId, OpenCall } from "../call/call-opening.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import type { Usage } from "../usage/usage.ts";
import type { Calls } from "./calls.ts";
import { slotsElsewhere } from "./slots-elsewhere.ts";

// What a running call needs from the code that records it.
export interface CallLifecycle extends Pick<Calls, "finish" | "noteHandle" | "handOver" | "join"> {
  // Whether no other process has taken the call over. Absent if none can.
  readonly owns?: (call: OpenCall) => Promise<boolean>;
  // Gives the call's slot back while it runs on. Absent if such a call has none.
  readonly leaveSlot?: (call: OpenCall) => Promise<void>;
}

export interface PassingCalls extends CallLifecycle {
  // Null if every slot is taken.
  begin(call: { id: CallId; workspaceId: WorkspaceId; slotsMax: number }): {
    readonly call: OwnedCall;
    readonly inFlight: number;
  } | null;
  // How many passing calls run now, in this and other processes.
  inFlight(workspaceId: WorkspaceId): number;
  // A recorded call takes a slot from the passing ones too. Call the returned function when it has ended.
  besideRecorded(workspaceId: WorkspaceId): () => void;
  close(): void;
}

export interface PassingCallsDeps {
  readonly clock: Clock;
  readonly bus: Bus;
  readonly usage: Pick<Usage, "recordUsage">;
}

export function createPassingCalls({ usage, clock, bus }: PassingCallsDeps): PassingCalls {
  const changed = (workspaceId: WorkspaceId) => elsewhere.changed(workspaceId);
  const running = countsByWorkspace(changed);
  const recorded = countsByWorkspace(changed);
  const here = (workspaceId: WorkspaceId) => ({ passing: running.of(workspaceId), recorded: recorded.of(workspaceId) });
  const elsewhere = slotsElsewhere({ bus, clock, here });

  function record({ call, outcome, usage: row }: Pick<CallEnding, "call" | "outcome" | "usage">): void {
    running.add(call.workspaceId, -1);
    usage.recordUsage({
      workspaceId: call.workspaceId,
      callId: call.id,
      requestId: row.requestId,
      apiKeyId: row.apiKeyId,
      subject: row.subject,
      status: row.seen?.status ?? row.status,
      totalMs: row.totalMs,
      outcome: row.seen?.outcome ?? outcome,
      isReplay: false,
      labels: row.labels,
      ...(row.refusedAccount ? { refusedAccount: row.refusedAccount } : {}),
      ...(row.attempts ? { attempts: row.attempts } : {}),
    });
  }

  return {
    inFlight: (workspaceId) => running.of(workspaceId) + elsewhere.of(workspaceId).passing,
    close: () => elsewhere.close(),
    besideRecorded(workspaceId) {
      recorded.add(workspaceId, 1);
      return () => recorded.add(workspaceId, -1);
    },
    begin({ id, workspaceId, slotsMax }) {
      const others = elsewhere.of(workspaceId);
      const current = running.of(workspaceId) + recorded.of(workspaceId) + others.passing + others.recorded + 1;
      if (current > slotsMax) return null;
      running.add(workspaceId, 1);
      return { call: { id, workspaceId, fence: 1, maySend: () => true }, inFlight: current };
    },
    async finish(ending) {
      record(ending);
      return true;
    },
    noteHandle: async () => true,
    // Whatever the provider makes of it costs nothing and is dropped. The slot is freed, and the answer the caller got is
    // counted.
    async handOver(call, _, answered) {
      if (answered) record({ call, ...answered });
      else running.add(call.workspaceId, -1);
    },
    join: async () => ({ kind: "released" }),
  };
}

// Workspaces without calls take no memory.
function countsByWorkspace(changed: (workspaceId: WorkspaceId) => void) {
  const counts = new Map<WorkspaceId, number>();
  const of = (workspaceId: WorkspaceId) => counts.get(workspaceId) ?? 0;
  return {
    of,
    add(workspaceId: WorkspaceId, change: 1 | -1): void {
      const count = of(workspaceId) + change;
      if (count > 0) counts.set(workspaceId, count);
      else counts.delete(workspaceId);
      changed(workspaceId);
    },
  };
}
