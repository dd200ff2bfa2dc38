// What can go wrong with an application, as switches: lasting ones stay until they are reset, one-off ones happen on request.
// All of them can also be set over HTTP, so that a test can break an application it did not start.
import { isMembers } from "../models/exact-json.ts";

export interface ApplicationFaults {
  // Delays every HTTP answer by this long.
  readonly slowMs: number;
  // What reads and submissions answer instead of the truth; with `frames` the websocket sends nonsense between its messages.
  readonly garbage: "none" | "html" | "broken_json" | "wrong_shape" | "frames";
  // Progress messages per second while a node runs; 0 for the usual ones.
  readonly progressPerSecond: number;
  // The size of a preview sent with every progress message; 0 for real previews only.
  readonly previewBytes: number;
  // Messages name a prompt that was never submitted: in addition to the true ones, or instead of them.
  readonly wrongPromptIds: "none" | "beside" | "instead";
  // A finished prompt leaves no history.
  readonly losesHistory: boolean;
  // The process dies (or restarts, if it shares its process) when the next node begins.
  readonly crashesMidJob: boolean;
  // Cuts sockets after this many frames; 0 for never.
  readonly dropsSocketAfterFrames: number;
}

export const noFaults: ApplicationFaults = {
  slowMs: 0,
  garbage: "none",
  progressPerSecond: 0,
  previewBytes: 0,
  wrongPromptIds: "none",
  losesHistory: false,
  crashesMidJob: false,
  dropsSocketAfterFrames: 0,
};

const isUpTo = (max: number) => (value: unknown) => typeof value === "number" && value >= 0 && value <= max;
const isFlag = (value: unknown) => typeof value === "boolean";
const isOneOf =
  <Word extends string>(...words: readonly Word[]) =>
  (value: unknown) =>
    words.some((word) => word === value);

// The values each switch accepts.
const allowed: Readonly<Record<keyof ApplicationFaults, (value: unknown) => boolean>> = {
  slowMs: isUpTo(600_000),
  garbage: isOneOf<ApplicationFaults["garbage"]>("none", "html", "broken_json", "wrong_shape", "frames"),
  progressPerSecond: isUpTo(1000),
  previewBytes: isUpTo(64 * 1024 ** 2),
  wrongPromptIds: isOneOf<ApplicationFaults["wrongPromptIds"]>("none", "beside", "instead"),
  losesHistory: isFlag,
  crashesMidJob: isFlag,
  dropsSocketAfterFrames: isUpTo(1_000_000),
};

// Applies a change from HTTP to the current switches; null if it has an unknown member or value.
export function changedFaults(now: ApplicationFaults, given: unknown): ApplicationFaults | null {
  return isChange(given) ? { ...now, ...given } : null;
}

function isChange(given: unknown): given is Partial<ApplicationFaults> {
  return isMembers(given) && Object.entries(given).every(([name, value]) => isSwitch(name) && allowed[name](value));
}

function isSwitch(name: string): name is keyof ApplicationFaults {
  return Object.hasOwn(allowed, name);
}
