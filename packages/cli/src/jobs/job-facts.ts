// What lists of jobs tell of each: its mark, its label, how long it ran and what it cost.
import type { Job } from "@atelier/sdk";

export const marks: Readonly<Record<string, string>> = {
  queued: "○",
  running: "●",
  canceling: "●",
  succeeded: "✓",
  failed: "✕",
  canceled: "–",
  expired: "–",
};

export const durationOf = ({ metrics }: Pick<Job, "metrics">): number | null => metrics?.["execution_ms"] ?? null;

// A server that is older than this command does not say.
export const creditsOf = (job: object): string | null =>
  "credits_used" in job && typeof job.credits_used === "string" ? job.credits_used : null;

// Decimals that are added as what they are: no cent is lost to floating point.
export function sumOfCredits(jobs: readonly object[]): string | null {
  const amounts = jobs.flatMap((job) => creditsOf(job) ?? []);
  if (amounts.length === 0) return null;
  const micro = amounts.reduce((sum, amount) => sum + microOf(amount), 0n);
  const decimals = String(micro % million)
    .padStart(6, "0")
    .replace(/0+$/, "");
  return `${micro / million}${decimals === "" ? "" : `.${decimals}`}`;
}

const million = 1_000_000n;

function microOf(amount: string): bigint {
  const [whole = "0", decimals = ""] = amount.split(".");
  return BigInt(whole) * million + BigInt(decimals.slice(0, 6).padEnd(6, "0"));
}

// A text is the label; of a map the member of that name, and then the others.
export function labelText(metadata: unknown): string | null {
  if (typeof metadata === "string") return metadata;
  if (typeof metadata !== "object" || metadata === null) return null;
  const texts = Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) }));
  const label = texts.filter(({ key }) => key === "label").map(({ value }) => value);
  const others = texts.filter(({ key }) => key !== "label").map(({ key, value }) => `${key}=${value}`);
  return [...label, ...others].join("  ");
}
