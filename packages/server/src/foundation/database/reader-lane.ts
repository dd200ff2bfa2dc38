// One pipelined connection, kept alive: it is replaced when it breaks, with growing pauses, and closed when the server has been
// silent for too long.
import { Socket } from "node:net";
import type { Client, QueryResult } from "pg";
import type { Log } from "../log.ts";
import { type ConnectionOptions, clientConfig, silenceMsMax } from "./connection.ts";
import { clientClassFor } from "./hosts.ts";
import type { Statement } from "./sql.ts";
import { wireQuery } from "./wire-query.ts";

export interface LaneOptions extends ConnectionOptions {
  readonly log: Log;
}

const unansweredMax = 512;
const reconnectMsMin = 50;
const reconnectMsMax = 2_000;

export class ReaderLane {
  readonly #options: LaneOptions;
  readonly #silenceMs: number;
  readonly #watchdog: NodeJS.Timeout | undefined;
  #current: { client: Client; socket: Socket } | undefined;
  #unanswered = 0;
  #answeredAt = 0;
  #closed = false;
  #waitMs = reconnectMsMin;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#silenceMs = silenceMsMax(options);
    if (this.#silenceMs > 0) this.#watchdog = setInterval(() => this.#endSilent(), this.#silenceMs / 4).unref();
    this.#connect();
  }

  get unanswered(): number {
    return this.#unanswered;
  }

  get usable(): boolean {
    return this.#current !== undefined && this.#unanswered < unansweredMax;
  }

  async query(statement: Statement): Promise<QueryResult> {
    if (!this.#current) throw new Error("Connection terminated");
    const query = wireQuery(statement, true);
    if (this.#unanswered++ === 0) this.#answeredAt = performance.now();
    try {
      return await this.#current.client.query(query);
    } finally {
      this.#unanswered--;
      this.#answeredAt = performance.now();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#watchdog);
    clearTimeout(this.#timer);
    await this.#current?.client.end();
  }

  #connect(): void {
    const socket = new Socket();
    const client = new (clientClassFor(this.#options.connection))({
      ...clientConfig(this.#options),
      pipeline: true,
      stream: () => socket,
    });
    client.on("error", (error) => this.#options.log.debug({ err: error }, "a reading connection broke"));
    client.once("end", () => {
      if (this.#current?.client === client) this.#current = undefined;
      this.#reconnectLater();
    });
    client.connect().then(
      () => {
        if (this.#closed) return void client.end();
        this.#waitMs = reconnectMsMin;
        this.#current = { client, socket };
      },
      () => {
        socket.destroy();
        this.#reconnectLater();
      },
    );
  }

  #reconnectLater(): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#closed && !this.#current) this.#connect();
    }, this.#waitMs);
    this.#timer.unref();
    this.#waitMs = Math.min(this.#waitMs * 2, reconnectMsMax);
  }

  #endSilent(): void {
    if (this.#unanswered > 0 && performance.now() - this.#answeredAt > this.#silenceMs) this.#current?.socket.destroy();
  }
}
