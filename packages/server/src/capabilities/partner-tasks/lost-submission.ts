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
  "Nobody knows whether the partner did this. Nothing was charged, and nothing is held for it any more. Use a new Idempotency-Key to run it again.";

const collectWords = "Ask again with the same Idempotency-Key to get the task.";
const keyWords = "Send an Idempotency-Key to be able to collect such tasks.";

export function lostFault(
  { code, words }: LostSubmission,
  { request, now }: { request: LostRequest; now: Date },
): Fault {
  const held = holdBound(request.priced.price, request.pricedInput);
  const collect = request.idempotencyKey === null ? keyWords : collectWords;
  if (held === 0n) return new Fault(code, `${words} It costs nothing. ${collect}`, { retryAfterSeconds: 5 });
  const until = heldUntil(request.partner, now).toISOString();
  const money = `Nothing is charged yet: ${creditsText(held)} credits stay held until it is known whether it did the work, at the latest until ${until}. If it did, the task is there and is charged when it completes; if not, they come back.`;
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
