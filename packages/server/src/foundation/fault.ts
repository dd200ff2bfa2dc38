// Fault: the one error class for failures we foresaw. `message` is safe to show to the caller; `cause` is for the log.
// Whatever else is thrown is a bug: it becomes internal_error, its text is hidden and its stack is logged.
import { type FaultCode, faultCodes } from "./fault-codes.ts";

export interface FaultOptions {
  readonly cause?: unknown;
  // Machine-readable particulars, shown where the area's envelope has room for them.
  readonly details?: unknown;
  // Integer seconds after which a retry can succeed (decisions, section 1).
  readonly retryAfterSeconds?: number;
  // For 405: the methods that exist here.
  readonly allow?: readonly string[];
  // Refused because of others, by a rule that counts and tells for itself; not logged one by one.
  readonly isOverload?: boolean;
}

export class Fault extends Error {
  readonly code: FaultCode;
  readonly details: unknown;
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly isOverload: boolean;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Fault";
    this.code = code;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.isOverload = options.isOverload ?? false;
  }

  get status(): number {
    return faultCodes[this.code];
  }
}

// Anything thrown becomes a Fault; what we did not foresee hides its text.
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("internal_error", "Something went wrong on our side. Quote the request id when you report it.", {
    cause: thrown,
  });
}

// What we stand on is away: our database, or for a worker outside the server. Nothing is wrong with the work itself, so it
// is tried again and never ended by this.
export class AwayFault extends Fault {
  constructor(message: string, cause: unknown, retryAfterSeconds = 1) {
    super("service_unavailable", message, { cause, retryAfterSeconds });
  }
}

// A failure of ours that may pass by itself: the same may go well in a moment.
export function isPassingFault(failure: unknown): failure is Fault {
  return failure instanceof Fault && (failure.code === "service_unavailable" || failure.code === "storage_full");
}
