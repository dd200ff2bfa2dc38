// Posts one body over and over on keep-alive connections, one request at a time on each; checks every answer's status and
// length, and records how long each took. On bare sockets and as a child process, like load-generator.ts, which is faster if
// every answer has the same length; here headers differ by a digit and keys by the request.
import { connect, type Socket } from "node:net";
import { answerJobs } from "./children.ts";

export interface PostJob {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  // Used instead, for the connections in turn.
  readonly headersOfEach?: readonly Readonly<Record<string, string>>[];
  readonly body: string;
  // A fresh Idempotency-Key for every request, or the given one for all.
  readonly key: "fresh" | { readonly same: string } | null;
  readonly connections: number;
  // Whichever comes first.
  readonly milliseconds: number;
  readonly answersMax?: number;
  // Expected of every answer; 200 if absent.
  readonly status?: number;
  // The body is padded to this size with one long text member.
  readonly bodyBytes?: number;
}

export interface PostTally {
  readonly answers: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly problem: string | null;
}

const keyCharacters = 40;
let keys = 0;
const keyStart = `bench-${process.pid}-${Date.now()}-`;

class Poster {
  readonly took: number[] = [];
  problem: string | null = null;
  readonly #job: PostJob;
  readonly #request: Buffer;
  readonly #keyAt: number;
  readonly #done: () => void;
  #socket: Socket | undefined;
  #sentAt = 0;
  #part: Buffer | null = null;
  // Bytes of the answer still to come; -1 until its header is known, -2 for a chunked one.
  #missing = -1;
  #isOver = false;

  constructor(job: PostJob, headers: PostJob["headers"], done: () => void) {
    this.#job = job;
    this.#done = done;
    const key = job.key === "fresh" ? "k".repeat(keyCharacters) : job.key?.same;
    const named = key === undefined ? headers : { ...headers, "idempotency-key": key };
    const lines = Object.entries(named).map(([name, value]) => `${name}: ${value}\r\n`);
    const body = bodyOf(job);
    const head = `POST ${job.path} HTTP/1.1\r\nhost: 127.0.0.1:${job.port}\r\ncontent-type: application/json\r\n${lines.join("")}content-length: ${body.length}\r\n\r\n`;
    this.#request = Buffer.concat([Buffer.from(head, "latin1"), body]);
    this.#keyAt = job.key === "fresh" ? head.indexOf("k".repeat(keyCharacters)) : -1;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port: this.#job.port, noDelay: true });
      this.#socket = socket;
      socket.once("error", reject);
      socket.once("connect", () => {
        this.#send();
        resolve();
      });
      socket.on("data", (chunk: Buffer) => this.#take(chunk));
      socket.on("close", () => {
        if (!this.#isOver) this.#fail("the server closed a connection");
      });
    });
  }

  end(): void {
    this.#isOver = true;
    this.#socket?.destroy();
  }

  #send(): void {
    if (this.#keyAt >= 0)
      this.#request.write(`${keyStart}${keys++}`.padEnd(keyCharacters, "."), this.#keyAt, keyCharacters, "latin1");
    this.#sentAt = performance.now();
    this.#socket?.write(this.#request);
  }

  #take(chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#missing === -1) this.#takeHead(chunk);
    else if (this.#missing === -2) this.#takeChunked(chunk);
    else this.#takeBody(chunk.length);
  }

  #takeHead(chunk: Buffer): void {
    const sofar = this.#part === null ? chunk : Buffer.concat([this.#part, chunk]);
    const end = sofar.indexOf("\r\n\r\n");
    if (end === -1) {
      this.#part = sofar;
      return;
    }
    this.#part = null;
    const text = sofar.toString("latin1", 0, end);
    if (!text.startsWith(`HTTP/1.1 ${this.#job.status ?? 200}`)) {
      this.#fail(`an unexpected answer: ${sofar.toString("latin1", 0, 900)}`);
      return;
    }
    const length = /content-length: *(\d+)/i.exec(text)?.[1];
    if (length === undefined) {
      this.#missing = -2;
      this.#takeChunked(sofar.subarray(end + 4));
      return;
    }
    this.#missing = Number(length);
    this.#takeBody(sofar.length - end - 4);
  }

  #takeChunked(chunk: Buffer): void {
    if (chunk.subarray(-5).toString("latin1") === "0\r\n\r\n") this.#next();
  }

  #takeBody(bytes: number): void {
    this.#missing -= bytes;
    if (this.#missing < 0) this.#fail("an answer is longer than it said");
    else if (this.#missing === 0) this.#next();
  }

  #next(): void {
    this.took.push(performance.now() - this.#sentAt);
    this.#missing = -1;
    this.#done();
    if (!this.#isOver) this.#send();
  }

  #fail(problem: string): void {
    this.problem ??= problem;
    this.end();
  }
}

function bodyOf({ body, bodyBytes = 0 }: PostJob): Buffer {
  if (bodyBytes <= body.length) return Buffer.from(body);
  const [before, after] = [`${body.slice(0, -1)},"image":"`, '"}'];
  return Buffer.concat([
    Buffer.from(before),
    Buffer.alloc(bodyBytes - before.length - after.length, "abcd"),
    Buffer.from(after),
  ]);
}

async function run(job: PostJob): Promise<PostTally> {
  let answers = 0;
  const enough = Promise.withResolvers<void>();
  const count = () => {
    answers += 1;
    if (answers === (job.answersMax ?? Number.POSITIVE_INFINITY)) enough.resolve();
  };
  const all = job.headersOfEach ?? [job.headers];
  const posters = Array.from(
    { length: job.connections },
    (_, index) => new Poster(job, all[index % all.length] ?? job.headers, count),
  );
  const began = performance.now();
  await Promise.all(posters.map((poster) => poster.start()));
  const timer = setTimeout(() => enough.resolve(), job.milliseconds);
  await enough.promise;
  clearTimeout(timer);
  const seconds = (performance.now() - began) / 1000;
  const took = posters.flatMap((poster) => poster.took).sort((a, b) => a - b);
  for (const poster of posters) poster.end();
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
  const problem = posters.find((poster) => poster.problem !== null)?.problem ?? null;
  return { answers: took.length, seconds, p50Ms: at(0.5), p99Ms: at(0.99), problem };
}

answerJobs(run, (problem) => ({ answers: 0, seconds: 1, p50Ms: 0, p99Ms: 0, problem }));
