// One connection of the shared socket. It only reads: frames become events, and of fast ones (progress, previews) the
// newest wins. It reports its close once, for any reason; reconnecting is up to its opener.
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
  // Called once, after the open or instead of it.
  onClose(): void;
}

export interface ApplicationSocket {
  // False if it could not be opened.
  readonly opened: Promise<boolean>;
  close(): void;
}

const openMs = 5_000;
// A larger frame closes the connection: nothing in the protocol comes near that size.
const frameBytesMax = 64 * 1024 * 1024;
const progressEveryMs = 100;
const previewEveryMs = 250;

// The optional spaces are how the application itself writes JSON.
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

  const emit = (event: ApplicationEvent | null) => {
    if (event !== null && !isClosed) options.onEvent(event);
  };
  const states = newestWins<string>(clock, progressEveryMs, (text) => emit(readTextFrame(text)));
  const previews = newestWins<Buffer>(clock, previewEveryMs, (bytes) => emit(readBinaryFrame(bytes)));

  const closed = () => {
    if (isClosed) return;
    isClosed = true;
    cancelOpen();
    states.clear();
    previews.clear();
    opened.resolve(false);
    options.onClose();
    // A peer that never answers the close would keep the connection forever.
    line?.destroySoon();
    agent.destroy().catch(() => {});
  };
  const close = () => {
    socket.close();
    // The closing handshake with a peer that is gone would never end.
    closed();
  };
  const cancelOpen = clock.after(openMs, close);

  socket.addEventListener("open", () => {
    if (isClosed) return;
    cancelOpen();
    // Only previews with metadata say which prompt they belong to.
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
      // Pending state belongs to the prompt that is ending and is its last word, so send it first.
      if (event !== null && endings.has(event.kind)) {
        states.flush();
        previews.flush();
      }
      emit(event);
    } else if (data instanceof ArrayBuffer) {
      const bytes = Buffer.from(data);
      if (isText(bytes)) emit(readBinaryFrame(bytes));
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
