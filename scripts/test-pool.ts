// Runs the parts of `npm test`, longest first, as many at once as keep the processors busy. Most parts wait a lot (for
// leases, a browser, programs they start), some compute all the time, so no fixed number fits: another part starts whenever
// the processors had time to spare.
import { availableParallelism, cpus, totalmem } from "node:os";

const lookEveryMs = 500;
// A part needs a moment until it uses what it is going to use.
const settleMs = 1_500;
// Below this share of idle time the processors are busy.
const idleMin = 0.06;

// A container may have less than its machine.
const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

// A few run even if others keep the machine busy. A part with its servers and browsers takes up to two gigabytes.
const bounds: Bounds = {
  least: availableParallelism() + 2,
  most: Math.max(3, Math.min(5 * availableParallelism(), Math.floor(memory / 2 ** 31))),
};

export interface Part {
  /** About how long it takes. */
  readonly seconds: number;
  run(): Promise<void>;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

export interface Room extends Bounds {
  readonly running: number;
  /** The share of processor time that was idle lately. */
  readonly idle: number;
  readonly sinceStartMs: number;
}

export function mayStart({ running, idle, sinceStartMs, least, most }: Room): boolean {
  if (running >= most) return false;
  if (running < least) return true;
  return sinceStartMs >= settleMs && idle >= idleMin;
}

// Resolves when all parts have ended.
export async function runPool(
  parts: readonly Part[],
  given: Partial<Bounds> & { readonly idleShare?: () => number } = {},
): Promise<void> {
  const { least, most } = { ...bounds, ...given };
  const idleShare = given.idleShare ?? idleShareOfMachine();
  const waiting = parts.toSorted((one, other) => other.seconds - one.seconds);
  const running = new Set<Promise<void>>();
  let startedAt = Number.NEGATIVE_INFINITY;
  while (waiting.length > 0) {
    const idle = idleShare();
    const room = { running: running.size, idle, least: Math.min(least, most), most };
    if (mayStart({ ...room, sinceStartMs: performance.now() - startedAt })) {
      const ended: Promise<void> = (waiting.shift()?.run() ?? Promise.resolve()).finally(() => running.delete(ended));
      running.add(ended);
      startedAt = performance.now();
      if (running.size < room.least) continue;
    }
    await Promise.race([...running, new Promise((resolve) => setTimeout(resolve, lookEveryMs))]);
  }
  await Promise.all(running);
}

// The share of idle processor time since about two seconds ago.
function idleShareOfMachine(): () => number {
  const looks: { idle: number; all: number; at: number }[] = [];
  return () => {
    const times = cpus().map((cpu) => cpu.times);
    const idle = times.reduce((sum, time) => sum + time.idle, 0);
    const all = times.reduce((sum, time) => sum + time.idle + time.user + time.nice + time.sys + time.irq, 0);
    looks.push({ idle, all, at: performance.now() });
    const recent = looks.findIndex(({ at }) => performance.now() - at <= 2_000);
    looks.splice(0, Math.min(recent, looks.length - 2));
    const [first] = looks;
    return first === undefined || all === first.all ? 0 : (idle - first.idle) / (all - first.all);
  };
}
