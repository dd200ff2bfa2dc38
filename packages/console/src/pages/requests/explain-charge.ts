// Why a request cost what it did: what was held, what was charged, what went back, and the reason in a sentence or two.
import type { AccountRequest } from "@atelier/sdk";
import { requests } from "#strings/requests";
import { formatCredits } from "../../ui/amounts.ts";

const words = requests.charge;

export interface ChargeNote {
  readonly steps: readonly { readonly name: string; readonly credits: string }[];
  readonly why: string;
}

export type ChargedRequest = Pick<
  AccountRequest,
  "call" | "replayed" | "rows" | "credit_lines" | "outcome" | "attempts"
>;

// Null if the request could not have cost anything: it was refused before it named a model.
export function explainCharge(request: ChargedRequest): ChargeNote | null {
  const { call, replayed } = request;
  if (replayed) return { steps: [], why: words.replayed };
  if (call === null) {
    if (request.rows.length === 0) return null;
    const why = request.attempts.length > 0 ? words.failed : words.neverBegan;
    return { steps: [], why: request.outcome === "succeeded" ? words.free : why };
  }
  const held = Number(call.held ?? 0);
  if (call.state === "open")
    return { steps: held === 0 ? [] : [step(words.held, call.held)], why: held === 0 ? words.free : words.open };
  const charged = Number(call.charged ?? 0);
  const refunded = sumOf(request, "refund");
  const back = Math.max(0, held - charged);
  const steps = [
    ...(held === 0 ? [] : [step(words.held, call.held)]),
    ...(held === 0 && charged === 0 ? [] : [step(words.charged, call.charged)]),
    ...(held === 0 || back === 0 ? [] : [step(words.returned, String(Number(back.toFixed(6))))]),
    ...(refunded === 0 ? [] : [step(words.refunded, String(refunded))]),
  ];
  const why = whyOf(call, { held, charged });
  return { steps, why: refunded === 0 ? why : `${why} ${words.refund}` };
}

function whyOf(
  { state, outcome }: NonNullable<AccountRequest["call"]>,
  { held, charged }: { readonly held: number; readonly charged: number },
): string {
  if (state === "unknown") return words.unknown;
  if (held === 0 && charged === 0) return outcome === "succeeded" ? words.free : words.failed;
  if (outcome === "content_policy_violation") return charged > 0 ? words.refusalCharged : words.refusalFree;
  if (outcome !== "succeeded") return charged > 0 ? words.failedCharged : words.failedReturned;
  return charged < held ? words.less : words.exact;
}

const step = (name: string, credits: string | null) => ({ name, credits: formatCredits(credits ?? "0") });

const sumOf = ({ credit_lines: lines }: ChargedRequest, kind: string): number =>
  lines.filter((line) => line.kind === kind).reduce((sum, { amount }) => sum + Number(amount), 0);
