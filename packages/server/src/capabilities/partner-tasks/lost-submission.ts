// A submission whose answer never came, so only the partner knows whether it is working. We tell the caller the truth
// about the money: nothing is charged yet, the possible cost stays held, until when at the latest, and what happens then
// (decisions, sections 3 and 8). We ask the partner if it can be asked, and a callback also settles it. If neither comes,
// the hold is released after the quarantine.
import { Fault } from "../../foundation/fault.ts";
import { defaultFollowRules } from "../calls/index.ts";
import type { Partner, PricedOperation } from "../partners/index.ts";
import { creditsText, holdBound } from "../prices/index.ts";

export interface LostSubmission {
  readonly code: "provider_error" | "provider_timeout";
  readonly words: string;
}

interface LostRequest {
  readonly partner: Partner;
  readonly priced: PricedOperation;
  readonly pricedInput: unknown;
  readonly idempotencyKey: string | null;
}

export const unknownWords =
  "We don't know whether the partner ran this task. Nothing was charged, and its held credits were released. Use a new Idempotency-Key to run it again.";

const collectWords = "Retry with the same Idempotency-Key to get the task.";
const keyWords = "Send an Idempotency-Key with future requests to be able to collect such tasks.";

export function lostFault(
  { code, words }: LostSubmission,
  { request, now }: { request: LostRequest; now: Date },
): Fault {
  const held = holdBound(request.priced.price, request.pricedInput);
  const collect = request.idempotencyKey === null ? keyWords : collectWords;
  if (held === 0n) return new Fault(code, `${words} It costs nothing. ${collect}`, { retryAfterSeconds: 5 });
  const until = heldUntil(request.partner, now).toISOString();
  const money = `Nothing is charged yet: ${creditsText(held)} credits stay held until we know whether the partner started the task, at the latest until ${until}. If it did, the task is listed and charged when it completes; if not, the credits are released.`;
  return new Fault(code, `${words} ${money} ${collect}`, {
    retryAfterSeconds: 5,
    details: { held: creditsText(held), held_until: until },
  });
}

// A minute more than the rules say, because the follower looks at the call twice a minute.
function heldUntil({ definition }: Partner, now: Date): Date {
  const asked = definition.ask ? definition.longest_run_seconds : 0;
  return new Date(now.getTime() + (defaultFollowRules.quarantineSeconds + asked + 60) * 1000);
}
