// Moves bytes to or from a server as fast as it can, on bare sockets and as a child process on its own core, so that we measure
// the server. Downloads are read into one reused buffer and every length is checked; forms are sent from blocks that are made
// once.
import { randomBytes } from "node:crypto";
import { connect, type Socket } from "node:net";
import { answerJobs } from "./children.ts";

export type TransferJob = { readonly port: number; readonly milliseconds: number } & (
  | { readonly kind: "download"; readonly path: string; readonly connections: number }
  | { readonly kind: "small uploads"; readonly key: string; readonly connections: number }
  | { readonly kind: "large upload"; readonly key: string; readonly path: string; readonly mebibytes: number }
);

export interface TransferTally {
  readonly answers: number;
  // Of the files' bodies.
  readonly bytes: number;
  readonly seconds: number;
  readonly problem: string | null;
}

const mebibyte = 1024 * 1024;
const silenceMsMax = 30_000;
const boundary = "atelier-bench";
const part = (name: string, value: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const formHead = (name: string) =>
  `${part("content_type", "application/octet-stream")}${part("file_path", name)}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="x"\r\nContent-Type: application/octet-stream\r\n\r\n`;
const formTail = `\r\n--${boundary}--\r\n`;

// A form with one file whose bytes were never sent before.
export function smallForm(file: Uint8Array): Buffer {
  const name = `small-${randomBytes(8).toString("hex")}.bin`;
  return Buffer.concat([Buffer.from(formHead(name)), file, Buffer.from(formTail)]);
}

export const formType = `multipart/form-data; boundary=${boundary}`;

// One connection, one request at a time.
export class Line {
  readonly #socket: Socket;
  #part: Buffer | null = null;
  #missing = -1;
  #status = 0;
  #bytes = 0;
  #hasBody = true;
  #answered: { resolve(answer: { status: number; bytes: number }): void; reject(error: Error): void } | null = null;

  private constructor(port: number, opened: (error?: Error) => void) {
    const buffer = Buffer.alloc(mebibyte / 4);
    const callback = (count: number) => {
      this.#take(buffer.subarray(0, count));
      return true;
    };
    this.#socket = connect({ host: "127.0.0.1", port, noDelay: true, onread: { buffer, callback } });
    this.#socket.once("connect", () => opened());
    this.#socket.on("error", (error) => {
      opened(error);
      this.#answered?.reject(error);
    });
    this.#socket.on("close", () => this.#answered?.reject(new Error("the server closed a connection")));
    this.#socket.setTimeout(silenceMsMax, () => {
      this.#answered?.reject(new Error(`nothing was answered in ${silenceMsMax / 1000} s`));
      this.#socket.destroy();
    });
  }

  static open(port: number): Promise<Line> {
    return new Promise((resolve, reject) => {
      const line: Line = new Line(port, (error) => (error ? reject(error) : resolve(line)));
    });
  }

  ask(...pieces: readonly (string | Uint8Array)[]): Promise<{ status: number; bytes: number }> {
    this.#missing = -1;
    const [head] = pieces;
    this.#hasBody = typeof head !== "string" || !head.startsWith("HEAD ");
    // A connection that the server closed while it was idle would never answer.
    if (this.#socket.destroyed || this.#socket.readableEnded) {
      return Promise.reject(new Error("the server closed a connection"));
    }
    const answered = new Promise<{ status: number; bytes: number }>((resolve, reject) => {
      this.#answered = { resolve, reject };
    });
    for (const piece of pieces) this.#socket.write(piece);
    return answered;
  }

  // Resolves when the kernel has it.
  send(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()));
  }

  end(): void {
    this.#answered = null;
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    if (this.#missing === -1) this.#takeHead(chunk);
    else this.#missing -= chunk.length;
    if (this.#missing === 0) this.#answered?.resolve({ status: this.#status, bytes: this.#bytes });
  }

  #takeHead(chunk: Buffer): void {
    const sofar = this.#part ? Buffer.concat([this.#part, chunk]) : chunk;
    const end = sofar.indexOf("\r\n\r\n");
    if (end === -1) {
      this.#part = Buffer.from(sofar);
      return;
    }
    const head = sofar.subarray(0, end).toString("latin1");
    this.#part = null;
    this.#status = Number(head.slice(9, 12));
    this.#bytes = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    this.#missing = this.#hasBody ? this.#bytes - (sofar.length - end - 4) : 0;
  }
}

export const headOf = (
  method: string,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): string =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n${Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;

async function onLines(
  job: TransferJob & { connections: number },
  once: (line: Line) => Promise<number>,
): Promise<TransferTally> {
  const lines = await Promise.all(Array.from({ length: job.connections }, () => Line.open(job.port)));
  const began = performance.now();
  const until = began + job.milliseconds;
  let [answers, bytes] = [0, 0];
  await Promise.all(
    lines.map(async (line) => {
      while (performance.now() < until) {
        // Await first, then add: others add meanwhile.
        const moved = await once(line);
        bytes += moved;
        answers += 1;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const line of lines) line.end();
  return { answers, bytes, seconds, problem: null };
}

function requireStatus(got: { status: number }, wanted: number): void {
  if (got.status !== wanted) throw new Error(`an answer of ${got.status} instead of ${wanted}`);
}

function run(job: TransferJob): Promise<TransferTally> {
  if (job.kind === "large upload") return largeUpload(job);
  if (job.kind === "download") {
    const request = headOf("GET", job.port, job.path);
    return onLines(job, async (line) => {
      const got = await line.ask(request);
      requireStatus(got, 200);
      return got.bytes;
    });
  }
  const file = randomBytes(4096);
  return onLines(job, async (line) => {
    file.writeDoubleBE(Math.random(), 0);
    const form = smallForm(file);
    const length = String(form.length);
    const headers = { "x-api-key": job.key, "content-type": formType, "content-length": length };
    requireStatus(await line.ask(headOf("POST", job.port, "/api/v2/assets", headers), form), 201);
    return file.length;
  });
}

async function largeUpload(job: TransferJob & { kind: "large upload" }): Promise<TransferTally> {
  const line = await Line.open(job.port);
  const block = Buffer.alloc(mebibyte, 7);
  // One block differs from everything sent before.
  const first = Buffer.concat([randomBytes(64), block.subarray(64)]);
  const [head, tail] = [Buffer.from(formHead(`large-${Date.now()}.bin`)), Buffer.from(formTail)];
  const bytes = job.mebibytes * mebibyte;
  const length = String(head.length + bytes + tail.length);
  const headers = { "x-api-key": job.key, "content-type": formType, "content-length": length };
  const began = performance.now();
  const answered = line.ask(headOf("POST", job.port, job.path, headers), head);
  answered.catch(() => undefined);
  for (let index = 0; index < job.mebibytes; index++) await line.send(index === 0 ? first : block);
  await line.send(tail);
  requireStatus(await answered, 201);
  const seconds = (performance.now() - began) / 1000;
  line.end();
  return { answers: 1, bytes, seconds, problem: null };
}

answerJobs(run, (problem) => ({ answers: 0, bytes: 0, seconds: 1, problem }));
