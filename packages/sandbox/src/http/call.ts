// What every handler receives: one accepted request, and the server's parts.
import type { ServerResponse } from "node:http";
import type { SandboxModel } from "../models/catalog.ts";
import type { GenerateDeps } from "../models/generate.ts";
import type { RunRecords } from "../models/run-records.ts";
import type { TaskBoard } from "../models/task-board.ts";

export interface SandboxPace {
  // Seconds that a task waits before it runs.
  readonly queueSeconds: number;
  // Seconds that a run takes at least.
  readonly imageSeconds: number;
  readonly videoSeconds: number;
}

export interface SandboxParts extends GenerateDeps {
  readonly runs: RunRecords;
  readonly board: TaskBoard;
  readonly pace: SandboxPace;
  readonly url: () => string;
}

export interface Call {
  readonly model: SandboxModel;
  readonly body: Buffer;
  readonly reference: string | null;
  readonly response: ServerResponse;
  // Fires when the client has gone or the server closes.
  readonly gone: AbortSignal;
  // Fires only when the server closes: a run continues after its client has left, as at any provider.
  readonly closing: AbortSignal;
}
