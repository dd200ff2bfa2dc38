// Fault: the only error class for failures we foresaw. `message` is safe to show to the caller; `cause` is for the log.
// Anything else that is thrown is a bug: it becomes internal_error, its text is hidden and its stack is logged.
import { type FaultCode, faultCodes } from "./fault-codes.ts";

export interface FaultOptions {
  readonly cause?: unknown;
  // Machine-readable details, shown if the area's envelope has room for them.
  readonly details?: unknown;
  // Whole seconds after which a retry can succeed (decisions, section 1).
  readonly retryAfterSeconds?: number;
  // For 405: the methods that this path supports.
  readonly allow?: readonly string[];
  // Refused because the server is overloaded. The rule that refused it counts and reports such refusals itself, so they are not
  // logged one by one.
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

export function wrongField(field: string, problem: string): Fault {
  return new Fault("validation_failed", `${field} ${problem}.`, { details: { field } });
}

export function orNotFound<T>(found: T | null | undefined, message: string): T {
  if (found === null || found === undefined) throw new Fault("not_found", message);
  return found;
}

// Turns anything thrown into a Fault. The text of an unforeseen error is hidden.
export function asFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault("internal_error", "Something went wrong on our side. Quote the request id when you report it.", {
    cause: thrown,
  });
}

// Something we depend on is unreachable: the database or, for a remote worker, the server. Nothing is wrong with the work
// itself, so it is retried and never ended by this.
export class AwayFault extends Fault {
  constructor(message: string, cause: unknown, retryAfterSeconds = 1) {
    super("service_unavailable", message, { cause, retryAfterSeconds });
  }
}

// A temporary failure on our side: the same request may succeed in a moment.
export function isPassingFault(failure: unknown): failure is Fault {
  return failure instanceof Fault && (failure.code === "service_unavailable" || failure.code === "storage_full");
}

// Something that the work needs is unreachable.
export const isAway = (failure: unknown): boolean => failure instanceof Fault && failure.code === "service_unavailable";
