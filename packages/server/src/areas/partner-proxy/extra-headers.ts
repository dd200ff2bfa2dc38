// Extra headers for surfaces whose clients read them: how long such a task takes, based on earlier ones, and what a finished
// one cost. Unknown values are left out.
import { creditsText } from "../../capabilities/prices/index.ts";
import type { PastRuns } from "../../foundation/past-runs.ts";

// Null if no headers are added.
export type ExtraHeaders = { readonly pastRuns: PastRuns } | null;

export async function durationHeaders(
  extraHeaders: ExtraHeaders,
  subject: string,
): Promise<Readonly<Record<string, string>>> {
  const expected = await extraHeaders?.pastRuns.expectedSeconds(subject);
  if (expected === undefined) return {};
  return {
    "x-service-estimated-duration-seconds": seconds(expected.median),
    "x-service-estimated-duration-p90-seconds": seconds(expected.p90),
    "x-service-estimate-source": "history",
  };
}

const seconds = (value: number) => String(Math.max(1, Math.ceil(value)));

export function chargeHeader(charge: bigint | null): Readonly<Record<string, string>> {
  return charge === null ? {} : { "x-service-credits-used": creditsText(charge) };
}
