// The further processes of a server (ATELIER_PROCESSES): the same program on the same ports, with connections distributed by
// the system. The first process starts them, passes on what it has, restarts those that die, and stops them when it stops; if
// it is killed they stop on their own. Each is a whole server: they share only the database and the bus.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Config } from "../config.ts";
import type { Clock } from "../foundation/clock.ts";
import type { Lifecycle } from "../foundation/lifecycle.ts";
import type { Log } from "../foundation/log.ts";
import type { Among } from "./build/process-deps.ts";
import type { CommandInput } from "./commands/command.ts";
import { drainSecondsOf, noticeSecondsOf } from "./drain-seconds.ts";

// What the first process passes to a further one. Not a setting: nothing else reads it.
export interface FurtherProcess extends Among {
  readonly port: number;
  readonly contentPort: number;
  readonly metricsPort: number | null;
  readonly proofKey: string;
}

const variable = "ATELIER_PROCESS_OF";
const pauseMs = 500;

// Null in the first or only process.
export function readFurther(env: CommandInput["env"]): FurtherProcess | null {
  const text = env[variable];
  return text === undefined ? null : (JSON.parse(text) as FurtherProcess);
}

// A further process leaves graphs, the sandbox and the application's port to the first.
export function configAt(config: Config, further: FurtherProcess): Config {
  const { port, contentPort, metricsPort } = further;
  return { ...config, port, contentPort, metricsPort, engineSlots: 0, applicationApiPort: null };
}

// Several processes need a bus that reaches beyond one.
export function configOfSeveral(config: Config): Config {
  const isAlone = config.bus === "auto" && config.databaseUrl === null;
  return isAlone || config.bus === "in-process" ? { ...config, bus: "postgres" } : config;
}

export interface FurtherDeps {
  readonly config: Config;
  readonly further: Omit<FurtherProcess, "index">;
  readonly env: CommandInput["env"];
  readonly life: Lifecycle;
  readonly log: Log;
  readonly clock: Clock;
}

// Resolves when all of them are ready.
export async function startFurtherProcesses(deps: FurtherDeps): Promise<void> {
  const { config, life } = deps;
  const keepers = Array.from({ length: config.processes - 1 }, (_, index) => new Keeper(deps, index + 1));
  const seconds = noticeSecondsOf(config) + drainSecondsOf(config) + 30;
  life.onStop(
    "further processes",
    () => Promise.all(keepers.map((each) => each.stop())).then(() => undefined),
    seconds,
  );
  // On the stop signal, so that all of them give notice and drain at the same time.
  life.leaving.addEventListener("abort", () => keepers.map((each) => each.signal()), { once: true });
  await Promise.all(keepers.map((each) => each.start()));
}

// Notifies the first process, which may itself be about to end.
export function announceReady(life: Lifecycle, exit: (code: number) => void): void {
  process.send?.("ready");
  process.once("disconnect", () => void life.stop("the first process is gone").then(() => exit(0)));
}

class Keeper {
  readonly #deps: FurtherDeps;
  readonly #index: number;
  #child: ChildProcess | null = null;

  constructor(deps: FurtherDeps, index: number) {
    this.#deps = deps;
    this.#index = index;
  }

  async start(): Promise<void> {
    const { further, life, log, clock } = this.#deps;
    const own: FurtherProcess = {
      ...further,
      index: this.#index,
      metricsPort: further.metricsPort === null ? null : further.metricsPort + this.#index,
    };
    const child = fork(process.argv[1] ?? "", process.argv.slice(2), {
      env: { ...this.#deps.env, [variable]: JSON.stringify(own) },
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#child = child;
    const ended = once(child, "exit");
    void ended.then(async ([code, signal]) => {
      if (life.leaving.aborted) return;
      log.error({ index: this.#index, code, signal }, "a further process exited; restarting it");
      await clock.sleep(pauseMs, life.leaving);
      if (!life.leaving.aborted) await this.start();
    });
    await Promise.race([once(child, "message"), ended]);
  }

  signal(): void {
    this.#child?.kill("SIGTERM");
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
}
