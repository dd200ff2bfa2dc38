// A stream's connection without node:http, on real sockets: the bytes conform to HTTP/1.1, and nothing is kept alive.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { test } from "node:test";
import { until } from "../../../../test/support/server-process.ts";
import { systemClock } from "../../clock.ts";
import { chunkOf, detachSocket } from "./detach-socket.ts";
import { type EventStream, encodeEvent, openEventStream } from "./event-stream.ts";

interface Stage {
  readonly streams: EventStream[];
  readonly sockets: Socket[];
  // The status of each `close` event of an answer.
  readonly ends: number[];
  connect(): Reader;
}

interface Reader {
  readonly socket: Socket;
  text(): string;
}

// `/stream` is a stream; everything else is an ordinary answer.
async function onStage(run: (stage: Stage) => Promise<void>): Promise<void> {
  const [streams, sockets, ends, readers]: [EventStream[], Socket[], number[], Socket[]] = [[], [], [], []];
  const server = createServer((request, response) => {
    response.on("close", function (this: ServerResponse) {
      ends.push(this.statusCode);
    });
    if (request.url !== "/stream") return void response.end("an answer");
    // As in a route, which never answers in the turn in which the request arrived.
    setImmediate(() => {
      sockets.push(request.socket);
      streams.push(openEventStream({ response, clock: systemClock, random: () => 0.5, snapshot: () => null }));
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    await run({
      streams,
      sockets,
      ends,
      connect() {
        const socket = connect(port, "127.0.0.1").on("error", () => undefined);
        readers.push(socket);
        let text = "";
        socket.on("data", (chunk) => {
          text += chunk.toString("latin1");
        });
        return { socket, text: () => text };
      },
    });
  } finally {
    for (const socket of [...readers, ...sockets]) socket.destroy();
    server.close();
    await once(server, "close");
  }
}

const ask = (path: string, version = "1.1") => `GET ${path} HTTP/${version}\r\nHost: here\r\n\r\n`;
const frame = (data: string) => encodeEvent({ event: "progress", data });

test("writes are whole chunks, the last one empty, and then the connection ends", async () => {
  await onStage(async ({ streams, sockets, ends, connect }) => {
    const { socket, text } = connect();
    socket.write(ask("/stream"));
    await until("the stream is open", () => streams.length === 1);
    const [stream] = streams;
    assert.ok(Reflect.get(sockets[0] ?? {}, "parser") === null, "its parser is given back");
    stream?.send("progress", frame("ä".repeat(3_000)));
    stream?.finish(frame("the end"));
    await once(socket, "end");
    const [head = "", body = ""] = splitHead(text());
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    assert.match(head, /transfer-encoding: chunked/i);
    assert.match(head, /connection: close/i);
    const { pieces, rest } = unchunk(body);
    assert.equal(rest, "");
    assert.equal(pieces.at(-1), "");
    const received = Buffer.from(pieces.join(""), "latin1").toString("utf8");
    assert.match(received, /^retry: \d+\n\n/);
    assert.ok(received.includes("ä".repeat(3_000)) && received.endsWith('data: "the end"\n\n'));
    socket.end();
    await until("its end is told", () => ends.length === 1);
    assert.deepEqual(ends, [200]);
    assert.equal(stream?.isClosed, true);
  });
});

test("a connection that was used before may become a stream, and what is asked behind one is not answered", async () => {
  await onStage(async ({ streams, ends, connect }) => {
    const { socket, text } = connect();
    socket.write(ask("/"));
    await until("the first answer", () => text().includes("an answer"));
    socket.write(ask("/stream"));
    await until("the stream is open", () => streams.length === 1);
    socket.write(ask("/"));
    streams[0]?.send("progress", frame("one"));
    await until("the event", () => text().includes('data: "one"'));
    streams[0]?.finish(frame("two"));
    await once(socket, "end");
    assert.equal(text().split("HTTP/1.1 200 OK").length, 3);
    socket.end();
    await until("both ends are told", () => ends.length === 2);
  });
});

test("a reader that ends its side or is cut off ends the stream, reported once", async () => {
  await onStage(async ({ streams, ends, connect }) => {
    for (const leave of ["end", "resetAndDestroy"] as const) {
      const { socket } = connect();
      socket.write(ask("/stream"));
      const count = streams.length + 1;
      await until("the stream is open", () => streams.length === count);
      socket[leave]();
      await until("the stream is over", () => streams.at(-1)?.isClosed === true);
      await until("its end is told", () => ends.length === count);
    }
    assert.deepEqual(ends, [200, 200]);
  });
});

test("an HTTP/1.0 client gets plain bytes from node:http", async () => {
  await onStage(async ({ streams, sockets, connect }) => {
    const { socket, text } = connect();
    socket.write(ask("/stream", "1.0"));
    await until("the stream is open", () => streams.length === 1);
    assert.ok(Reflect.get(sockets[0] ?? {}, "parser") !== null);
    streams[0]?.finish(frame("the end"));
    await once(socket, "end");
    const [head = "", body = ""] = splitHead(text());
    assert.doesNotMatch(head, /transfer-encoding/i);
    assert.match(body, /^retry: \d+\n\n/);
    assert.ok(body.endsWith('data: "the end"\n\n'));
  });
});

test("a Node with different internals keeps its connection", async () => {
  await onStage(async ({ streams, sockets, connect }) => {
    const { socket, text } = connect();
    socket.write(ask("/stream"));
    await until("the stream is open", () => streams.length === 1);
    const there = sockets[0];
    assert.ok(there);
    // The response it was taken from no longer has a parser, like one that never had ours.
    const response = { socket: there, req: { httpVersion: "1.1", complete: true } } as unknown as ServerResponse;
    assert.equal(detachSocket(response), null);
    streams[0]?.finish();
    await once(socket, "end");
    assert.ok(text().endsWith("0\r\n\r\n"));
  });
});

test("a chunk is its size in hexadecimal digits, the bytes, and the end of a line", () => {
  assert.equal(chunkOf(Buffer.from("x".repeat(26))).toString(), `1a\r\n${"x".repeat(26)}\r\n`);
  const once = Buffer.from("again");
  assert.equal(chunkOf(once), chunkOf(once));
});

function splitHead(text: string): [string, string] {
  const at = text.indexOf("\r\n\r\n");
  return [text.slice(0, at + 2), text.slice(at + 4)];
}

function unchunk(body: string): { pieces: string[]; rest: string } {
  const pieces: string[] = [];
  for (let at = 0; at < body.length; ) {
    const [line = "", digits = ""] = /^([\da-f]+)\r\n/.exec(body.slice(at, at + 12)) ?? [];
    assert.notEqual(line, "", `no chunk begins at ${at}`);
    const size = Number.parseInt(digits, 16);
    const from = at + line.length;
    assert.equal(body.slice(from + size, from + size + 2), "\r\n");
    pieces.push(body.slice(from, from + size));
    at = from + size + 2;
    if (size === 0) return { pieces, rest: body.slice(at) };
  }
  return { pieces, rest: "no last chunk" };
}
