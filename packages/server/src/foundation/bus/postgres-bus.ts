// The bus for a few processes on one PostgreSQL: LISTEN and NOTIFY on a channel of our own, outside every transaction
// (NOTIFY takes a global lock at commit) and coalesced: what is published within a few milliseconds is one NOTIFY.
// A broken connection loses messages and is made again; all who wait also poll.
import { Client } from "pg";
import type { Clock } from "../clock.ts";
import { type ConnectionOptions, clientConfig } from "../database/connection.ts";
import type { Database } from "../database/database.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Bus, createTopics } from "./bus.ts";
import { notifyChannel } from "./notify-store.ts";

export interface PostgresBusOptions {
  readonly connection: ConnectionOptions["connection"];
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const channel = "atelier_bus";
const coalesceMs = 5;
// PostgreSQL refuses payloads of 8000 bytes and more.
const payloadBytesMax = 7000;

interface Envelope {
  readonly from: string;
  readonly messages: readonly (readonly [string, unknown])[];
}

export function postgresBus(options: PostgresBusOptions): Bus {
  const topics = createTopics();
  const self = newId();
  const stop = new AbortController();
  let outgoing: [string, unknown][] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    await options.clock.sleep(coalesceMs, stop.signal);
    isFlushing = false;
    for (const payload of payloadsOf(self, outgoing.splice(0))) {
      await notifyChannel(options.database, channel, payload).catch(() => undefined);
    }
  }

  function receive(text: string | undefined): void {
    const envelope: Envelope = JSON.parse(text ?? "{}");
    if (envelope.from === self) return;
    for (const [topic, message] of envelope.messages) topics.deliver(topic, message);
  }

  const listening = listen(options, stop.signal, receive);
  return {
    publish(topic, message) {
      setImmediate(() => topics.deliver(topic, message));
      outgoing.push([topic, message]);
      if (isFlushing) return;
      isFlushing = true;
      void flush();
    },
    subscribe: topics.subscribe,
    async close() {
      outgoing = [];
      stop.abort();
      await listening;
    },
  };
}

async function listen(
  options: PostgresBusOptions,
  signal: AbortSignal,
  receive: (text: string | undefined) => void,
): Promise<void> {
  while (!signal.aborted) {
    const client = new Client({
      ...clientConfig({ connection: options.connection, applicationName: "atelier-bus" }),
      statement_timeout: 0,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        client.on("error", reject);
        client.on("end", resolve);
        client.on("notification", (message) => receive(message.payload));
        signal.addEventListener("abort", () => resolve(), { once: true });
        client
          .connect()
          .then(() => client.query(`listen ${channel}`), reject)
          .catch(reject);
      });
    } catch (error) {
      options.log.debug({ err: error }, "the bus lost its connection and makes it again");
    }
    await client.end().catch(() => undefined);
    await options.clock.sleep(500, signal);
  }
}

export function payloadsOf(from: string, messages: readonly (readonly [string, unknown])[]): string[] {
  const payloads: string[] = [];
  let group: (readonly [string, unknown])[] = [];
  const textOf = () => JSON.stringify({ from, messages: group });
  for (const message of messages) {
    group.push(message);
    if (Buffer.byteLength(textOf()) <= payloadBytesMax) continue;
    group.pop();
    if (group.length > 0) payloads.push(textOf());
    // One message that is too large alone is dropped: a hint that cannot be sent is a hint that was lost.
    group = Buffer.byteLength(JSON.stringify({ from, messages: [message] })) <= payloadBytesMax ? [message] : [];
  }
  if (group.length > 0) payloads.push(textOf());
  return payloads;
}
