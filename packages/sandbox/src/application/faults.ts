// What can go wrong with an application, as switches: lasting ones stay until they are set back, and one-off ones happen
// when they are asked for. All of them can be moved over HTTP too, so that a test can spoil an application it did not start.
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

const garbageWords = ["none", "html", "broken_json", "wrong_shape", "frames"] as const;
const wrongIdWords = ["none", "beside", "instead"] as const;
const numbersMax = { slowMs: 600_000, progressPerSecond: 1000, previewBytes: 64 * 1024 ** 2 } as const;

// Reads what came over HTTP onto what holds now; null: there is a member or a value that we do not know.
export function changedFaults(now: ApplicationFaults, given: unknown): ApplicationFaults | null {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return null;
  let next = now;
  for (const [name, value] of Object.entries(given)) {
    const change = changeOf(name, value);
    if (!change) return null;
    next = { ...next, ...change };
  }
  return next;
}

function changeOf(name: string, value: unknown): Partial<ApplicationFaults> | null {
  switch (name) {
    case "garbage": {
      const word = garbageWords.find((known) => known === value);
      return word ? { garbage: word } : null;
    }
    case "wrongPromptIds": {
      const word = wrongIdWords.find((known) => known === value);
      return word ? { wrongPromptIds: word } : null;
    }
    case "losesHistory":
      return typeof value === "boolean" ? { losesHistory: value } : null;
    case "crashesMidJob":
      return typeof value === "boolean" ? { crashesMidJob: value } : null;
    case "slowMs":
    case "progressPerSecond":
    case "previewBytes":
      return isCount(value, numbersMax[name]) ? { [name]: value } : null;
    case "dropsSocketAfterFrames":
      return isCount(value, 1_000_000) ? { dropsSocketAfterFrames: value } : null;
    default:
      return null;
  }
}

function isCount(value: unknown, max: number): value is number {
  return typeof value === "number" && value >= 0 && value <= max;
}
