// Turns anything thrown into a Fault and then into the area's envelope. This is the only place that logs it: refusals as info,
// our failures as error. refusal-log.ts limits how many.
import type { Fault } from "../fault.ts";
import type { Log } from "../log.ts";
import type { RefusalFacts } from "./admission/refusal-facts.ts";
import type { BytesAnswer, Envelope, FailedArrival } from "./area.ts";

export function answerFault(fault: Fault, envelope: Envelope, arrival: FailedArrival): BytesAnswer {
  const answer = envelope(fault, arrival);
  const headers: Record<string, string | readonly string[]> = { ...answer.headers };
  if (fault.retryAfterSeconds !== undefined)
    headers["retry-after"] = String(Math.max(1, Math.ceil(fault.retryAfterSeconds)));
  if (fault.allow) headers["allow"] = fault.allow.join(", ");
  if (fault.code === "unauthorized") headers["www-authenticate"] = "Bearer";
  return { ...answer, headers };
}

export interface RefusedRequest extends Partial<RefusalFacts> {
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
}

// `isFine`: log at the finest level only, for people who look for trouble.
export function logFault(log: Log, fault: Fault, where: RefusedRequest, isFine: boolean): void {
  const fields = { ...where, code: fault.code, status: fault.status };
  if (isFine) log.debug({ ...fields, reason: fault.message }, "a request was refused");
  else if (fault.status >= 500) log.error({ ...fields, reason: fault.message, err: fault.cause }, "a request failed");
  else log.info({ ...fields, reason: fault.message }, "a request was refused");
}
