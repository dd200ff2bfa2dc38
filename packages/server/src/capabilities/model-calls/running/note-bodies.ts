// Passes on the input and the answer of a call, once it is known, for a workspace that keeps bodies. Nothing waits for it, and for a
// workspace that keeps none it costs one look-up in memory.
import type { Fault } from "../../../foundation/fault.ts";
import type { RequestId, WorkspaceId } from "../../../foundation/ids.ts";
import type { RecordedAnswer } from "../../calls/index.ts";
import { routerAnswer } from "../endings/router-answer.ts";

export interface BodyNotes {
  keeps(workspaceId: WorkspaceId): boolean;
  note(bodies: {
    readonly workspaceId: WorkspaceId;
    readonly requestId: RequestId;
    readonly callId: string | null;
    readonly input: { readonly type: string; readonly bytes: Buffer } | null;
    readonly answer: { readonly type: string | null; readonly bytes: Buffer; readonly status: number };
  }): void;
}

export interface BodyNoteDeps {
  // Absent: nothing is kept.
  readonly bodies?: BodyNotes;
}

export interface BodyOwner {
  readonly workspaceId: WorkspaceId;
  readonly requestId: RequestId;
  // As the caller sent it. Null if it can no longer be read.
  readonly bytes: Buffer | null;
}

export function noteAnswer(
  { bodies }: BodyNoteDeps,
  { workspaceId, requestId, bytes }: BodyOwner,
  { status, headers, body }: RecordedAnswer,
  callId: string | null,
): void {
  if (!bodies?.keeps(workspaceId)) return;
  bodies.note({
    workspaceId,
    requestId,
    callId,
    input: bytes && { type: "application/json", bytes },
    answer: { type: headers["content-type"] ?? null, bytes: body, status },
  });
}

export function noteRefusal(deps: BodyNoteDeps, owner: BodyOwner, fault: Fault, callId: string | null = null): void {
  if (!deps.bodies?.keeps(owner.workspaceId)) return;
  const { status, headers, body } = routerAnswer(fault);
  noteAnswer(deps, owner, { status, headers, body: Buffer.from(body) }, callId);
}
