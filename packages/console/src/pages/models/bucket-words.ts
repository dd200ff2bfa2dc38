// What each failure of a call means for the person at the page: what happened, and what to do. Whether it was charged follows
// from one rule (docs/ERRORS.md): a failure costs nothing, except a refusal on policy grounds by a model whose entry says so.
import { models } from "#strings/models";

export interface BucketWords {
  readonly title: string;
  readonly advice: string;
}

const failures: Readonly<Record<string, BucketWords>> = models.failures;

export function bucketWords(code: string | null, status: number): BucketWords {
  const known = code === null ? undefined : failures[code];
  return known ?? (status === 0 ? models.failures.connection_failed : models.failures.other);
}

export function chargeWords(code: string | null, chargesRefusals: string): string {
  if (code === "deadline_exceeded" || code === "connection_failed" || code === "timed_out") return models.charges.once;
  if (code !== "content_policy_violation") return models.charges.no;
  if (chargesRefusals === "yes") return models.charges.refusal;
  if (chargesRefusals === "no") return models.charges.freeRefusal;
  return models.charges.unverified;
}
