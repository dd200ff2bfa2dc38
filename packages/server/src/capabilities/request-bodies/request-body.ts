// The input and the answer of one request, as a workspace keeps them: without secrets, and with files replaced by what they
// were.
import type { RequestId, WorkspaceId } from "../../foundation/ids.ts";

// What a caller sent or was answered, before anything is removed.
export interface RawBody {
  // Null if it is not known.
  readonly type: string | null;
  readonly bytes: Buffer;
}

export interface NotedBodies {
  readonly workspaceId: WorkspaceId;
  readonly requestId: RequestId;
  // Null if the request was refused before a call began.
  readonly callId: string | null;
  // Null if it can no longer be read.
  readonly input: RawBody | null;
  readonly answer: RawBody & { readonly status: number };
}

// `json` and `text` have a text; of `file` and `too_large` only type, size and hash are kept.
export type BodyKind = "json" | "text" | "file" | "too_large";

export interface RemovedPart {
  // A JSON pointer; "" if it is not known where.
  readonly at: string;
  readonly what: "secret" | "file";
}

export interface KeptBody {
  readonly kind: BodyKind;
  readonly type: string | null;
  // As it was sent.
  readonly bytes: number;
  // Hexadecimal, of the bytes as they were sent.
  readonly sha256: string;
  readonly text: string | null;
  readonly removed: readonly RemovedPart[];
}

export interface KeptBodies {
  readonly input: KeptBody | null;
  readonly answer: KeptBody & { readonly status: number };
}

export interface FoundBodies extends KeptBodies {
  readonly requestId: RequestId;
  readonly at: Date;
  readonly expiresAt: Date;
}

// What a workspace chose.
export interface BodyKeeping {
  readonly isOn: boolean;
  readonly keepHours: number;
}

export interface ShownKeeping extends BodyKeeping {
  // The operator's bounds. Zero hours: this server keeps no bodies.
  readonly keepHoursMax: number;
  readonly bodyBytesMax: number;
  // Null if it was never changed.
  readonly changedAt: Date | null;
  readonly kept: { readonly requests: number; readonly bytes: number };
}
