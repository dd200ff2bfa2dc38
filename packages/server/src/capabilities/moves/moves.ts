// Workspaces that move to another server (docs/MOVING.md; decision 0053). Two steps, each of which can be taken back: while a
// workspace is moving it takes no new work, what runs here ends, and everything can be read, so that the last export has all of it.
// Once it moved, every credential and every link of it gets one answer: where it went.
// Moves are few, so every process keeps all of them in memory and looks every two seconds; a change is announced on the bus as well.
import type { Operation } from "@atelier/contract";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Audit } from "../audit/index.ts";
import type { Move } from "./move.ts";
import { deleteMove, listMoves, lockMove, putMove } from "./move-store.ts";

export interface Moves {
  // As this process knows it.
  of(workspaceId: WorkspaceId): Move | null;
  // From now on no new work; with isDone, from now on nothing but the new address.
  put(
    workspaceId: WorkspaceId,
    wanted: { readonly movedTo: string; readonly isDone: boolean },
    by: Acting,
  ): Promise<Move>;
  // It stays here after all.
  undo(workspaceId: WorkspaceId, by: Acting): Promise<void>;
  // Throws workspace_moved if the operation is not possible here any more. Without an operation: something that reads.
  requireHere(workspaceId: WorkspaceId, operation: Operation | undefined): void;
  look(): Promise<void>;
}

export interface MovesDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly audit: Pick<Audit, "append">;
  readonly forgetting?: Forgetting;
}

// What people need to see where it went, to take it back and to leave.
const always = new Set([
  ...[
    "getAccount",
    "listWorkspaces",
    "getWorkspaceMove",
    "moveWorkspace",
    "undoWorkspaceMove",
    "chooseSessionWorkspace",
  ],
  ...["endSession", "endOtherSessions", "listSessions"],
]);
// What ends work that still runs, while it is moving.
const ending = new Set(["cancelJob", "cancelJobs", "cancelModelRequest", "deleteAsset"]);

export function createMoves({ database, clock, audit, forgetting = forgettingAlone }: MovesDeps): Moves {
  let known: ReadonlyMap<string, Move> = new Map();
  const look = async () => {
    known = new Map((await listMoves(database)).map((move) => [move.workspaceId, move]));
  };
  const changed = forgetting.share("moved workspaces", () => void look().catch(() => undefined));
  const tell = async (workspaceId: WorkspaceId) => {
    await look();
    await changed(workspaceId);
  };
  return {
    of: (workspaceId) => known.get(workspaceId) ?? null,
    async put(workspaceId, { movedTo, isDone }, by) {
      const now = clock.now();
      const move = await database.transaction(async (tx) => {
        const before = await lockMove(tx, workspaceId);
        const beganAt = before?.beganAt ?? now;
        const wanted: Move = { workspaceId, movedTo, beganAt, movedAt: isDone ? (before?.movedAt ?? now) : null };
        await putMove(tx, wanted);
        await audit.append(tx, {
          ...by,
          action: isDone ? "workspace.move" : "workspace.begin_move",
          subject: { kind: "workspace", id: workspaceId },
          workspaceId,
          after: { moved_to: movedTo },
          shown: ["moved_to"],
        });
        return wanted;
      });
      await tell(workspaceId);
      return move;
    },
    async undo(workspaceId, by) {
      await database.transaction(async (tx) => {
        const before = await lockMove(tx, workspaceId);
        if (before === null) return;
        await deleteMove(tx, workspaceId);
        const subject = { kind: "workspace", id: workspaceId };
        await audit.append(tx, { ...by, action: "workspace.undo_move", subject, workspaceId, after: {} });
      });
      await tell(workspaceId);
    },
    requireHere(workspaceId, operation) {
      if (known.size === 0) return;
      const move = known.get(workspaceId);
      if (move === undefined || (operation !== undefined && always.has(operation.id))) return;
      if (move.movedAt !== null) throw goneTo(move, "moved to");
      const reads = operation === undefined || operation.method === "GET" || operation.method === "HEAD";
      if (!reads && !ending.has(operation.id)) throw goneTo(move, "is moving to");
    },
    look,
  };
}

function goneTo({ movedTo, movedAt }: Move, verb: string): Fault {
  const hint = movedAt === null ? "It takes no new work here." : "Use the same path there.";
  return new Fault("workspace_moved", `This workspace ${verb} ${movedTo}. ${hint}`, { details: { moved_to: movedTo } });
}
