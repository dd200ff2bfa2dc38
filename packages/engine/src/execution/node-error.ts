// Failures a node can foresee. The message is for the caller: it names inputs and sizes, never our own paths.
import type { EngineFailureCode } from "../engine-host.ts";

export class NodeError extends Error {
  readonly code: EngineFailureCode;

  constructor(message: string, code: EngineFailureCode = "node_execution_error") {
    super(message);
    this.name = "NodeError";
    this.code = code;
  }
}

// The job was asked to stop; thrown wherever the work notices.
export class Canceled extends Error {
  constructor() {
    super("The job was canceled.");
    this.name = "Canceled";
  }
}
