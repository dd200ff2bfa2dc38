// The bus for a few processes on one PostgreSQL: LISTEN and NOTIFY, with one channel per name. NOTIFY runs outside any
// transaction, because it takes a global lock at commit, and is coalesced: messages published within a few milliseconds share
// one NOTIFY. A process listens only to names it has subscribed to. A broken connection loses messages and is reopened;
// everything that waits also polls.
import type { Client } from "pg";
import type { Clock } from "../clock.ts";
import { type ConnectionOptions, clientConfig } from "../database/connection.ts";
import type { Database } from "../database/database.ts";
import { clientClassFor } from "../database/hosts.ts";
import { newId } from "../ids.ts";
import type { Log } from "../log.ts";
import { type Bus, createTopics, nameOf } from "./bus.ts";
import { notifyChannel } from "./notify-store.ts";

export interface PostgresBusOptions {
  readonly connection: ConnectionOptions["connection"];
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

const coalesceMs = 5;
// PostgreSQL refuses payloads of 8000 bytes and more.
const payloadBytesMax = 7000;

type TopicMessage = readonly [topic: string, message: unknown];

interface Envelope {
  readonly from: string;
  readonly messages: readonly TopicMessage[];
}

export function postgresBus(options: PostgresBusOptions): Bus {
  const self = newId();
  const stop = new AbortController();
  const ears = new Ears(options, (text) => {
    const envelope: Envelope = JSON.parse(text ?? "{}");
    if (envelope.from === self) return;
    for (const [topic, message] of envelope.messages) topics.deliver(topic, message);
  });
  const topics = createTopics({ begins: () => ears.hear(wanted()), ends: () => ears.hear(wanted()) });
  const wanted = () => new Set(topics.list().map((topic) => channelOf(topic)));
  let outgoing: TopicMessage[] = [];
  let isFlushing = false;

  async function flush(): Promise<void> {
    await options.clock.sleep(coalesceMs, stop.signal);
    isFlushing = false;
    for (const [channel, messages] of Map.groupBy(outgoing.splice(0), ([topic]) => channelOf(topic))) {
      for (const payload of packPayloads(self, messages))
        await notifyChannel(options.database, channel, payload).catch(() => undefined);
    }
  }

  const listening = ears.listen(stop.signal);
  return {
    publish(topic, message) {
      setImmediate(() => topics.deliver(topic, message));
      outgoing.push([topic, message]);
      if (isFlushing) return;
      isFlushing = true;
      void flush();
    },
    subscribe: topics.subscribe,
    reachesOthers: true,
    // If the database is down, that is reported elsewhere.
    problem: () => null,
    async close() {
      outgoing = [];
      stop.abort();
      await listening;
    },
  };
}

function channelOf(topic: string): string {
  return `atelier_${nameOf(topic).replaceAll(/\W/g, "_")}`;
}

// The listening connection and the channels it listens to.
class Ears {
  readonly #options: PostgresBusOptions;
  readonly #receive: (text: string | undefined) => void;
  #wanted: ReadonlySet<string> = new Set();
  #heard = new Set<string>();
  #client: Client | null = null;

  constructor(options: PostgresBusOptions, receive: (text: string | undefined) => void) {
    this.#options = options;
    this.#receive = receive;
  }

  // Takes effect on the next turn of the event loop, so a subscription that comes and goes immediately never reaches the
  // database.
  hear(channels: ReadonlySet<string>): void {
    this.#wanted = channels;
    setImmediate(() => this.#follow());
  }

  #follow(): void {
    const client = this.#client;
    if (client === null) return;
    const [wanted, heard] = [this.#wanted, this.#heard];
    const words = [
      ...[...wanted].filter((channel) => !heard.has(channel)).map((channel) => `listen ${channel}`),
      ...[...heard].filter((channel) => !wanted.has(channel)).map((channel) => `unlisten ${channel}`),
    ];
    this.#heard = new Set(wanted);
    if (words.length > 0) void client.query(words.join("; ")).catch(() => undefined);
  }

  async listen(signal: AbortSignal): Promise<void> {
    const { connection, log, clock } = this.#options;
    while (!signal.aborted) {
      const client = new (clientClassFor(connection))({
        ...clientConfig({ connection, applicationName: "atelier-bus" }),
        statement_timeout: 0,
        pipeline: true,
      });
      try {
        await new Promise<void>((resolve, reject) => {
          client.on("error", reject);
          client.on("end", resolve);
          client.on("notification", (message) => this.#receive(message.payload));
          signal.addEventListener("abort", () => resolve(), { once: true });
          client.connect().then(() => {
            this.#heard = new Set();
            this.#client = client;
            this.#follow();
          }, reject);
        });
      } catch (error) {
        log.debug({ err: error }, "the bus lost its connection; reconnecting");
      }
      this.#client = null;
      await client.end().catch(() => undefined);
      await clock.sleep(500, signal);
    }
  }
}

export function packPayloads(from: string, messages: readonly TopicMessage[]): string[] {
  const payloads: string[] = [];
  let group: TopicMessage[] = [];
  const writeGroup = () => JSON.stringify({ from, messages: group });
  for (const message of messages) {
    group.push(message);
    if (Buffer.byteLength(writeGroup()) <= payloadBytesMax) continue;
    group.pop();
    if (group.length > 0) payloads.push(writeGroup());
    // A single message that is too large is dropped: it counts as a lost hint.
    group = Buffer.byteLength(JSON.stringify({ from, messages: [message] })) <= payloadBytesMax ? [message] : [];
  }
  if (group.length > 0) payloads.push(writeGroup());
  return payloads;
}
