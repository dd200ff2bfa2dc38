// The websockets of this process. Each belongs to a workspace and has a name. It gets news of the queue and of the prompts
// submitted under its name, by any process. Nothing depends on it: queue and history show the same. A reader that falls behind
// or does not answer pings is cut off.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Job, JobId, Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WebSocket } from "../../foundation/http/streams/web-sockets.ts";
import type { PersonId, WorkspaceId } from "../../foundation/ids.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import type { Log } from "../../foundation/log.ts";
import { oneLoop } from "../../foundation/memory/one-loop.ts";
import { features } from "./features.ts";
import { PromptFollower } from "./prompt-follower.ts";
import { clientIdOf } from "./prompt-picture.ts";
import { isWithin, openStates, type Prompts } from "./prompts.ts";

export interface PromptSocketsDeps {
  readonly prompts: Pick<Prompts, "newest" | "outputsOf" | "pictureOf" | "isOutputNode">;
  readonly jobs: Pick<Jobs, "get" | "watch">;
  readonly poolId: PoolId;
  readonly clock: Clock;
  readonly log: Log;
}

export interface OpenedSocket {
  readonly workspaceId: WorkspaceId;
  // Null for a key.
  readonly personId: PersonId | null;
  readonly clientId: string;
  readonly socket: WebSocket;
}

const lookMs = 1_000;
const lookCostFactor = 5;
const pingEveryMs = 30_000;
const openMax = 100;
const recentMax = 20;
const followedMax = 100;
// Tabs of one person in one workspace, in this process.
const socketsOfPersonMax = 32;
const leftMax = 10_000;
// What ended this long before a socket opened may have ended unseen.
const unseenMs = 60_000;
const seenMax = 1_000;
const bufferedBytesMax = 4 * 1024 * 1024;
// Previews are skipped for a client that is this far behind.
const previewBufferMax = 512 * 1024;

class Client {
  readonly opened: OpenedSocket;
  // It hears of what ended after this.
  readonly since: number;
  readonly followers = new Map<JobId, PromptFollower>();
  readonly seen = new BoundedMap<JobId, true>(seenMax);
  hasNamedPreviews = false;
  #queue: string | null = null;
  hasAnswered = true;
  // Bytes of images being sent: they are sent one after another, and do not count as the reader's backlog.
  #delivering = 0;

  constructor(opened: OpenedSocket, since: number) {
    this.opened = opened;
    this.since = since;
  }

  emit(type: string, data: object): void {
    this.#send(JSON.stringify({ type, data }));
  }

  show(frame: Buffer): void {
    if (this.opened.socket.bufferedAmount - this.#delivering < previewBufferMax) this.#send(frame);
  }

  deliver(frame: Buffer): Promise<void> {
    const { socket } = this.opened;
    if (socket.readyState !== socket.OPEN) return Promise.resolve();
    this.#delivering += frame.byteLength;
    return new Promise((resolve) => {
      socket.send(frame, () => {
        this.#delivering -= frame.byteLength;
        resolve();
      });
    });
  }

  // Whenever a prompt comes, begins or ends, as clients then read the queue again. The first one also tells the socket its name.
  emitQueue(open: readonly Job[]): void {
    const queue = open.map(({ id, state }) => `${id} ${state}`).join();
    if (queue === this.#queue) return;
    const sid = this.#queue === null ? { sid: this.opened.clientId } : {};
    this.#queue = queue;
    this.emit("status", { status: { exec_info: { queue_remaining: open.length } }, ...sid });
  }

  #send(frame: string | Buffer): void {
    const { socket } = this.opened;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(frame);
    if (socket.bufferedAmount - this.#delivering > bufferedBytesMax) socket.terminate();
  }
}

export class PromptSockets {
  readonly #deps: PromptSocketsDeps;
  readonly #clients = new Set<Client>();
  // When a socket of this name was last closed here.
  readonly #left = new BoundedMap<string, number>(leftMax);
  readonly #closing = new AbortController();
  #pingedMs: number;

  constructor(deps: PromptSocketsDeps) {
    this.#deps = deps;
    this.#pingedMs = deps.clock.monotonicMs();
  }

  get size(): number {
    return this.#clients.size;
  }

  close(): void {
    this.#closing.abort();
    for (const { opened } of this.#clients) opened.socket.terminate();
  }

  // Throws too_many_streams.
  requireRoom({ workspaceId, personId }: Pick<OpenedSocket, "workspaceId" | "personId">): void {
    const own = personId === null ? [] : this.#of(workspaceId).filter(({ opened }) => opened.personId === personId);
    if (own.length >= socketsOfPersonMax)
      throw new Fault("too_many_streams", `You have ${own.length} websockets open here, which is the limit.`, {
        retryAfterSeconds: 5,
      });
  }

  // `closed` is called once.
  open(opened: OpenedSocket, closed: () => void): void {
    const now = this.#deps.clock.now().getTime();
    const client = new Client(opened, this.#left.get(nameOf(opened)) ?? now - unseenMs);
    const { socket } = opened;
    this.#clients.add(client);
    socket.on("error", () => socket.terminate());
    socket.on("pong", () => {
      client.hasAnswered = true;
    });
    socket.on("message", (data, isBinary) => {
      client.hasAnswered = true;
      if (!isBinary && Buffer.isBuffer(data)) this.#hear(client, data);
    });
    socket.once("close", () => {
      this.#clients.delete(client);
      this.#left.set(nameOf(opened), this.#deps.clock.now().getTime());
      for (const follower of client.followers.values()) follower.stop();
      closed();
    });
    void this.#look(opened).catch((err: unknown) => this.#note(err));
    void this.#round();
  }

  // For jobs submitted in this process; those of other processes are found within a second.
  submitted(job: Job): void {
    for (const client of this.#of(job.workspaceId)) if (isFor(client, job)) this.#follow(client, job);
    for (const scope of this.#scopes(({ opened }) => isWithin(opened, job)))
      void this.#look(scope).catch((err: unknown) => this.#note(err));
  }

  #of(workspaceId: WorkspaceId): Client[] {
    return [...this.#clients].filter(({ opened }) => opened.workspaceId === workspaceId);
  }

  // The only thing that clients send: which features they understand.
  #hear(client: Client, data: Buffer): void {
    try {
      const message: unknown = JSON.parse(data.toString("utf8"));
      if (!isRecord(message) || message["type"] !== "feature_flags" || !isRecord(message["data"])) return;
      client.hasNamedPreviews = message["data"]["supports_preview_metadata"] === true;
      client.emit("feature_flags", features);
    } catch {
      // Anything that is not a message is ignored.
    }
  }

  readonly #round = oneLoop(
    () => this.#clients.size > 0 && !this.#closing.signal.aborted,
    async () => {
      const { clock } = this.#deps;
      await clock.sleep(lookMs, this.#closing.signal);
      const startedMs = clock.monotonicMs();
      if (startedMs - this.#pingedMs >= pingEveryMs) this.#ping(startedMs);
      for (const scope of this.#scopes()) await this.#look(scope).catch((err: unknown) => this.#note(err));
      // A slow look-up is made less often.
      const restMs = lookCostFactor * (clock.monotonicMs() - startedMs) - lookMs;
      if (restMs > 0) await clock.sleep(restMs, this.#closing.signal);
    },
  );

  #ping(nowMs: number): void {
    this.#pingedMs = nowMs;
    for (const client of this.#clients) {
      const { socket } = client.opened;
      if (!client.hasAnswered) socket.terminate();
      client.hasAnswered = false;
      if (socket.readyState === socket.OPEN) socket.ping();
    }
  }

  // Whose prompts the sockets are about, each once.
  #scopes(isWanted: (client: Client) => boolean = () => true): readonly OpenedSocket[] {
    const scopes = new Map([...this.#clients].filter(isWanted).map(({ opened }) => [scopeOf(opened), opened]));
    return [...scopes.values()];
  }

  async #look(scope: OpenedSocket): Promise<void> {
    const own = () => [...this.#clients].filter(({ opened }) => scopeOf(opened) === scopeOf(scope));
    if (own().length === 0) return;
    const { prompts } = this.#deps;
    const open = await prompts.newest(scope, openStates, { offset: 0, count: openMax });
    const recent = await prompts.newest(scope, null, { offset: 0, count: recentMax });
    for (const client of own()) {
      client.emitQueue(open);
      const since = recent.filter((job) => (job.completedAt ?? job.createdAt).getTime() >= client.since);
      for (const job of [...open, ...since]) if (isFor(client, job)) this.#follow(client, job);
    }
  }

  #follow(client: Client, job: Job): void {
    if (client.seen.get(job.id) || client.followers.size >= followedMax) return;
    client.seen.set(job.id, true);
    const follower = new PromptFollower({
      ...this.#deps,
      job,
      emit: (type, data) => client.emit(type, data),
      show: (frame) => client.show(frame),
      deliver: (frame) => client.deliver(frame),
      hasNamedPreviews: () => client.hasNamedPreviews,
      over: () => {
        client.followers.delete(job.id);
        void this.#look(client.opened).catch((err: unknown) => this.#note(err));
      },
    });
    client.followers.set(job.id, follower);
    follower.start();
  }

  #note(err: unknown): void {
    this.#deps.log.debug({ err }, "the prompts of a websocket could not be checked");
  }
}

const isFor = ({ opened }: Client, job: Job): boolean => clientIdOf(job) === opened.clientId && isWithin(opened, job);
const scopeOf = ({ workspaceId, personId }: OpenedSocket): string => `${workspaceId} ${personId}`;
const nameOf = (opened: OpenedSocket): string => `${scopeOf(opened)} ${opened.clientId}`;
