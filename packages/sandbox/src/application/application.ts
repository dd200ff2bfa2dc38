// The application itself, without its HTTP and sockets: one queue, one prompt at a time, a history, and everything in memory
// except the files. A restart forgets all of it; a prompt that was running is neither reported nor recorded.
import { randomUUID } from "node:crypto";
import { type ClassDescriptions, type EnginePool, openEnginePool } from "@atelier/engine";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { Clients } from "./clients.ts";
import type { ApplicationFaults } from "./faults.ts";
import { Folders } from "./folders.ts";
import { History } from "./history.ts";
import type { Prompt } from "./prompt.ts";
import { PromptAnnouncer } from "./prompt-announcer.ts";
import { PromptHeap } from "./prompt-heap.ts";
import { ResultMemory } from "./result-memory.ts";
import { runPrompt } from "./run-prompt.ts";
import { judgeSubmission, type Verdict } from "./submit-prompt.ts";
import { classesWith } from "./test-classes.ts";

export type ApplicationVersion = "old" | "new";

interface ApplicationParts {
  readonly home: string;
  readonly version: ApplicationVersion;
  readonly latencyMs: number | null;
  readonly faults: ApplicationFaults;
  // What a crash in the middle of a job does.
  readonly crash: () => void;
}

// Counters for tests.
export interface ApplicationStats {
  readonly accepted: number;
  readonly started: number;
  readonly finished: number;
  // How often each prompt id was started since the process began; the latest ids only.
  readonly startsById: Readonly<Record<string, number>>;
  readonly socketsOpened: number;
  readonly socketsOpen: number;
  readonly framesSent: number;
  readonly untargetedInterrupts: number;
  readonly restarts: number;
}

const startsMax = 100_000;

interface Running {
  readonly prompt: Prompt;
  readonly announcer: PromptAnnouncer;
  readonly stop: AbortController;
}

export class Application {
  readonly version: ApplicationVersion;
  readonly folders: Folders;
  readonly clients: Clients;
  readonly history = new History();
  faults: ApplicationFaults;
  readonly #parts: ApplicationParts;
  readonly #memory: ResultMemory;
  readonly #counts = { accepted: 0, started: 0, finished: 0, untargetedInterrupts: 0, restarts: 0 };
  readonly #starts = new BoundedMap<string, number>(startsMax);
  #waiting = new PromptHeap<Prompt>();
  #running: Running | null = null;
  #counter = 0;
  #pool: EnginePool | null = null;
  // Changes with every restart, so that leftovers from before it are ignored.
  #life: string = randomUUID();
  #isClosed = false;

  constructor(parts: ApplicationParts) {
    this.#parts = parts;
    this.version = parts.version;
    this.faults = parts.faults;
    this.folders = new Folders(parts.home);
    this.#memory = new ResultMemory((file) => this.folders.stampOf(file));
    this.clients = new Clients({
      faults: () => this.faults,
      queueRemaining: () => this.queueRemaining,
      runningNodeOf: (clientId) =>
        this.#running?.prompt.clientId === clientId ? this.#running.announcer.currentNode : null,
    });
  }

  get queueRemaining(): number {
    return this.#waiting.size + (this.#running ? 1 : 0);
  }

  get running(): Prompt | null {
    return this.#running?.prompt ?? null;
  }

  // In memory order, not in the order they will run.
  get waiting(): readonly Prompt[] {
    return this.#waiting.list();
  }

  get classes(): ClassDescriptions {
    return classesWith(this.folders.modelNames("checkpoints") ?? []);
  }

  get stats(): ApplicationStats {
    const starts = this.#starts;
    return {
      ...this.#counts,
      // Computed only when read.
      get startsById() {
        return Object.fromEntries(starts);
      },
      socketsOpened: this.clients.connections,
      socketsOpen: this.clients.openSockets,
      framesSent: this.clients.framesSent,
    };
  }

  submit(body: Readonly<Record<string, unknown>>): Verdict {
    const counter = this.#counter;
    this.#counter += 1;
    const verdict = judgeSubmission({
      body,
      counter,
      version: this.version,
      classes: this.classes,
      isFile: (name) => this.folders.isFile(name),
      nowMs: Date.now(),
    });
    if (verdict.prompt) {
      this.#counts.accepted += 1;
      this.#waiting.push(verdict.prompt);
      this.clients.broadcastStatus();
      setImmediate(() => void this.#work());
    }
    return verdict;
  }

  // Waiting prompts only, and without a trace.
  removeWaiting(matches: (prompt: Prompt) => boolean): boolean {
    const isRemoved = this.#waiting.remove(matches);
    if (isRemoved) this.clients.broadcastStatus();
    return isRemoved;
  }

  // null means whatever runs.
  interrupt(promptId: string | null): boolean {
    if (promptId === null) this.#counts.untargetedInterrupts += 1;
    if (!this.#running || (promptId !== null && this.#running.prompt.id !== promptId)) return false;
    this.#running.stop.abort();
    return true;
  }

  cancel(id: string): boolean {
    return this.removeWaiting((prompt) => prompt.id === id) || this.interrupt(id);
  }

  async restart(): Promise<void> {
    this.#counts.restarts += 1;
    await this.#endLife();
    await this.folders.open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#endLife();
  }

  async #endLife(): Promise<void> {
    this.#life = randomUUID();
    this.#running?.announcer.mute();
    this.#running?.stop.abort();
    this.#running = null;
    this.#waiting = new PromptHeap();
    this.#counter = 0;
    this.history.clear();
    this.#memory.clear();
    const pool = this.#pool;
    this.#pool = null;
    await pool?.close();
    this.clients.drop();
  }

  async #work(): Promise<void> {
    while (!this.#running && !this.#isClosed) {
      const prompt = this.#waiting.pop();
      if (!prompt) return;
      await this.#runOne(prompt);
    }
  }

  async #runOne(prompt: Prompt): Promise<void> {
    const life = this.#life;
    const announcer = new PromptAnnouncer(this.clients, prompt);
    const stop = new AbortController();
    this.#running = { prompt, announcer, stop };
    this.#counts.started += 1;
    this.#starts.set(prompt.id, (this.#starts.get(prompt.id) ?? 0) + 1);
    this.clients.broadcastStatus();
    const deps = {
      pool: () => this.#openPool(),
      scope: life,
      folders: this.folders,
      memory: this.#memory,
      faults: () => this.faults,
      latencyMs: this.#parts.latencyMs,
      crash: () => {
        this.faults = { ...this.faults, crashesMidJob: false };
        this.#parts.crash();
      },
    };
    const ending = await runPrompt(deps, prompt, announcer, stop.signal);
    // The application reports success before the history has it.
    await new Promise((resolve) => setImmediate(resolve));
    if (life !== this.#life) return;
    const { outputs, messages } = announcer;
    if (!this.faults.losesHistory) this.history.add({ prompt, outputs, messages, isSuccess: ending === "success" });
    this.#running = null;
    this.#counts.finished += 1;
    this.clients.broadcastStatus();
    announcer.close();
  }

  #openPool(): EnginePool {
    this.#pool ??= openEnginePool({ size: 1, idleSecondsMax: 60 });
    return this.#pool;
  }
}
