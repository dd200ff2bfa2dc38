// Takes the connection of a long-lived answer away from node:http, which keeps a parser of nine kilobytes and a dozen closures
// for a next request that will never come. Thousands of streams need a third less memory this way. From then on, write only
// chunks to the socket; the connection ends with the answer. If the internals of this Node version are not what we expect,
// nothing is detached and the answer continues as usual. Listeners for the end of the answer are still called.
import type { ServerResponse } from "node:http";
import { Socket } from "node:net";

interface Parser {
  unconsume(): void;
  remove(): void;
  close(): void;
}

// Node's own listeners on each socket. All others stay.
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

// Call after the head was sent, with `transfer-encoding: chunked` and `connection: close` in it.
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
  callWhenClosed(socket, response.listeners("close"), response.statusCode);
  // Keep reading so that we notice when the other side closes; the data is ignored.
  return socket.on("end", endToo).on("error", end).resume();
}

// In separate functions, because a closure keeps everything that its enclosing function names.
function closeLater(parser: Parser): void {
  // The parser may be running further up the stack in this turn.
  setImmediate(() => parser.close());
}

// Does not reference the answer or its request, which take as much memory again.
function callWhenClosed(socket: Socket, listeners: readonly unknown[], statusCode: number): void {
  socket.once("close", () => {
    for (const listener of listeners)
      if (typeof listener === "function") Reflect.apply(listener, { headersSent: true, statusCode }, []);
  });
}

// Reports how an answer ended: its status, or 499 if none was sent. Does not keep the answer alive longer than its connection
// does: a stream outlives it by hours. `close` fires only once anyway; `once` would cost more than the work itself.
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

// Thousands of readers get the same bytes one after another, so we cache the last chunk.
let newest: Buffer | null = null;
let newestChunk: Buffer = Buffer.alloc(0);

export function chunkOf(bytes: Buffer): Buffer {
  if (bytes !== newest) {
    newestChunk = Buffer.concat([Buffer.from(bytes.length.toString(16) + lineEnd), bytes, Buffer.from(lineEnd)]);
    newest = bytes;
  }
  return newestChunk;
}
