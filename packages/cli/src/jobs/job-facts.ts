// What job lists show about each job: its mark, its label, how long it ran and what it cost.
import { type Atelier, AtelierError, type Job } from "@atelier/sdk";
import { creditsText, microOf } from "../credits.ts";

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

// What jobs were charged, by id. Empty where nothing is sold, where another server would have to be asked, and if the key lacks
// the permission.
export async function creditsOfJobs(
  atelier: Pick<Atelier, "jobs">,
  jobs: readonly Pick<Job, "id">[],
): Promise<ReadonlyMap<string, string>> {
  const charges = await orNothing(() => atelier.jobs.chargesOf(jobs.map(({ id }) => id)));
  return new Map((charges ?? []).flatMap(({ job_id: id, credits }) => (credits === null ? [] : [[id, credits]])));
}

// By node.
export async function chargesOfNodes(
  atelier: Pick<Atelier, "jobs">,
  { id }: Pick<Job, "id">,
): Promise<ReadonlyMap<string, string>> {
  const charges = await orNothing(() => atelier.jobs.charges(id));
  return new Map((charges?.nodes ?? []).map(({ node_id: nodeId, credits }) => [nodeId, credits]));
}

async function orNothing<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof AtelierError && [401, 403, 404].includes(thrown.status)) return null;
    throw thrown;
  }
}

export const sumOfCredits = (amounts: readonly string[]): string | null =>
  amounts.length === 0 ? null : creditsText(amounts.reduce((sum, amount) => sum + microOf(amount), 0n));

// A string is the label itself; of a map we show the member `label`, then the others.
export function labelText(metadata: unknown): string | null {
  if (typeof metadata === "string") return metadata;
  if (typeof metadata !== "object" || metadata === null) return null;
  const texts = Object.entries(metadata).map(([key, value]) => ({ key, value: String(value) }));
  const label = texts.filter(({ key }) => key === "label").map(({ value }) => value);
  const others = texts.filter(({ key }) => key !== "label").map(({ key, value }) => `${key}=${value}`);
  return [...label, ...others].join("  ");
}
