// An Idempotency-Key that cannot be answered as the caller hopes. The kind is separate from the fault's code, so that an
// area with words for each kind can use them.
import { Fault, type FaultOptions } from "../../foundation/fault.ts";
import type { FaultCode } from "../../foundation/fault-codes.ts";

// `in_flight`: the first request is still starting; `consumed`: it has ended, and its answer cannot be given again;
// `mismatch`: it was a different request.
export type KeyConflictKind = "in_flight" | "consumed" | "mismatch";

export class KeyConflict extends Fault {
  readonly conflict: KeyConflictKind;

  constructor(conflict: KeyConflictKind, code: FaultCode, message: string, options: FaultOptions = {}) {
    super(code, message, options);
    this.conflict = conflict;
  }
}
