// The websocket side. A client is a name: its newest socket gets everything, an older one with the same name stays open and
// hears nothing. When that older one closes, the name is forgotten with it, the newest socket included, until a client connects
// again. The application does that, and a client that keeps its name over reconnects must survive it.
import { randomUUID } from "node:crypto";
import type { RawData, WebSocket } from "ws";
import { isMembers, readJson } from "../models/exact-json.ts";
import { writeExact } from "./exact-json.ts";
import type { ApplicationFaults } from "./faults.ts";
import { barePreview, ownedPreview, type PreviewOwner, type PreviewPicture } from "./frames.ts";

export const maxUploadBytes = 104_857_600;
export const featureFlags = { supports_preview_metadata: true, max_upload_size: maxUploadBytes } as const;
// A client that does not read must not fill our memory.
const waitingBytesMax = 256 * 1024 ** 2;

interface Client {
  readonly socket: WebSocket;
  takesOwnedPreviews: boolean;
  frames: number;
}

interface ClientsDeps {
  readonly faults: () => ApplicationFaults;
  readonly queueRemaining: () => number;
  // The node that runs for this client now.
  readonly runningNodeOf: (clientId: string) => string | null;
}

export class Clients {
  readonly #deps: ClientsDeps;
  readonly #byId = new Map<string, Client>();
  // Including the silent ones.
  readonly #sockets = new Set<WebSocket>();
  connections = 0;
  framesSent = 0;

  constructor(deps: ClientsDeps) {
    this.#deps = deps;
  }

  get openSockets(): number {
    return this.#sockets.size;
  }

  has(clientId: string | null): clientId is string {
    return clientId !== null && this.#byId.has(clientId);
  }

  enter(socket: WebSocket, given: string | null): void {
    const clientId = given || randomUUID().replaceAll("-", "");
    const client: Client = { socket, takesOwnedPreviews: false, frames: 0 };
    this.#byId.set(clientId, client);
    this.#sockets.add(socket);
    this.connections += 1;
    socket.on("error", () => {});
    socket.once("close", () => {
      this.#sockets.delete(socket);
      this.#byId.delete(clientId);
    });
    let isFirst = true;
    socket.on("message", (data, isBinary) => {
      if (isFirst && !isBinary) this.#greet(client, bytesOf(data));
      isFirst = false;
    });
    this.#deliver(client, "status", { status: this.#status(), sid: clientId });
    const node = this.#deps.runningNodeOf(clientId);
    if (node !== null) this.#deliver(client, "executing", { node });
  }

  // To the client that submitted, if it listens.
  send(clientId: string | null, type: string, data: Readonly<Record<string, unknown>>): void {
    const client = clientId === null ? undefined : this.#byId.get(clientId);
    if (client) this.#deliver(client, type, data);
  }

  broadcast(type: string, data: Readonly<Record<string, unknown>>): void {
    for (const client of [...this.#byId.values()]) this.#deliver(client, type, data);
  }

  broadcastStatus(): void {
    this.broadcast("status", { status: this.#status() });
  }

  sendPreview(clientId: string | null, owner: PreviewOwner, picture: PreviewPicture): void {
    const client = clientId === null ? undefined : this.#byId.get(clientId);
    if (!client) return;
    const isOwned = client.takesOwnedPreviews;
    const { wrongPromptIds } = this.#deps.faults();
    const named = wrongPromptIds === "instead" ? { ...owner, promptId: randomUUID() } : owner;
    this.#write(client, isOwned ? ownedPreview(named, picture) : barePreview(picture));
  }

  // Like a network failure: without a close frame.
  drop(): void {
    for (const socket of [...this.#sockets]) socket.terminate();
  }

  #greet(client: Client, frame: Uint8Array): void {
    const message = readJson(frame)?.value;
    if (!isMembers(message) || message["type"] !== "feature_flags") return;
    const { data: flags } = message;
    client.takesOwnedPreviews = isMembers(flags) && flags["supports_preview_metadata"] === true;
    this.#deliver(client, "feature_flags", featureFlags);
  }

  #status(): object {
    return { exec_info: { queue_remaining: this.#deps.queueRemaining() } };
  }

  #deliver(client: Client, type: string, data: Readonly<Record<string, unknown>>): void {
    const { garbage, wrongPromptIds } = this.#deps.faults();
    if (garbage === "frames") for (const frame of nonsense) this.#write(client, frame);
    const text = writeExact({ type, data });
    const { prompt_id: id } = data;
    if (typeof id === "string" && wrongPromptIds !== "none") {
      this.#write(client, text.replaceAll(JSON.stringify(id), `"${randomUUID()}"`));
      if (wrongPromptIds === "instead") return;
    }
    this.#write(client, text);
  }

  #write(client: Client, frame: string | Buffer): void {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > waitingBytesMax) {
      socket.terminate();
      return;
    }
    socket.send(frame);
    client.frames += 1;
    this.framesSent += 1;
    const { dropsSocketAfterFrames } = this.#deps.faults();
    if (dropsSocketAfterFrames > 0 && client.frames >= dropsSocketAfterFrames) socket.terminate();
  }
}

const nonsense: readonly (string | Buffer)[] = [
  "",
  "not json",
  "null",
  "[1,2]",
  '{"type":7}',
  '{"type":"progress_state","data":{"prompt_id":null,"nodes":"none"}}',
  '{"type":"executed","data":null}',
  '{"type":"status","data":{"status":{"exec_info":{"queue_remaining":"many"}}}}',
  Buffer.alloc(0),
  Buffer.from([0, 0, 0]),
  Buffer.from([0, 0, 0, 4, 255, 255, 255, 255, 1]),
  Buffer.from([0, 0, 0, 9, 0, 0, 0, 1]),
  // A text for node 1: valid, but rare.
  Buffer.from([0, 0, 0, 3, 0, 0, 0, 1, 49, 104, 105]),
];

function bytesOf(data: RawData): Uint8Array {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : new Uint8Array(data);
}
