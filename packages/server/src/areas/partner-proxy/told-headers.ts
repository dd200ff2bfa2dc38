// What answers tell beside their body, where a surface has clients that read it: how long such a task takes, by those that
// ended here before, and what an ended one cost. Nothing is told that is not known.
import { creditsText } from "../../capabilities/prices/index.ts";
import type { PastRuns } from "../../foundation/past-runs.ts";

// Null: nothing is told.
export type Telling = { readonly pastRuns: PastRuns } | null;

export async function durationHeaders(telling: Telling, subject: string): Promise<Readonly<Record<string, string>>> {
  const expected = await telling?.pastRuns.expectedSeconds(subject);
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
