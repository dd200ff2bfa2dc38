// What can go wrong with an application, as switches: lasting ones stay until they are set back, and one-off ones happen
// when they are asked for. All of them can be moved over HTTP too, so that a test can spoil an application it did not start.
import { isMembers } from "../models/exact-json.ts";

export interface ApplicationFaults {
  // Every HTTP answer waits this long first.
  readonly slowMs: number;
  // What reads and submissions answer instead of the truth; `frames`: the websocket sends nonsense between its messages.
  readonly garbage: "none" | "html" | "broken_json" | "wrong_shape" | "frames";
  // Progress messages a second while a node runs; 0: the usual ones.
  readonly progressPerSecond: number;
  // Size of a preview that goes out with every tick of progress; 0: only real previews.
  readonly previewBytes: number;
  // Messages name a prompt that was never submitted: beside the true ones, or in their place.
  readonly wrongPromptIds: "none" | "beside" | "instead";
  // A finished prompt leaves no history.
  readonly losesHistory: boolean;
  // The process dies (in one process with others: restarts) when the next node begins.
  readonly crashesMidJob: boolean;
  // Sockets are cut after every so many frames; 0: never.
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

// What each switch takes.
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

// Reads what came over HTTP onto what holds now; null: there is a member or a value that we do not know.
export function changedFaults(now: ApplicationFaults, given: unknown): ApplicationFaults | null {
  return isChange(given) ? { ...now, ...given } : null;
}

function isChange(given: unknown): given is Partial<ApplicationFaults> {
  return isMembers(given) && Object.entries(given).every(([name, value]) => isSwitch(name) && allowed[name](value));
}

function isSwitch(name: string): name is keyof ApplicationFaults {
  return Object.hasOwn(allowed, name);
}
