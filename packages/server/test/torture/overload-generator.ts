// Sends requests at a fixed rate regardless of the answers, on bare sockets, in a separate process: a caller that ignores
// refusals. It gets its job from the parent and returns its tally over the channel.
import { connect, type Socket } from "node:net";

export interface FloodJob {
  readonly port: number;
  // Sent in turn: a flood from several workspaces is several requests.
  readonly requests: readonly string[];
  readonly perSecond: number;
  readonly connectionsMax: number;
  readonly milliseconds: number;
}

export interface FloodTally {
  readonly sent: number;
  // Requests that were due while every connection still waited for an answer.
  readonly unsent: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly withoutRetryAfter: number;
}

class Flood {
  readonly statuses: Record<string, number> = {};
  sent = 0;
  unsent = 0;
  withoutRetryAfter = 0;
  readonly #job: FloodJob;
  readonly #idle: Socket[] = [];
  #connections = 0;

  constructor(job: FloodJob) {
    this.#job = job;
  }

  send(): void {
    const request = this.#job.requests[this.sent % this.#job.requests.length] ?? "";
    const socket = this.#idle.pop();
    if (socket) this.#write(socket, request);
    else if (this.#connections < this.#job.connectionsMax) this.#open(request);
    else this.unsent += 1;
  }

  #write(socket: Socket, request: string): void {
    this.sent += 1;
    socket.write(request);
  }

  #open(request: string): void {
    this.#connections += 1;
    this.sent += 1;
    const socket = connect({ host: "127.0.0.1", port: this.#job.port, noDelay: true });
    let received = "";
    socket.once("connect", () => socket.write(request));
    socket.on("data", (chunk: Buffer) => {
      received += chunk.toString("latin1");
      const head = received.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/^content-length: (\d+)/im.exec(received)?.[1] ?? 0);
      if (received.length < head + 4 + length) return;
      this.#count(received.slice(0, head));
      received = "";
      this.#idle.push(socket);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      this.#connections -= 1;
      this.statuses["cut"] = (this.statuses["cut"] ?? 0) + 1;
      const at = this.#idle.indexOf(socket);
      if (at !== -1) this.#idle.splice(at, 1);
    });
  }

  #count(head: string): void {
    const status = head.slice(9, 12);
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    const wantsTime = (status === "429" || status === "503") && !head.includes("concurrency_limit_exceeded");
    if (wantsTime && !/^retry-after: \d+/im.test(head)) this.withoutRetryAfter += 1;
  }
}

async function run(job: FloodJob): Promise<FloodTally> {
  const flood = new Flood(job);
  const began = performance.now();
  let due = 0;
  for (;;) {
    const elapsed = performance.now() - began;
    if (elapsed >= job.milliseconds) break;
    for (const target = (elapsed / 1000) * job.perSecond; due < target; due += 1) flood.send();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  const { sent, unsent, withoutRetryAfter } = flood;
  return { sent, unsent, withoutRetryAfter, statuses: { ...flood.statuses } };
}

if (process.send) {
  process.on("message", async (job: FloodJob) => {
    process.send?.(await run(job));
    process.exit(0);
  });
  process.on("disconnect", () => process.exit(0));
}
