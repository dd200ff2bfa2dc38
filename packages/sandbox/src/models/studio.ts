// Renders in threads, so that the server keeps answering polls while it draws. Short work goes first: a picture never waits
// behind queued clips. Threads start when first needed.
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { ownEntry, startThread } from "@atelier/engine/own-code";
import type { StudioReply, StudioTask } from "./studio-task.ts";

// More is queued than any client would wait for.
export class StudioFull extends Error {}

const waitingMax = 1000;
const threadsMax = Math.max(1, Math.min(4, availableParallelism() - 1));

interface Order {
  readonly task: StudioTask;
  readonly resolve: (bytes: Uint8Array<ArrayBuffer>) => void;
  readonly reject: (why: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  order: Order | null;
}

export class Studio {
  readonly #threads = new Set<Thread>();
  readonly #urgent: Order[] = [];
  readonly #patient: Order[] = [];
  #isClosed = false;

  render(task: StudioTask): Promise<Uint8Array<ArrayBuffer>> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    if (this.#isClosed) reject(new Error("The studio is closed."));
    else if (this.#urgent.length + this.#patient.length >= waitingMax)
      reject(new StudioFull("The queue is full. Try again later."));
    else {
      (isLong(task) ? this.#patient : this.#urgent).push({
        task,
        resolve,
        reject,
      });
      this.#handOut();
    }
    return promise;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const order of [...this.#urgent.splice(0), ...this.#patient.splice(0)])
      order.reject(new Error("The studio is closed."));
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()));
  }

  #handOut(): void {
    while (this.#urgent.length + this.#patient.length > 0) {
      const idle = [...this.#threads].find(({ order }) => order === null);
      const thread = idle ?? (this.#threads.size < threadsMax ? this.#start() : null);
      if (!thread) return;
      thread.order = this.#urgent.shift() ?? this.#patient.shift() ?? null;
      thread.worker.ref();
      thread.worker.postMessage(thread.order?.task);
    }
  }

  #start(): Thread {
    const thread: Thread = { worker: startWorker(), order: null };
    this.#threads.add(thread);
    thread.worker.on("message", (reply: StudioReply) => {
      const { order } = thread;
      thread.order = null;
      thread.worker.unref();
      if ("bytes" in reply) order?.resolve(reply.bytes);
      else order?.reject(new Error(reply.failure));
      this.#handOut();
    });
    const lose = (why: Error) => {
      this.#threads.delete(thread);
      thread.order?.reject(why);
      thread.order = null;
      if (!this.#isClosed) this.#handOut();
    };
    thread.worker.on("error", lose);
    thread.worker.on("exit", () => lose(new Error("The drawing thread ended.")));
    return thread;
  }
}

const isLong = ({ kind }: StudioTask) => kind === "animation" || kind === "clip" || kind === "refilm";

// Pixels make much short-lived garbage: with a large nursery most of it dies there.
function startWorker(): Worker {
  return startThread(ownEntry("./studio.worker", import.meta.url), { youngMegabytesMax: 64 });
}
