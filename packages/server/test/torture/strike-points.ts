// Where in a call a worker can be struck. A process killed at a random moment is mostly idle, so the executioner names a
// point, and the worker strikes itself there the next time it passes.
import { writeSync } from "node:fs";

export const strikePoints = [
  // Before anything is written.
  "received",
  // Key, hold and intent are committed; the process has not checked its clock yet.
  "begun",
  // Between the clock check and the first byte to the provider.
  "sending",
  "sent",
  "answered",
  // The ending is on its way to the database.
  "finishing",
  "finished",
  // The follower knows how a call ended but has not written it yet.
  "followed",
] as const;
export type StrikePoint = (typeof strikePoints)[number];

export interface StrikePoints {
  arm(point: StrikePoint | null, signal: "SIGKILL" | "SIGSTOP"): void;
  pass(point: StrikePoint): void;
}

export function createStrikePoints(): StrikePoints {
  let armed: { point: StrikePoint | null; signal: "SIGKILL" | "SIGSTOP" } = { point: null, signal: "SIGKILL" };
  return {
    arm(point, signal) {
      armed = { point, signal };
    },
    pass(point) {
      if (armed.point !== point) return;
      armed = { ...armed, point: null };
      writeSync(1, `struck ${point}\n`);
      process.kill(process.pid, armed.signal);
    },
  };
}
