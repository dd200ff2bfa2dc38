// The id of a job's prompt in the application. The first is the job's own id, so that a process that claims the job later
// finds the running prompt. Only if the application remembers an id as interrupted is the next one used, and every
// process derives the same next one.
import { createHash } from "node:crypto";

// More than a job can need: each interruption uses up one.
export const promptIdsMax = 8;

export function promptIdOf(jobId: string, counter: number): string {
  if (counter === 0) return jobId;
  const hex = createHash("sha256").update(`${jobId} ${counter}`).digest("hex");
  // UUID version 8: custom.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
