// Takes the connection of an answer that may go on for hours from node:http, which keeps a parser of nine kilobytes and a
// dozen functions for a next request that will not come: thousands of streams take a third of the memory less. What is
// written to the socket from then on must be chunks, and the connection ends with the answer. Where this Node's own parts are not as
// they are known to be, nothing is taken, and the answer goes on as any other. Listeners for the end of the answer are told.
import type { ServerResponse } from "node:http";
import { Socket } from "node:net";

interface Parser {
  unconsume(): void;
  remove(): void;
  close(): void;
}

// Its own, on each socket; all others' stay.
const ofNode = new Set([
  "bound socketOnData",
  "bound socketOnEnd",
  "bound socketOnClose",
  "bound socketOnDrain",
  "socketOnError",
  "socketOnTimeout",
  "onSocketPause",
  "onSocketResume",
]);

// After the head was sent, with `transfer-encoding: chunked` and `connection: close` in it.
export function detachSocket(response: ServerResponse): Socket | null {
  const { socket, req } = response;
  if (!(socket instanceof Socket) || socket.destroyed || req.httpVersion !== "1.1" || !req.complete) return null;
  const parser: unknown = Reflect.get(socket, "parser");
  const theirs = socket
    .eventNames()
    .flatMap((event) => socket.listeners(event).map((listener) => ({ event, listener: listener as () => void })))
    .filter(({ listener }) => ofNode.has(listener.name));
  if (!isParser(parser) || theirs.length !== ofNode.size) return null;
  response.detachSocket(socket);
  parser.unconsume();
  parser.remove();
  for (const { event, listener } of theirs) socket.removeListener(event, listener);
  for (const holder of [socket, req]) Reflect.set(holder, "parser", null);
  for (const held of ["socket", "incoming", "outgoing", "onIncoming"]) Reflect.set(parser, held, null);
  closeLater(parser);
  socket.setTimeout(0);
  tellEnd(socket, response.listeners("close"), response.statusCode);
  // Read, so that the end of the other side is heard; what comes is not looked at.
  return socket.on("end", endToo).on("error", end).resume();
}

// In functions of their own: what is made within one keeps all that it names.
function closeLater(parser: Parser): void {
  // It may be at work further up in this very turn.
  setImmediate(() => parser.close());
}

// Without the answer and its request, which hold as much again.
function tellEnd(socket: Socket, listeners: readonly unknown[], statusCode: number): void {
  socket.once("close", () => {
    for (const listener of listeners)
      if (typeof listener === "function") Reflect.apply(listener, { headersSent: true, statusCode }, []);
  });
}

// Tells how an answer ended: its status, 499 where none was sent. It holds the answer no longer than its connection does: a stream
// outlives it by hours. `close` comes once by itself; `once` would cost more than what is done then.
export function whenOver(response: ServerResponse, run: (status: number) => void): void {
  response.on("close", function (this: Pick<ServerResponse, "headersSent" | "statusCode">) {
    run(this.headersSent || this.statusCode === 101 ? this.statusCode : 499);
  });
}

const endToo = function (this: Socket): void {
  this.end();
};
const end = function (this: Socket): void {
  this.destroy();
};

function isParser(value: unknown): value is Parser {
  if (typeof value !== "object" || value === null || Reflect.get(value, "_consumed") !== true) return false;
  return ["unconsume", "remove", "close"].every((name) => typeof Reflect.get(value, name) === "function");
}

const lineEnd = "\r\n";
export const lastChunk = Buffer.from(`0${lineEnd}${lineEnd}`);

// Thousands of readers are sent the same bytes one after the other.
let newest: Buffer | null = null;
let newestChunk: Buffer = Buffer.alloc(0);

export function chunkOf(bytes: Buffer): Buffer {
  if (bytes !== newest) {
    newestChunk = Buffer.concat([Buffer.from(bytes.length.toString(16) + lineEnd), bytes, Buffer.from(lineEnd)]);
    newest = bytes;
  }
  return newestChunk;
}
