// How a call ended, if that differs from what its caller saw: a lost answer, a deadline that passed.
import type { AccountRequest } from "@atelier/sdk";
import { outcomeOf } from "../../ui/outcome-words.ts";

export interface Became {
  readonly title: string;
  readonly words: string;
}

export function becameOf(request: Pick<AccountRequest, "call" | "outcome" | "replayed" | "status">): Became | null {
  const { call, outcome, replayed, status } = request;
  if (call === null || replayed || outcome === null || outcome === "succeeded") return null;
  const saw = status === null ? "an error" : String(status);
  if (call.state === "open")
    return {
      title: "The call goes on",
      words: `The caller got ${saw}. The provider is still being asked what became of the call.`,
    };
  if (call.outcome === null || call.outcome === outcome || outcomeOf(call.outcome).words === outcomeOf(outcome).words)
    return null;
  const charge = chargeWords(call.charged);
  if (call.outcome !== "succeeded")
    return {
      title: `The call ended as “${outcomeOf(call.outcome).words}”`,
      words: `The caller got ${saw} before that was known. ${charge}`,
    };
  const collect =
    call.idempotency_key === null
      ? "It was sent without an Idempotency-Key, so its answer cannot be collected."
      : call.key_answers_until === null
        ? "Its answer is kept no longer."
        : "Send the same Idempotency-Key again to collect the answer, free of charge.";
  return {
    title: "The call succeeded later",
    words: `The caller got ${saw} and did not see the answer. ${charge} ${collect}`,
  };
}

const chargeWords = (charged: string | null): string =>
  charged === null || Number(charged) === 0
    ? "Nothing was charged."
    : `It was charged ${Number(charged).toLocaleString("en", { maximumFractionDigits: 2 })} credits.`;
