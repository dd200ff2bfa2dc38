// How to make a partner misbehave. A fault comes with one request (header or body member), or by hand for a partner's next few
// requests. Only this file decides which name acts where.

// At submission: nothing is accepted, nothing runs.
const submitFaults = ["refuse", "fail", "unavailable", "html", "rate_limit", "hang", "reset"] as const;
// The task is accepted; only its answer is affected.
const answerFaults = ["lost_answer", "truncated_answer", "slow_answer"] as const;
// `held` waits for a manual move at every step, `stuck` stays running, `skip` goes from created to the end, `lost` becomes
// unknown at its end, `slow` runs for the given seconds.
const taskFaults = ["task_failed", "stuck", "held", "skip", "lost", "slow"] as const;
const callbackFaults = [
  "callback_wrong_signature",
  "callback_duplicate",
  "callback_out_of_order",
  "callback_stale",
  "callback_late",
  "callback_never",
] as const;
const readFaults = ["read_fail", "read_html", "read_rate_limit", "read_hang", "read_reset", "read_not_found"] as const;

export const partnerFaults = [
  ...submitFaults,
  ...answerFaults,
  ...taskFaults,
  ...callbackFaults,
  ...readFaults,
] as const;
export type PartnerFault = (typeof partnerFaults)[number];
export type SubmitFault = (typeof submitFaults)[number];
export type ReadFault = (typeof readFaults)[number];

export interface FaultOrder {
  readonly faults: ReadonlySet<PartnerFault>;
  readonly seconds: number | null;
}

export const faultSecondsMax = 900;
export const noFaults: FaultOrder = { faults: new Set(), seconds: null };

// An unknown name is the caller's error: a test must not pass because of a misspelt fault.
export function parseFaultOrder(names: unknown, seconds: unknown): FaultOrder | null {
  const list = typeof names === "string" ? names.split(",") : Array.isArray(names) ? names : [];
  const faults = new Set<PartnerFault>();
  for (const name of list) {
    const known = partnerFaults.find((fault) => fault === String(name).trim());
    if (!known) return null;
    faults.add(known);
  }
  if (seconds === undefined) return { faults, seconds: null };
  const length = Number(seconds);
  return length >= 0 && length <= faultSecondsMax ? { faults, seconds: length } : null;
}

export function joined(...orders: readonly FaultOrder[]): FaultOrder {
  return {
    faults: new Set(orders.flatMap(({ faults }) => [...faults])),
    seconds: orders.find(({ seconds }) => seconds !== null)?.seconds ?? null,
  };
}

export const submitFaultOf = ({ faults }: FaultOrder): SubmitFault | null =>
  submitFaults.find((f) => faults.has(f)) ?? null;
export const readFaultOf = ({ faults }: FaultOrder): ReadFault | null => readFaults.find((f) => faults.has(f)) ?? null;

// Faults ordered by hand, used in the order they came. Reads and submissions take only their own.
export class FaultDesk {
  #waiting: { readonly partner: string; readonly order: FaultOrder; times: number }[] = [];

  add(partner: string, order: FaultOrder, times: number): void {
    this.#waiting.push({ partner, order, times });
    if (this.#waiting.length > 1000) this.#waiting.shift();
  }

  clear(): void {
    this.#waiting = [];
  }

  take(partner: string, isRead: boolean): FaultOrder {
    const entry = this.#waiting.find(
      (waiting) => waiting.partner === partner && (readFaultOf(waiting.order) !== null) === isRead,
    );
    if (!entry) return noFaults;
    entry.times -= 1;
    if (entry.times <= 0) this.#waiting = this.#waiting.filter((waiting) => waiting !== entry);
    return entry.order;
  }

  list(): readonly object[] {
    return this.#waiting.map(({ partner, order, times }) => ({
      partner,
      faults: [...order.faults],
      ...(order.seconds !== null && { seconds: order.seconds }),
      times,
    }));
  }
}
