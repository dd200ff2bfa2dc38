import type { Job } from "@atelier/sdk";
import { jobs } from "#strings/jobs";

const words = jobs.line;

// Why a queued job has not started: the missing worker, otherwise its position in the queue.
export function queuedWords({
  waiting_for: awaited,
  queue_position,
}: Pick<Job, "waiting_for" | "queue_position">): string {
  if (awaited === undefined) return queueWords(queue_position);
  const names = [...awaited.node_classes, ...awaited.models];
  if (names.length === 0) return words.needsWorker;
  return words.needsWorkerWith(names.slice(0, namesMax), Math.max(0, names.length - namesMax));
}

const namesMax = 3;

// A job's position in the queue.
export function queueWords(position: number | null): string {
  if (position === null) return words.waiting;
  if (position === 0) return words.next;
  // The server does not count further than this.
  return position >= positionMax ? words.manyAhead(positionMax) : words.ahead(position);
}

const positionMax = 100;
