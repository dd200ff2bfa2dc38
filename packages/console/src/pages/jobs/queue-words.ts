import type { Job } from "@atelier/sdk";

// Why a queued job has not started: the missing worker, otherwise its position in the queue.
export function queuedWords({
  waiting_for: awaited,
  queue_position,
}: Pick<Job, "waiting_for" | "queue_position">): string {
  if (awaited === undefined) return queueWords(queue_position);
  const names = [...awaited.node_classes, ...awaited.models];
  if (names.length === 0) return "Needs a worker";
  const more = names.length > namesMax ? ` and ${names.length - namesMax} more` : "";
  return `Needs a worker with ${names.slice(0, namesMax).join(", ")}${more}`;
}

const namesMax = 3;

// A job's position in the queue.
export function queueWords(position: number | null): string {
  if (position === null) return "Waits to begin";
  if (position === 0) return "Next in the queue";
  // The server does not count further than this.
  if (position >= positionMax) return `${positionMax} or more ahead in the queue`;
  return `${position.toLocaleString()} ahead in the queue`;
}

const positionMax = 100;
