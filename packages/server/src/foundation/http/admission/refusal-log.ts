// Decides which refused and failed requests get their own log line. A refusal costs its caller nothing, so without a limit a
// caller could fill the log's disk by sending refused requests without pause. Each caller (an address until the caller is
// known, then the workspace) gets a small burst of lines and then one a second; all callers together get ten a second. Our own
// failures have the same allowance separately, so that no flood of refusals hides one. Lines left out are counted and reported
// in one line at most every ten seconds; the individual lines appear only at the finest level.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../clock.ts";
import type { Fault } from "../../fault.ts";
import type { Log } from "../../log.ts";
import { spent } from "../../memory/allowance.ts";
import { logFault, type RefusedRequest } from "../answer-fault.ts";

export interface RefusalLogOptions {
  readonly clock: Clock;
  // Called for each one that gets no line.
  readonly onUnlogged?: () => void;
}

const callersMax = 10_000;
const ofOne = { perSecond: 1, atOnce: 30 };
const ofAll = { perSecond: 10, atOnce: 600 };
const reportEveryMs = 10_000;

export class RefusalLog {
  readonly #options: RefusalLogOptions;
  // The time until which each has spent its allowance; this one number is the whole bucket.
  readonly #ofCaller = new BoundedMap<string, number>(callersMax);
  #ofRefusals = 0;
  #ofFailures = 0;
  #reportedMs = Number.NEGATIVE_INFINITY;
  #unlogged = new Map<string, number>();

  constructor(options: RefusalLogOptions) {
    this.#options = options;
  }

  report(log: Log, fault: Fault, caller: string, where: RefusedRequest): void {
    // Overload is reported in summary where it is decided.
    const isLeftOut = !fault.isOverload && !this.#hasLine(fault, caller);
    logFault(log, fault, where, isLeftOut || fault.isOverload);
    if (isLeftOut) {
      this.#unlogged.set(fault.code, (this.#unlogged.get(fault.code) ?? 0) + 1);
      this.#options.onUnlogged?.();
    }
    this.#reportUnlogged(log);
  }

  #hasLine(fault: Fault, caller: string): boolean {
    const nowMs = this.#options.clock.monotonicMs();
    if (fault.status >= 500) {
      const after = spent(this.#ofFailures, nowMs, ofAll);
      this.#ofFailures = after ?? this.#ofFailures;
      return after !== null;
    }
    const afterOne = spent(this.#ofCaller.get(caller) ?? nowMs, nowMs, ofOne);
    const afterAll = afterOne === null ? null : spent(this.#ofRefusals, nowMs, ofAll);
    if (afterOne === null || afterAll === null) return false;
    this.#ofCaller.set(caller, afterOne);
    this.#ofRefusals = afterAll;
    return true;
  }

  #reportUnlogged(log: Log): void {
    const nowMs = this.#options.clock.monotonicMs();
    if (this.#unlogged.size === 0 || nowMs - this.#reportedMs < reportEveryMs) return;
    const codes = Object.fromEntries(this.#unlogged);
    const count = Object.values(codes).reduce((sum, each) => sum + each, 0);
    this.#unlogged = new Map();
    this.#reportedMs = nowMs;
    log.warn({ count, codes }, "more requests were refused than are logged individually");
  }
}
