// Runs work that would stall every other request in threads, which are started when first needed and restarted when they die.
// Callers' bodies are processed in fair turns: one per flow (a workspace) at a time, round-robin, and a request that has waited
// too long in its own flow's queue is refused with 503. A second thread serves those that arrive while one flow's body is being
// parsed, so a hostile body delays only its sender, however long it takes. Work that does not come from callers (providers'
// answers) has one thread and runs in order of arrival: none of it can be refused. Bytes in shared memory are not copied.
import { parentPort, type Worker } from "node:worker_threads";
import { keepCompiledCode, startThread } from "@atelier/engine/own-code";
import type { Clock } from "./clock.ts";
import { Fault } from "./fault.ts";
import type { FaultCode } from "./fault-codes.ts";
import { FairTurns, inTurn } from "./http/admission/fair-turns.ts";

// Bodies above this are parsed in a thread (decisions, section 3). Smaller ones cost less than the round trip.
export const largeBytesMin = 256 * 1024;

export interface OwnThread<Task, Result> {
  // Rejects with the Fault that the work threw, or with the error that ended the thread.
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

export interface FairThreads<Task, Result> {
  // Also rejects with service_unavailable if this flow has too much waiting, or waited too long.
  run(task: Task, flow: string): Promise<Result>;
  close(): Promise<void>;
}

const fairThreadsMax = 2;
const waitingPerFlowMax = 256;
const waitingAgeMsMax = 10_000;

export function fairThreads<Task, Result>(entry: URL, clock: Clock): FairThreads<Task, Result> {
  const turns = new FairTurns({
    clock,
    turnsMax: fairThreadsMax,
    ageMsMax: waitingAgeMsMax,
    pauseMsMax: 0,
    waitingPerFlowMax,
    // Parsing a body may take as long as it needs.
    workMsMax: Number.POSITIVE_INFINITY,
  });
  const idle: OwnThread<Task, Result>[] = [];
  const all: OwnThread<Task, Result>[] = [];
  const another = () => {
    const made = ownThread<Task, Result>(entry);
    all.push(made);
    return made;
  };
  return {
    async run(task, flow) {
      const turn = turns.turnOf(flow);
      await turn.take();
      return inTurn(turn, async () => {
        const thread = idle.pop() ?? another();
        try {
          return await thread.run(task);
        } finally {
          idle.push(thread);
        }
      });
    },
    async close() {
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}

interface TaskMessage<Task> {
  readonly id: number;
  readonly task: Task;
}

// A Fault cannot be cloned as an instance, so we send its parts.
type ThreadAnswer<Result> =
  | { readonly id: number; readonly kind: "done"; readonly result: Result }
  | {
      readonly id: number;
      readonly kind: "fault";
      readonly code: FaultCode;
      readonly message: string;
      readonly details: unknown;
    }
  | { readonly id: number; readonly kind: "failed"; readonly message: string };

export function ownThread<Task, Result>(entry: URL): OwnThread<Task, Result> {
  const waiting = new Map<number, PromiseWithResolvers<Result>>();
  let worker: Worker | null = null;
  let lastId = 0;

  function thread(): Worker {
    if (worker) return worker;
    const started = startThread(entry);
    started.on("message", (answer: ThreadAnswer<Result>) => {
      const { resolve, reject } = waiting.get(answer.id) ?? {};
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
      if (answer.kind === "done") resolve?.(answer.result);
      else if (answer.kind === "failed") reject?.(new Error(answer.message));
      else reject?.(new Fault(answer.code, answer.message, { details: answer.details }));
    });
    const die = (error: Error) => {
      if (worker === started) worker = null;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on("error", die);
    started.on("exit", () => die(new Error("the thread for large bodies ended")));
    worker = started;
    return started;
  }

  return {
    run(task) {
      const id = ++lastId;
      const outcome = Promise.withResolvers<Result>();
      waiting.set(id, outcome);
      const message: TaskMessage<Task> = { id, task };
      const to = thread();
      to.ref();
      to.postMessage(message);
      return outcome.promise;
    },
    async close() {
      await worker?.terminate();
    },
  };
}

// The thread's side. Call once, at the end of the entry file.
export function serveThread<Task, Result>(handler: (task: Task) => Result): void {
  parentPort?.on("message", ({ id, task }: TaskMessage<Task>) => parentPort?.postMessage(runTask(id, handler, task)));
  keepCompiledCode();
}

function runTask<Task, Result>(id: number, handler: (task: Task) => Result, task: Task): ThreadAnswer<Result> {
  try {
    return { id, kind: "done", result: handler(task) };
  } catch (thrown) {
    if (thrown instanceof Fault)
      return { id, kind: "fault", code: thrown.code, message: thrown.message, details: thrown.details };
    return { id, kind: "failed", message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown) };
  }
}

// Bytes from another thread arrive as a plain Uint8Array. Returns a Buffer over the same memory.
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
