// A scaler that starts nothing itself: it runs a command each time the wanted number changes, with the newest number, one run at
// a time. A command that fails is run again after a pause that doubles, and its last lines are shown.
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Background } from "../../foundation/background.ts";
import { LastLines } from "./last-lines.ts";
import { startPauseMs } from "./plan-workers.ts";
import type { ScalingOptions } from "./read-scaling.ts";
import { type AskingDeps, askServer, type ScalerOrders, waitMsMax } from "./scaler-wire.ts";
import type { StartFailure } from "./worker-slot.ts";

export interface HookDeps extends AskingDeps, Pick<ScalingOptions, "exec"> {
  readonly env: Readonly<Record<string, string | undefined>>;
}

const hookMsMax = 600_000;

export class ScalingHook {
  readonly #deps: HookDeps;
  #done: number | null = null;
  #failures = 0;
  #failure: StartFailure | null = null;

  constructor(deps: HookDeps) {
    this.#deps = deps;
  }

  run(background: Background, signal: AbortSignal): Promise<void> {
    const everyMs = () => (this.#failure === null ? 0 : startPauseMs(this.#failures));
    const work = { name: "scaler: run the command", everyMs, round: (stopping: AbortSignal) => this.#round(stopping) };
    return background.run(work, signal);
  }

  async #round(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#deps;
    // Waits only if there is nothing to do.
    const waitMs = this.#done === null || this.#failure !== null ? 0 : waitMsMax;
    const orders = await this.#ask(waitMs, signal);
    if (orders === null) return;
    this.#deps.onOrders(orders);
    if (orders.workersWanted === this.#done && this.#failure === null) return;
    const ran = await runOnce(this.#deps, orders);
    if (ran === null) {
      log.info({ wanted: orders.workersWanted, before: this.#done }, "the scaling command was run");
      [this.#done, this.#failures, this.#failure] = [orders.workersWanted, 0, null];
      return;
    }
    this.#failures += 1;
    const at = clock.now();
    const pauseMs = startPauseMs(this.#failures);
    this.#failure = { at, ...ran, retryAt: new Date(at.getTime() + pauseMs) };
    log.error({ ...ran, pauseMs }, "the scaling command failed");
    await this.#ask(0, signal);
  }

  #ask(waitMs: number, signal: AbortSignal): Promise<ScalerOrders | null> {
    const [known, failure] = [this.#done, this.#failure];
    return askServer(this.#deps, { known, running: known ?? 0, starting: 0, draining: 0, failure, waitMs }, signal);
  }
}

// Null if it succeeded.
async function runOnce(
  { exec, env }: HookDeps,
  orders: ScalerOrders,
): Promise<Pick<StartFailure, "message" | "lines"> | null> {
  const lines = new LastLines();
  const own = Object.entries(env).filter(([name]) => !name.startsWith("ATELIER_"));
  const child = spawn(exec ?? "", {
    shell: true,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: hookMsMax,
    env: {
      ...Object.fromEntries(own),
      POOL_ID: orders.poolId,
      WORKERS_WANTED: String(orders.workersWanted),
      WORKERS_MIN: String(orders.workersMin),
      WORKERS_MAX: String(orders.workersMax),
    },
  });
  child.stdout.on("data", (chunk: Buffer) => lines.add(chunk));
  child.stderr.on("data", (chunk: Buffer) => lines.add(chunk));
  const [code, signal] = await once(child, "close");
  if (code === 0) return null;
  return { message: `The command ended with ${signal ?? `code ${code}`}.`, lines: lines.get() };
}
