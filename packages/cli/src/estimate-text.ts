// Prints an estimate for people: a line for each part that can cost something, the total, what will be held for it, and the
// workspace's balance.
import type { CreditBalance, CreditRange, ExpectedSeconds } from "@atelier/sdk";
import type { CommandResult } from "@atelier/server/commands";
import { creditsText, microOf } from "./credits.ts";
import { type ClientCall, wrongCall } from "./read-call.ts";
import type { Asked } from "./server/over-http.ts";

export interface EstimatedPart {
  readonly name: string;
  readonly about: string | null;
  readonly credits: CreditRange;
  readonly expected_seconds?: ExpectedSeconds;
}

export interface Estimated extends Pick<EstimatedPart, "credits" | "expected_seconds"> {
  readonly hold: string;
  readonly parts: readonly EstimatedPart[];
  // How often it would run; all other figures are for one run.
  readonly runs: number;
}

// Adds the balance to `data`.
export async function estimateResult(asked: Asked, estimated: Estimated, data: object): Promise<CommandResult> {
  const { call, atelier, input } = asked;
  const balance = await balanceOf(atelier);
  const { parts, runs, credits, hold, expected_seconds: expected } = estimated;
  const sum = { lowest: times(credits.lowest, runs), highest: times(credits.highest, runs) };
  const rows = [
    ...parts.map((part) => [part.name, part.about, rangeText(part.credits), secondsText(part.expected_seconds)]),
    ["in all", null, rangeText(credits), secondsText(expected)],
    ...(runs === 1 ? [] : [[`${runs} runs`, null, rangeText(sum), null]]),
    ["held meanwhile", null, times(hold, runs), null],
    ...(balance === null ? [] : [["balance", null, balance.available, null]]),
  ];
  const warnings = refusalsAhead(estimated, { available: balance?.available, limit: readMaxCredits(call, "run") });
  if (!input.json) for (const warning of warnings) input.say(`! ${warning}`);
  return {
    data: {
      ...data,
      ...(balance === null ? {} : { balance }),
      ...(runs === 1 ? {} : { runs, credits_of_all_runs: sum }),
    },
    text: { columns: ["what", "class", "credits", "took before"], rows },
    ...(input.json ? { warnings } : {}),
  };
}

// What the server would refuse right now. A limit applies to each run; holds add up.
export function refusalsAhead(
  { credits, hold, runs }: Pick<Estimated, "credits" | "hold" | "runs">,
  { available, limit }: { readonly available: string | undefined; readonly limit: string | undefined },
): string[] {
  const held = times(hold, runs);
  return [
    ...(available !== undefined && microOf(held) > microOf(available)
      ? [`the balance of ${available} does not cover the hold of ${held}; the server would refuse this (402)`]
      : []),
    ...(limit !== undefined && microOf(credits.highest) > microOf(limit)
      ? [`it can cost more than --max-credits ${limit}; the server would refuse this (422)`]
      : []),
  ];
}

// A string as typed, so that no digit is lost.
export function readMaxCredits(call: Pick<ClientCall, "text">, command: string): string | undefined {
  const text = call.text("max-credits");
  if (text === undefined || /^(0|[1-9]\d{0,11})(\.\d{1,6})?$/.test(text)) return text;
  throw wrongCall(command, [`--max-credits must be an amount of credits such as 12.5, not "${text}".`]);
}

// Null if the balance is not visible: a deployment or a proxy has no account, and a key may lack the permission.
async function balanceOf(atelier: Asked["atelier"]): Promise<CreditBalance | null> {
  try {
    const balance: unknown = await (await atelier.request("/account/credits")).json();
    return isBalance(balance) ? balance : null;
  } catch {
    return null;
  }
}

const isBalance = (value: unknown): value is CreditBalance =>
  typeof value === "object" && value !== null && "available" in value && typeof value.available === "string";

export const rangeText = ({ lowest, highest }: CreditRange): string =>
  lowest === highest ? highest : `${lowest} to ${highest}`;

export function secondsText(expected: ExpectedSeconds | undefined): string | null {
  if (expected === undefined) return null;
  const { median, p90, count } = expected;
  return `${median} s (9 of 10 within ${p90} s, ${count} runs)`;
}

export const times = (credits: string, count: number): string => creditsText(microOf(credits) * BigInt(count));
