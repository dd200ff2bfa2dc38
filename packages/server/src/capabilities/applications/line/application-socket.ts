// One connection of the shared socket. It only reads: frames become events, the fast ones (progress, previews) newest
// wins. Its close is told once, whatever the reason; connecting again is the business of its opener.
import type { Socket } from "node:net";
import { Agent, buildConnector, WebSocket } from "undici";
import type { Clock } from "../../../foundation/clock.ts";
import { newestWins } from "./newest-wins.ts";
import { type ApplicationEvent, readBinaryFrame, readTextFrame } from "./read-frame.ts";

export interface SocketOptions {
  readonly base: URL;
  readonly clientId: string;
  readonly clock: Clock;
  onEvent(event: ApplicationEvent): void;
  // Once, after the open or instead of it.
  onClose(): void;
}

export interface ApplicationSocket {
  // False: it could not be opened.
  readonly opened: Promise<boolean>;
  close(): void;
}

const openMs = 5_000;
// A frame beyond it closes the connection: nothing the protocol knows is near that size.
const frameBytesMax = 64 * 1024 * 1024;
const progressEveryMs = 100;
const previewEveryMs = 250;

// The spaces are the application's own writer's.
const progressState = /^\{\s?"type":\s?"progress_state"/;

export function openSocket(options: SocketOptions): ApplicationSocket {
  const { clock } = options;
  let line: Socket | null = null;
  const connect = buildConnector({ timeout: openMs });
  const agent = new Agent({
    connect: (wanted, answer) =>
      connect(wanted, (...connected) => {
        line = connected[1];
        answer(...connected);
      }),
    webSocket: { maxPayloadSize: frameBytesMax },
  });
  const socket = new WebSocket(socketUrl(options.base, options.clientId), { dispatcher: agent });
  socket.binaryType = "arraybuffer";
  const opened = Promise.withResolvers<boolean>();
  let isClosed = false;

  const tell = (event: ApplicationEvent | null) => {
    if (event !== null && !isClosed) options.onEvent(event);
  };
  const states = newestWins<string>(clock, progressEveryMs, (text) => tell(readTextFrame(text)));
  const previews = newestWins<Buffer>(clock, previewEveryMs, (bytes) => tell(readBinaryFrame(bytes)));

  const closed = () => {
    if (isClosed) return;
    isClosed = true;
    cancelOpen();
    states.clear();
    previews.clear();
    opened.resolve(false);
    options.onClose();
    // A peer that does not answer to the goodbye would keep the line for ever.
    line?.destroySoon();
    agent.destroy().catch(() => {});
  };
  const close = () => {
    socket.close();
    // The closing handshake of one who is gone would never end.
    closed();
  };
  const cancelOpen = clock.after(openMs, close);

  socket.addEventListener("open", () => {
    if (isClosed) return;
    cancelOpen();
    // Only previews with metadata say whose they are.
    socket.send(JSON.stringify({ type: "feature_flags", data: { supports_preview_metadata: true } }));
    opened.resolve(true);
  });
  socket.addEventListener("message", ({ data }: { data: unknown }) => {
    if (typeof data === "string") {
      if (progressState.test(data)) {
        states.offer(data);
        return;
      }
      const event = readTextFrame(data);
      // What waits belongs to the prompt that ends, and is its last word.
      if (event !== null && endings.has(event.kind)) {
        states.flush();
        previews.flush();
      }
      tell(event);
    } else if (data instanceof ArrayBuffer) {
      const bytes = Buffer.from(data);
      if (isText(bytes)) tell(readBinaryFrame(bytes));
      else previews.offer(bytes);
    }
  });
  socket.addEventListener("close", closed);
  socket.addEventListener("error", closed);
  return { opened: opened.promise, close };
}

const endings: ReadonlySet<ApplicationEvent["kind"]> = new Set(["succeeded", "failed", "interrupted", "left"]);

const isText = (bytes: Buffer): boolean => bytes.length >= 4 && bytes.readUInt32BE(0) === 3;

function socketUrl(base: URL, clientId: string): URL {
  const url = new URL(base);
  url.protocol = base.protocol === "https:" ? "wss:" : "ws:";
  url.pathname = `${base.pathname.replace(/\/+$/, "")}/ws`;
  url.search = `?clientId=${encodeURIComponent(clientId)}`;
  return url;
}
