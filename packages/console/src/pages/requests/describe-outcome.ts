// How a call ended, if that differs from what its caller saw: a lost answer, a deadline that passed.
import type { AccountRequest } from "@atelier/sdk";
import { requests } from "#strings/requests";
import { outcomeOf } from "../../ui/outcome-words.ts";

const words = requests.became;

export interface OutcomeNote {
  readonly title: string;
  readonly words: string;
}

export function describeOutcome(
  request: Pick<AccountRequest, "call" | "outcome" | "replayed" | "status">,
): OutcomeNote | null {
  const { call, outcome, replayed, status } = request;
  if (call === null || replayed || outcome === null || outcome === "succeeded") return null;
  const saw = status === null ? words.anError : String(status);
  if (call.state === "open")
    return {
      title: words.running.title,
      words: words.running.text(saw),
    };
  if (call.outcome === null || call.outcome === outcome || outcomeOf(call.outcome).words === outcomeOf(outcome).words)
    return null;
  const charge = chargeWords(call.charged);
  if (call.outcome !== "succeeded")
    return {
      title: words.ended.title(outcomeOf(call.outcome).words),
      words: `${words.ended.text(saw)} ${charge}`,
    };
  const collect =
    call.idempotency_key === null ? words.noKey : call.key_answers_until === null ? words.expired : words.collect;
  return {
    title: words.succeeded.title,
    words: `${words.succeeded.text(saw)} ${charge} ${collect}`,
  };
}

const chargeWords = (charged: string | null): string =>
  charged === null || Number(charged) === 0
    ? words.free
    : words.charged(Number(charged).toLocaleString("en", { maximumFractionDigits: 2 }));
