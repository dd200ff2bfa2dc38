// A few connections that carry many reads at once: each statement is sent without waiting for the answers of those
// before it (measured here: 2 to 3 times the reads of a pool). Every statement ends with its own Sync, so a failing one
// fails alone. A connection that breaks takes its unanswered reads along and is replaced; until then reads use the pool.
import { Socket } from "node:net";
import { Client, type QueryResult } from "pg";
import type { Log } from "../log.ts";
import { type ConnectionOptions, clientConfig, silenceMsMax } from "./connection.ts";
import type { Statement } from "./sql.ts";
import { wireQuery } from "./wire-query.ts";

export interface Reader {
  query(statement: Statement): Promise<QueryResult>;
}

export interface PipelinedReaders {
  // The least busy reader, or none when no connection stands or all are full.
  take(): Reader | undefined;
  close(): Promise<void>;
}

const unansweredMax = 512;
const reconnectMsMin = 50;
const reconnectMsMax = 2_000;

interface Lane extends Reader {
  readonly unanswered: () => number;
  readonly usable: () => boolean;
  close(): Promise<void>;
}

export function pipelinedReaders(options: ConnectionOptions & { count: number; log: Log }): PipelinedReaders {
  const lanes = Array.from({ length: options.count }, () => openLane(options));
  return {
    take() {
      let best: Lane | undefined;
      for (const lane of lanes) {
        if (lane.usable() && (!best || lane.unanswered() < best.unanswered())) best = lane;
      }
      return best;
    },
    async close() {
      await Promise.all(lanes.map((lane) => lane.close()));
    },
  };
}

function openLane(options: ConnectionOptions & { log: Log }): Lane {
  let current: { client: Client; socket: Socket } | undefined;
  let unanswered = 0;
  let answeredAt = 0;
  let closed = false;
  let waitMs = reconnectMsMin;
  let timer: NodeJS.Timeout | undefined;
  const silenceMs = silenceMsMax(options);

  const endSilent = () => {
    if (unanswered > 0 && performance.now() - answeredAt > silenceMs) current?.socket.destroy();
  };
  const watchdog = silenceMs > 0 ? setInterval(endSilent, silenceMs / 4).unref() : undefined;

  function connect(): void {
    const socket = new Socket();
    const client = new Client({ ...clientConfig(options), pipeline: true, stream: () => socket });
    client.on("error", (error) => options.log.debug({ err: error }, "a reading connection broke"));
    client.once("end", () => {
      if (current?.client === client) current = undefined;
      reconnectLater();
    });
    client.connect().then(
      () => {
        if (closed) return void client.end();
        waitMs = reconnectMsMin;
        current = { client, socket };
      },
      () => {
        socket.destroy();
        reconnectLater();
      },
    );
  }

  function reconnectLater(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (!closed && !current) connect();
    }, waitMs);
    timer.unref();
    waitMs = Math.min(waitMs * 2, reconnectMsMax);
  }

  connect();
  return {
    unanswered: () => unanswered,
    usable: () => current !== undefined && unanswered < unansweredMax,
    async query(statement) {
      if (!current) throw new Error("Connection terminated");
      const query = wireQuery(statement, true);
      if (unanswered++ === 0) answeredAt = performance.now();
      try {
        return await current.client.query(query);
      } finally {
        unanswered--;
        answeredAt = performance.now();
      }
    },
    async close() {
      closed = true;
      clearInterval(watchdog);
      clearTimeout(timer);
      await current?.client.end();
    },
  };
}
