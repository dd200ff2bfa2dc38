// One worker of a scaler: the worker's process, and an application beside it if a start command is configured. The slot's home
// outlives both, so a worker that was killed comes back under its id and continues its jobs.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { startWithChannel } from "@atelier/engine/own-code";
import type { Clock } from "../../foundation/clock.ts";
import type { Log } from "../../foundation/log.ts";
import { makeFolder } from "../../foundation/make-folder.ts";
import { processIdentity } from "../../foundation/process-identity.ts";
import { LastLines } from "./last-lines.ts";
import type { PlannedWorker } from "./plan-workers.ts";
import { startPauseMs } from "./plan-workers.ts";

export interface SlotDeps {
  readonly number: number;
  readonly home: string;
  // A shell command with {port} in it. Null: the worker runs graphs itself, or beside an application that is there anyway.
  readonly startCommand: string | null;
  // The words of the worker's command line; the slot adds its home and its application.
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly startSecondsMax: number;
  readonly clock: Clock;
  readonly log: Log;
  // Called after each change of state.
  onChange(): void;
}

export interface StartFailure {
  readonly at: Date;
  readonly message: string;
  readonly lines: readonly string[];
  readonly retryAt: Date;
}

// A worker that dies sooner after it was ready counts as one that did not start.
const steadyMs = 10_000;
const killAfterMs = 10_000;

export class WorkerSlot {
  readonly #deps: SlotDeps;
  readonly #ended = new AbortController();
  #state: PlannedWorker["state"] = "starting";
  #worker: ChildProcess | null = null;
  #application: ChildProcess | null = null;
  #failures = 0;
  #failure: StartFailure | null = null;
  #isLeaving = false;
  workerId: string | null = null;
  idleSinceMs: number | null = null;

  constructor(deps: SlotDeps) {
    this.#deps = deps;
  }

  get planned(): PlannedWorker {
    return { number: this.#deps.number, state: this.#state, idleSinceMs: this.idleSinceMs };
  }

  get failure(): StartFailure | null {
    return this.#failure;
  }

  // Keeps a worker running until `letGo` or `stop`. Resolves when none of its processes runs any more.
  async run(): Promise<void> {
    const { log, clock, number } = this.#deps;
    await this.#endLeftOver();
    while (!this.#isOver()) {
      this.#become("starting");
      const lines = new LastLines();
      const ran = await this.#runOnce(lines);
      if (this.#isOver()) break;
      if (ran.readyMs >= steadyMs) this.#failures = 0;
      else this.#failures += 1;
      if (this.#failures === 0) {
        log.warn({ worker: number, ended: ran.message }, "a worker ended; replacing it");
        continue;
      }
      const pauseMs = startPauseMs(this.#failures);
      const at = clock.now();
      this.#failure = { at, message: ran.message, lines: lines.get(), retryAt: new Date(at.getTime() + pauseMs) };
      log.error({ worker: number, ended: ran.message, lines: lines.get(), pauseMs }, "a worker could not be started");
      this.#become("waiting");
      await clock.sleep(pauseMs, this.#ended.signal);
    }
    await this.#endApplication();
  }

  // Finishes what it has and takes nothing more. It may be called back.
  letGo(): void {
    this.#isLeaving = true;
    this.#worker?.send("leave");
    this.#become("leaving");
  }

  keep(): void {
    this.#isLeaving = false;
    this.#worker?.send("stay");
    this.#become("ready");
  }

  // The usual stop of a worker: it gives back what does not end in time.
  stop(): void {
    this.#ended.abort();
    this.#worker?.kill("SIGTERM");
  }

  #isOver(): boolean {
    return this.#ended.signal.aborted || (this.#isLeaving && this.#worker === null);
  }

  #become(state: PlannedWorker["state"]): void {
    this.#state = state;
    this.#deps.onChange();
  }

  async #runOnce(lines: LastLines): Promise<{ readonly readyMs: number; readonly message: string }> {
    const { clock, home } = this.#deps;
    await makeFolder(home);
    const application = await this.#startApplication(lines);
    const worker = startWithChannel({
      words: [...this.#deps.words, "--home", home, ...(application === null ? [] : ["--application", application])],
      env: this.#deps.env,
    });
    this.#worker = worker;
    const exited = once(worker, "exit");
    let readyAtMs: number | null = null;
    const overdue = setTimeout(() => worker.kill("SIGKILL"), this.#deps.startSecondsMax * 1000);
    worker.stderr?.on("data", (chunk: Buffer) => lines.add(chunk));
    worker.stdout?.on("data", (chunk: Buffer) => {
      lines.add(chunk);
      const [, id] = /^ready worker (\S+)/m.exec(chunk.toString()) ?? [];
      if (id === undefined) return;
      clearTimeout(overdue);
      readyAtMs = clock.monotonicMs();
      this.workerId = id;
      this.idleSinceMs = readyAtMs;
      this.#failure = null;
      if (!this.#isLeaving) this.#become("ready");
    });
    // Without its application a worker can do nothing, so both begin again. It may have ended before the worker was there.
    const endWorker = () => void (worker.exitCode === null && worker.kill("SIGTERM"));
    if (hasEnded(this.#application)) endWorker();
    else this.#application?.once("exit", endWorker);
    const [code, signal] = await exited;
    clearTimeout(overdue);
    this.#worker = null;
    const isApplicationGone = hasEnded(this.#application);
    const what = isApplicationGone ? "The application's start command" : "The worker";
    const [last, by] = isApplicationGone
      ? [this.#application?.exitCode, this.#application?.signalCode]
      : [code, signal];
    const how = by ?? `code ${last}`;
    if (isApplicationGone) this.#application = null;
    return {
      readyMs: readyAtMs === null ? 0 : clock.monotonicMs() - readyAtMs,
      message: `${what} ended with ${how}${readyAtMs === null ? " before the worker was ready" : ""}.`,
    };
  }

  // An application that still runs is kept: a worker that was killed finds its prompts there.
  async #startApplication(lines: LastLines): Promise<string | null> {
    const { startCommand, env } = this.#deps;
    if (startCommand === null) return null;
    if (this.#application !== null && !hasEnded(this.#application)) return this.#applicationUrl;
    const port = await freePort();
    const application = spawn(startCommand.replaceAll("{port}", String(port)), {
      shell: true,
      // Its own group, so that everything it starts ends with it.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      // It has no business with our credentials.
      env: {
        ...Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("ATELIER_"))),
        PORT: String(port),
      },
    });
    application.on("error", (error) => lines.add(`${error.message}\n`));
    application.stdout?.on("data", (chunk: Buffer) => lines.add(chunk));
    application.stderr?.on("data", (chunk: Buffer) => lines.add(chunk));
    this.#application = application;
    this.#applicationUrl = `http://127.0.0.1:${port}`;
    const identity = application.pid === undefined ? null : processIdentity(application.pid);
    await writeFile(this.#note(), JSON.stringify({ pid: application.pid, identity }), { mode: 0o600 });
    return this.#applicationUrl;
  }
  #applicationUrl: string | null = null;

  readonly #note = () => join(this.#deps.home, "application.json");

  async #endApplication(): Promise<void> {
    const application = this.#application;
    this.#application = null;
    if (application?.pid !== undefined && !hasEnded(application)) {
      const exited = once(application, "exit");
      killGroup(application.pid, "SIGTERM");
      const insist = setTimeout(() => application.pid && killGroup(application.pid, "SIGKILL"), killAfterMs);
      await exited;
      clearTimeout(insist);
    }
    await rm(this.#note(), { force: true });
  }

  // An application of a scaler that was killed itself.
  async #endLeftOver(): Promise<void> {
    const text = await readFile(this.#note(), "utf8").catch(() => "{}");
    const { pid, identity }: { pid?: unknown; identity?: unknown } = JSON.parse(text);
    if (typeof pid === "number" && typeof identity === "string" && processIdentity(pid) === identity)
      killGroup(pid, "SIGKILL");
  }
}

function hasEnded(child: ChildProcess | null): boolean {
  return child !== null && (child.exitCode !== null || child.signalCode !== null);
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
