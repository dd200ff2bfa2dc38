// Holds thousands of event streams of one job open on bare sockets, in a separate process, and reports how long one event takes
// to reach the last of them. The job arrives and the tally leaves over the channel to the parent.
import { connect, type Socket } from "node:net";
import { answerJobs } from "./children.ts";

export interface StreamJob {
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly path: string;
  readonly streams: number;
  // Requested once all streams are open, to cause the event. Null if another process causes it.
  readonly trigger: string | null;
  // What the event contains.
  readonly expected: string;
  readonly milliseconds: number;
}

export type StreamTally =
  | { readonly kind: "open"; readonly streams: number; readonly problem: string | null }
  | { readonly kind: "delivered"; readonly firstMs: number; readonly lastMs: number; readonly problem: string | null };

// How many connections are opened together: a listener's backlog is short.
const opening = 100;
const triesMax = 20;

class Reader {
  readonly ready: Promise<void>;
  readonly delivered = Promise.withResolvers<number>();
  readonly #socket: Socket;
  #tail = "";

  constructor(job: StreamJob) {
    const lines = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#socket = connect({ host: "127.0.0.1", port: job.port, noDelay: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#socket.once("error", reject);
    this.#socket.write(`GET ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\n${lines.join("")}\r\n`);
    this.#socket.on("data", (chunk: Buffer) => {
      this.#tail = `${this.#tail}${chunk.toString("latin1")}`.slice(-1024);
      if (this.#tail.includes("event: status")) resolve();
      if (this.#tail.includes(job.expected)) this.delivered.resolve(performance.now());
    });
    this.#socket.once("close", () => {
      const early = new Error(`a stream was closed: ${this.#tail.slice(0, 200)}`);
      reject(early);
      this.delivered.reject(early);
    });
    this.delivered.promise.catch(() => undefined);
  }

  end(): void {
    this.#socket.destroy();
  }
}

async function openAll(job: StreamJob): Promise<Reader[]> {
  const readers: Reader[] = [];
  while (readers.length < job.streams) {
    const count = Math.min(opening, job.streams - readers.length);
    readers.push(...(await Promise.all(Array.from({ length: count }, () => openOne(job)))));
  }
  return readers;
}

// On a busy machine a server may refuse a stream (503); we measure what it holds once they are in.
async function openOne(job: StreamJob): Promise<Reader> {
  for (let left = triesMax; ; left--) {
    const reader = new Reader(job);
    try {
      await reader.ready;
      return reader;
    } catch (error) {
      reader.end();
      if (left === 0 || !String(error).includes("HTTP/1.1 503")) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

async function measureDelivery(job: StreamJob, readers: readonly Reader[]): Promise<StreamTally> {
  const beganMs = performance.now();
  const [atMs, answer] = await Promise.all([
    Promise.all(readers.map(({ delivered }) => delivered.promise)),
    job.trigger === null
      ? null
      : fetch(`http://127.0.0.1:${job.port}${job.trigger}`, { method: "POST", headers: job.headers }),
  ]);
  await answer?.body?.cancel();
  const took = atMs.map((each) => each - beganMs);
  return {
    kind: "delivered",
    firstMs: took.reduce((least, each) => Math.min(least, each), Number.POSITIVE_INFINITY),
    lastMs: took.reduce((most, each) => Math.max(most, each), 0),
    problem: answer === null || answer.ok ? null : `the trigger was answered ${answer.status}`,
  };
}

let given: StreamJob | null = null;
let readers: Reader[] = [];

async function receive(job: StreamJob): Promise<StreamTally> {
  if (given === null) {
    given = job;
    readers = await openAll(job);
    return { kind: "open", streams: readers.length, problem: null };
  }
  const tally = await measureDelivery(job, readers);
  for (const reader of readers) reader.end();
  given = null;
  return tally;
}

answerJobs<StreamJob, StreamTally>(receive, (problem) => ({ kind: "open", streams: 0, problem }));
