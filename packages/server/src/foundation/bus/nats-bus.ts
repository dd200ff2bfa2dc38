// The bus for many machines: NATS, with one subject per topic and per share, so a process is woken only by what it waits for.
// Messages published while disconnected are dropped, not queued: waiters will have polled by then, and memory must not grow
// during an outage. A lost connection is retried forever.
import type { Authenticator, ConnectionOptions, NatsConnection, Subscription } from "@nats-io/transport-node";
import type { Clock } from "../clock.ts";
import { jsonOrUndefined } from "../json/foreign-json.ts";
import type { Log } from "../log.ts";
import { type Bus, createTopics } from "./bus.ts";

export interface NatsClient {
  connect(options: ConnectionOptions): Promise<NatsConnection>;
  credsAuthenticator(creds: Uint8Array): Authenticator;
}

export interface NatsBusOptions {
  readonly servers: readonly string[];
  // Put in front of every subject, so that several installations can share one NATS.
  readonly prefix: string;
  // user:password, a token, or the text of a .creds file.
  readonly credentials: string | null;
  // The CA certificates (PEM) for the servers' certificates. Null to use those that Node trusts.
  readonly authority: string | null;
  readonly client: NatsClient;
  readonly clock: Clock;
  readonly log: Log;
}

const connectMs = 5_000;
// The pause between two attempts to connect. Doubles with each failure.
const pauseMs = 1_000;
const pauseMsMax = 15_000;
// Our messages are small; a larger one is not ours.
const messageBytesMax = 64 * 1024;

export function natsBus(options: NatsBusOptions): Bus {
  const line = new Line(options);
  const self = line.run();
  return {
    publish: (topic, message) => line.publish(topic, message),
    subscribe: line.topics.subscribe,
    reachesOthers: true,
    problem: () => line.problem,
    async close() {
      await line.close();
      await self;
    },
  };
}

class Line {
  readonly #options: NatsBusOptions;
  readonly #stop = new AbortController();
  readonly #subscriptions = new Map<string, Subscription>();
  #connection: NatsConnection | null = null;
  #isUp = false;
  problem: string | null = "The bus is not connected yet.";
  readonly topics = createTopics({
    begins: (topic) => this.#subscribe(topic),
    ends: (topic) => {
      this.#subscriptions.get(topic)?.unsubscribe();
      this.#subscriptions.delete(topic);
    },
  });

  constructor(options: NatsBusOptions) {
    this.#options = options;
  }

  publish(topic: string, message: unknown): void {
    setImmediate(() => this.topics.deliver(topic, message));
    if (this.#isUp) this.#connection?.publish(this.#subjectOf(topic), JSON.stringify(message ?? null));
  }

  // Connects, and reconnects whenever the connection has ended for good.
  async run(): Promise<void> {
    const { client, clock, log } = this.#options;
    // Why the last attempt failed. The same reason is logged only once.
    let reason: string | null = null;
    let pause = pauseMs;
    while (!this.#stop.signal.aborted) {
      try {
        const connection = await client.connect(this.#connectionOptions());
        if (reason !== null) log.info({}, "the bus is connected now");
        [reason, pause] = [null, pauseMs];
        if (this.#stop.signal.aborted) await connection.close();
        else await this.#follow(connection);
        await clock.sleep(pauseMs, this.#stop.signal);
      } catch (error) {
        const newReason = reasonOf(error);
        this.#lost(newReason);
        if (newReason !== reason)
          log.warn({ reason: newReason }, "the bus cannot be reached; retrying, and meanwhile processes poll for work");
        reason = newReason;
        await clock.sleep(pause, this.#stop.signal);
        pause = Math.min(2 * pause, pauseMsMax);
      }
    }
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#isUp = false;
    await this.#connection?.close().catch(() => undefined);
  }

  async #follow(connection: NatsConnection): Promise<void> {
    const { log } = this.#options;
    this.#connection = connection;
    this.#found();
    for (const topic of this.topics.list()) this.#subscribe(topic);
    for await (const status of connection.status()) {
      if (status.type === "disconnect") {
        this.#lost("the connection was lost");
        log.warn(
          { server: status.server },
          "the bus lost its connection; reconnecting, and meanwhile processes poll for work",
        );
      } else if (status.type === "reconnect") {
        this.#found();
        log.info({ server: status.server }, "the bus is connected again");
      } else if (status.type === "error") {
        log.warn({ reason: status.error.message }, "the bus reported an error");
      }
    }
    // The iterator ends with the connection.
    this.#connection = null;
    this.#subscriptions.clear();
    this.#lost("the connection was closed");
  }

  #found(): void {
    this.#isUp = true;
    this.problem = null;
  }

  #lost(reason: string): void {
    this.#isUp = false;
    this.problem = `The bus is not available: ${reason}.`;
  }

  #subscribe(topic: string): void {
    const connection = this.#connection;
    if (connection === null || connection.isClosed()) return;
    const subscription = connection.subscribe(this.#subjectOf(topic), {
      callback: (error, message) => {
        if (error !== null || message.data.byteLength > messageBytesMax) return;
        const { buffer, byteOffset, byteLength } = message.data;
        const read = jsonOrUndefined(Buffer.from(buffer, byteOffset, byteLength));
        // Only to the receivers of this subscription: a subscription to all shares is separate.
        if (read !== undefined) this.topics.dispatch(topic, read);
      },
    });
    this.#subscriptions.set(topic, subscription);
  }

  #subjectOf(topic: string): string {
    return `${this.#options.prefix}.${topic.replaceAll(/[^\w.*/-]/g, "_").replace("/", ".")}`;
  }

  #connectionOptions(): ConnectionOptions {
    const { servers, credentials, authority, client } = this.#options;
    const isSecure = authority !== null || servers.some((server) => server.startsWith("tls:"));
    return {
      servers: servers.map((server) => server.replace(/^tls:/, "nats:")),
      name: "atelier",
      // We already know what we published ourselves.
      noEcho: true,
      timeout: connectMs,
      maxReconnectAttempts: -1,
      reconnectTimeWait: pauseMs,
      // Credentials that are being rotated will be valid again in a moment.
      ignoreAuthErrorAbort: true,
      pingInterval: 20_000,
      ...(isSecure ? { tls: authority === null ? {} : { ca: authority } } : {}),
      ...(credentials === null ? {} : credentialOptions(credentials, client)),
    };
  }
}

function credentialOptions(text: string, client: NatsClient): ConnectionOptions {
  if (text.includes("BEGIN NATS USER JWT")) return { authenticator: client.credsAuthenticator(Buffer.from(text)) };
  const cut = text.indexOf(":");
  return cut === -1 ? { token: text } : { user: text.slice(0, cut), pass: text.slice(cut + 1) };
}

// The client's messages contain neither passwords nor tokens.
function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 300) : "unknown reason";
}
