// Under which id a job stands in the application. The first is the job's own, so that a process that claims the job
// later finds what already runs; only where the application remembers an id as interrupted is the next one taken, and
// everybody derives the same next one.
import { createHash } from "node:crypto";

// As many as a job can ever need: each is used up by an interruption.
export const promptIdsMax = 8;

export function promptIdOf(jobId: string, counter: number): string {
  if (counter === 0) return jobId;
  const hex = createHash("sha256").update(`${jobId} ${counter}`).digest("hex");
  // Version 8: made by a rule of our own.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
