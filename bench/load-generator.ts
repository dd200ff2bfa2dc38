// Sends the same request over and over on a few keep-alive connections, and counts the answers. It speaks HTTP on bare sockets,
// because an HTTP client would cost more than the server it measures. It runs as a child process, so that it can have its own
// core; the job arrives and the tally leaves over the channel to the parent.
import { connect, type Socket } from "node:net";
import { answerJobs } from "./children.ts";

export interface LoadJob {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly connections: number;
  readonly milliseconds: number;
}

export interface LoadTally {
  readonly answers: number;
  readonly seconds: number;
  readonly answerBytes: number;
  readonly problem: string | null;
}

// All answers to one request have the same length, because ids and dates have a fixed width. So the first gives the length, and
// after it we only look at the status at the start of each answer.
class Caller {
  answers = 0;
  answerBytes = 0;
  problem: string | null = null;
  readonly #job: LoadJob;
  readonly #request: Buffer;
  readonly #expected: Buffer;
  #socket: Socket | undefined;
  #first: Buffer[] = [];
  #missing = 0;
  #isOver = false;

  constructor(job: LoadJob) {
    this.#job = job;
    const lines = Object.entries(job.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#request = Buffer.from(
      `GET ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\n${lines.join("")}\r\n`,
      "latin1",
    );
    this.#expected = Buffer.from(`HTTP/1.1 ${job.status}`, "latin1");
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: this.#job.port, noDelay: true });
      this.#socket = socket;
      socket.once("error", reject);
      socket.once("connect", () => {
        socket.write(this.#request);
        resolve();
      });
      socket.on("data", (chunk: Buffer) => this.#take(chunk));
      socket.on("close", () => {
        if (!this.#isOver) this.problem ??= "the server closed a connection";
      });
    });
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.answerBytes === 0) this.#takeFirst(chunk);
    else this.#takeNext(chunk);
  }

  #takeNext(chunk: Buffer): void {
    if (this.#missing === this.answerBytes && !chunk.subarray(0, this.#expected.length).equals(this.#expected)) {
      this.#fail(chunk);
      return;
    }
    this.#missing -= chunk.length;
    if (this.#missing < 0) this.#fail(chunk);
    else if (this.#missing === 0) this.#next();
  }

  #takeFirst(chunk: Buffer): void {
    this.#first.push(chunk);
    const sofar = Buffer.concat(this.#first);
    const head = sofar.indexOf("\r\n\r\n");
    if (head === -1) return;
    const text = sofar.subarray(0, head).toString("latin1");
    if (!text.startsWith(this.#expected.toString("latin1"))) {
      this.#fail(sofar);
      return;
    }
    const bodyBytes = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
    if (sofar.length < head + 4 + bodyBytes) return;
    this.answerBytes = head + 4 + bodyBytes;
    this.#next();
  }

  #next(): void {
    this.answers += 1;
    this.#missing = this.answerBytes;
    this.#socket?.write(this.#request);
  }

  #fail(chunk: Buffer): void {
    this.problem ??= `an unexpected answer: ${chunk.toString("latin1").slice(0, 80)}`;
    this.end();
  }
}

async function run(job: LoadJob): Promise<LoadTally> {
  const callers = Array.from({ length: job.connections }, () => new Caller(job));
  await Promise.all(callers.map((caller) => caller.start()));
  const began = performance.now();
  const before = callers.reduce((sum, caller) => sum + caller.answers, 0);
  await new Promise((resolve) => setTimeout(resolve, job.milliseconds));
  const seconds = (performance.now() - began) / 1000;
  const answers = callers.reduce((sum, caller) => sum + caller.answers, 0) - before;
  for (const caller of callers) caller.end();
  return {
    answers,
    seconds,
    answerBytes: callers[0]?.answerBytes ?? 0,
    problem: callers.find((caller) => caller.problem !== null)?.problem ?? null,
  };
}

answerJobs(run, (problem) => ({ answers: 0, seconds: 1, answerBytes: 0, problem }));
