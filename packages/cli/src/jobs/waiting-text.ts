// Tells people why a queued job has not started.
import type { Job, JobHandle } from "@atelier/sdk";

export function waitingText({ waiting_for: awaited }: Pick<Job, "waiting_for">, now: Date): string | null {
  if (awaited === undefined) return null;
  const names = [...awaited.node_classes, ...awaited.models];
  const shown = names.slice(0, namesMax).join(", ");
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  const what = names.length === 0 ? "a worker" : `a worker that has ${shown}${more}`;
  if (awaited.last_seen_at === null) return `waiting for ${what}`;
  return `waiting for ${what}; one was last seen ${agoText(now.getTime() - Date.parse(awaited.last_seen_at))} ago`;
}

const namesMax = 5;

function agoText(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "less than a minute";
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

type WaitingJob = Pick<JobHandle, "refresh"> & { readonly current: Pick<Job, "status" | "waiting_for"> };

const lookEveryMs = 10_000;
const pause = (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms).unref());

// Says each thing once. Workers come and go without a job event, so we read the job again while it is queued. A failed read says
// nothing here, because the stream reports it.
export async function reportWaiting(
  job: WaitingJob,
  say: (line: string) => void,
  signal: AbortSignal,
  sleep: (ms: number) => Promise<void> = pause,
): Promise<void> {
  for (let last: string | null = null; job.current.status === "queued" && !signal.aborted; ) {
    const about = JSON.stringify(job.current.waiting_for ?? null);
    const text = about === last ? null : waitingText(job.current, new Date());
    if (text !== null) say(`  ${text}`);
    last = about;
    await sleep(lookEveryMs);
    if (!signal.aborted) await job.refresh({ signal }).catch(() => undefined);
  }
}
