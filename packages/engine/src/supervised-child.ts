// Supervises one child process of our own code. It starts without our environment and must report that it is ready in time; we
// watch its memory from outside, end it with SIGKILL without asking, and report its end once, whatever caused it. It keeps our
// own process running only while it starts, works or ends.
import type { ChildProcess } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import type { Confinement } from "./isolation/confinement.ts";
import { startProcess } from "./own-code.ts";
import { residentMegabytes, watchMemory } from "./watch-memory.ts";

const startMsMax = 30_000;
const outputCharactersMax = 4096;

export interface ChildEnd {
  // A signal's name or an exit code, in words.
  readonly how: string;
  readonly wasKilled: boolean;
  readonly isOutOfHeap: boolean;
  // The end of its standard error.
  readonly output: string;
}

export interface SupervisedChildOptions<Message> {
  readonly entry: URL;
  readonly words?: readonly string[];
  readonly nodeFlags: readonly string[];
  readonly confinement?: Confinement;
  // What a child needs before it does any work; this does not count as held.
  readonly runtimeMegabytes: number;
  // Every message from the child except that it is ready.
  receive(message: Message): void;
  // It did not start in time: kill it.
  late(): void;
  ended(end: ChildEnd): void;
}

// What a pool needs to know of a child.
export type Supervised = Pick<
  SupervisedChild<{ readonly kind: string }, object>,
  "id" | "isAlive" | "ready" | "gone" | "heldMegabytes"
>;

export class SupervisedChild<Message extends { readonly kind: string }, Order extends object> {
  // False if it ended before it was ready.
  readonly ready: Promise<boolean>;
  // Resolves when the process has ended, after `ended` was called.
  readonly gone: Promise<void>;
  readonly #process: ChildProcess;
  readonly #options: SupervisedChildOptions<Message>;
  readonly #isReady = Promise.withResolvers<boolean>();
  #isAlive = true;
  #holds = 0;
  #output = "";
  #id: number | null;

  constructor(options: SupervisedChildOptions<Message>) {
    const { entry, words = [], nodeFlags, confinement } = options;
    this.#options = options;
    const started = { words, nodeFlags, serialization: "advanced", errorOutput: "pipe" } as const;
    this.#process = startProcess(entry, { ...started, ...(confinement === undefined ? {} : { confinement }) });
    this.#id = this.#process.pid ?? null;
    const named = confinement?.through === undefined ? Promise.resolve() : this.#meet(confinement.through.filter);
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#output = (this.#output + text).slice(-outputCharactersMax);
    });
    this.#process.on("message", (message) => {
      if (!isMessage<Message>(message)) return;
      if (message.kind === "ready") void named.then(() => this.#isReady.resolve(true));
      else options.receive(message);
    });
    this.ready = this.#isReady.promise;
    this.gone = this.#watchEnd();
    const late = setTimeout(() => options.late(), startMsMax);
    late.unref();
    this.hold();
    void this.ready.then(() => {
      clearTimeout(late);
      this.release();
    });
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get id(): number | null {
    return this.#id;
  }

  // Does nothing if the child is gone. Throws for what cannot be cloned.
  send(order: Order): void {
    if (this.#isAlive && this.#process.connected) this.#process.send(order, () => {});
  }

  kill(): void {
    // A process that waits for `gone` must stay alive to see it, even if nothing else keeps the program running.
    if (this.#isAlive) this.hold();
    this.#isAlive = false;
    this.#killProcess();
    this.#isReady.resolve(false);
  }

  // What started the child waits for it, so its own end then proves the child's.
  #killProcess(): void {
    const { pid, exitCode, signalCode } = this.#process;
    if (this.#id === null || this.#id === pid || exitCode !== null || signalCode !== null) {
      this.#process.kill("SIGKILL");
      return;
    }
    try {
      process.kill(this.#id, "SIGKILL");
    } catch {
      this.#process.kill("SIGKILL");
    }
  }

  // A working child keeps our own process running until `release` is called as often.
  hold(): void {
    this.#changeHolds(1);
  }

  release(): void {
    this.#changeHolds(-1);
  }

  // What it holds beyond the runtime; 0 if it cannot be measured.
  async heldMegabytes(): Promise<number> {
    const resident = this.#id === null ? null : await residentMegabytes(this.#id);
    return Math.max(0, (resident ?? 0) - this.#options.runtimeMegabytes);
  }

  // Calls `exceeded` once if it holds more than that; returns a function that stops watching.
  watchMemory(megabytesMax: number, exceeded: () => void): () => void {
    const id = this.#id;
    return id === null ? () => {} : watchMemory(id, megabytesMax + this.#options.runtimeMegabytes, exceeded);
  }

  // What we started starts the child in turn: it gets the filter of system calls, and says which process the child is.
  async #meet(filter: Uint8Array): Promise<void> {
    const [said, wanted] = this.#process.stdio.slice(4) as unknown as [Readable, Writable];
    wanted.on("error", () => {});
    wanted.end(filter);
    const parts: Buffer[] = [];
    try {
      for await (const part of said) parts.push(part);
    } catch {}
    const id = Number(/"child-pid":\s*(\d+)/.exec(Buffer.concat(parts).toString("latin1"))?.[1]);
    if (Number.isInteger(id)) this.#id = id;
  }

  async #watchEnd(): Promise<void> {
    const ended = Promise.withResolvers<string>();
    this.#process.on("error", (error) => ended.resolve(error.message));
    this.#process.on("close", (code, signal) => ended.resolve(signal ?? `exit code ${code}`));
    // Its exit is enough, should something else hold its standard error open.
    this.#process.on("exit", (code, signal) =>
      setTimeout(() => ended.resolve(signal ?? `exit code ${code}`), 500).unref(),
    );
    const how = await ended.promise;
    const wasKilled = !this.#isAlive;
    this.#isAlive = false;
    this.#isReady.resolve(false);
    const isOutOfHeap = this.#output.includes("heap out of memory");
    this.#options.ended({ how, wasKilled, isOutOfHeap, output: this.#output });
  }

  #changeHolds(by: 1 | -1): void {
    this.#holds += by;
    const { stderr, channel } = this.#process;
    const change = this.#holds > 0 ? ("ref" as const) : ("unref" as const);
    this.#process[change]();
    channel?.[change]();
    if (stderr && "ref" in stderr && "unref" in stderr && typeof stderr[change] === "function") stderr[change]();
  }
}

export function isMessage<Message extends { readonly kind: string }>(value: unknown): value is Message {
  return typeof value === "object" && value !== null && "kind" in value && typeof value.kind === "string";
}
