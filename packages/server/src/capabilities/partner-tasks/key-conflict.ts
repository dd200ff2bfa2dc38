// An Idempotency-Key that cannot be answered as the caller hopes. What became of it is told apart from the fault's code, so
// that an area that has words for each can use them.
import { Fault, type FaultOptions } from "../../foundation/fault.ts";
import type { FaultCode } from "../../foundation/fault-codes.ts";

// `in_flight`: the first request is still being started; `consumed`: it ended, and its answer cannot be given again;
// `mismatch`: it was another request.
export type KeyConflictKind = "in_flight" | "consumed" | "mismatch";

export class KeyConflict extends Fault {
  readonly conflict: KeyConflictKind;

  constructor(conflict: KeyConflictKind, code: FaultCode, message: string, options: FaultOptions = {}) {
    super(code, message, options);
    this.conflict = conflict;
  }
}
