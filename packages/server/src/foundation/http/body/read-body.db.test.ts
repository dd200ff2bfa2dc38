import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { PassThrough } from "node:stream";
import { describe, test } from "node:test";
import { systemClock } from "../../clock.ts";
import { asFault, Fault } from "../../fault.ts";
import { type HandClock, handClock } from "../../hand-clock.fixture.ts";
import {
  BodyBudget,
  type BodySource,
  guardRate,
  type ReadBodyOptions,
  readBody,
  requireMediaType,
} from "./read-body.ts";

// Reads the one request that `send` writes on a raw connection. Returns the body or the fault's code.
async function receive(
  options: Partial<ReadBodyOptions>,
  send: (write: (text: string) => void, end: () => void, arrived: Promise<void>) => void | Promise<void>,
): Promise<string> {
  const outcome = Promise.withResolvers<string>();
  const arrived = Promise.withResolvers<void>();
  const server: Server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    arrived.resolve();
    const text = await readBody(request, { bytesMax: 100, clock: systemClock, ...options }).then(
      (body) => body.toString("latin1"),
      (thrown: unknown) => asFault(thrown).code,
    );
    outcome.resolve(text);
    response.writeHead(200, { connection: "close" }).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = addressOf(server);
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await send(
    (text) => void socket.write(text),
    () => void socket.destroy(),
    arrived.promise,
  );
  try {
    return await outcome.promise;
  } finally {
    socket.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return address;
}

const head = (headers: string) => `POST / HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

describe("a body", () => {
  test("comes whole, by length or in chunks", async () => {
    assert.equal(await receive({}, (write) => write(`${head("Content-Length: 5\r\n")}hello`)), "hello");
    const chunked = `${head("Transfer-Encoding: chunked\r\n")}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`;
    assert.equal(await receive({}, (write) => write(chunked)), "hello");
  });

  test("that is large comes whole, piece by piece, by length or in chunks", async () => {
    const body = Array.from({ length: 40_000 }, (_, index) => `line ${index}`).join("\n");
    const send = (start: string, end: string) => async (write: (text: string) => void) => {
      write(start);
      for (let at = 0; at < body.length; at += 50_000) {
        write(body.slice(at, at + 50_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
      write(end);
    };
    const bytesMax = 1_000_000;
    assert.ok(body.length > 256 * 1024);
    assert.equal(await receive({ bytesMax }, send(head(`Content-Length: ${body.length}\r\n`), "")), body);
    const chunked = `${head("Transfer-Encoding: chunked\r\n")}${body.length.toString(16)}\r\n`;
    assert.equal(await receive({ bytesMax }, send(chunked, "\r\n0\r\n\r\n")), body);
  });

  test("may be absent", async () => {
    assert.equal(await receive({}, (write) => write("GET / HTTP/1.1\r\nHost: a\r\n\r\n")), "");
    assert.equal(await receive({}, (write) => write(head("Content-Length: 0\r\n"))), "");
  });

  test("of exactly the cap passes", async () => {
    const body = "x".repeat(100);
    assert.equal(await receive({}, (write) => write(`${head("Content-Length: 100\r\n")}${body}`)), body);
  });

  test("that is declared too large is refused before a byte of it is read", async () => {
    assert.equal(await receive({}, (write) => write(head("Content-Length: 101\r\n"))), "payload_too_large");
  });

  test("that turns out too large is refused while it comes", async () => {
    const endless = `${head("Transfer-Encoding: chunked\r\n")}${`40\r\n${"x".repeat(64)}\r\n`.repeat(3)}`;
    assert.equal(await receive({}, (write) => write(endless)), "payload_too_large");
  });

  test("with a content encoding is refused, identity excepted", async () => {
    const encoded = (encoding: string) =>
      receive({}, (write) => write(`${head(`Content-Length: 2\r\nContent-Encoding: ${encoding}\r\n`)}{}`));
    for (const encoding of ["gzip", "br", "GZIP", "identity, gzip", "x"])
      assert.equal(await encoded(encoding), "content_encoding_refused");
    for (const encoding of ["identity", "Identity"]) assert.equal(await encoded(encoding), "{}");
  });

  test("is client_disconnected if the sender leaves", async () => {
    const outcome = await receive({}, async (write, end, arrived) => {
      write(`${head("Content-Length: 50\r\n")}half`);
      // A client that leaves before it is connected has sent nothing, and nothing is read.
      await arrived;
      end();
    });
    assert.equal(outcome, "client_disconnected");
  });

  test("pauses after its share of an event-loop turn, and still arrives whole", async () => {
    const budget = new BodyBudget(100 * 1024 * 1024);
    const lease = budget.open();
    const body = "x".repeat(6 * 1024 * 1024);
    const sent = receive({ lease, bytesMax: body.length }, (write) =>
      write(`${head(`Content-Length: ${body.length}\r\n`)}${body}`),
    );
    assert.ok((await sent) === body);
    const other = budget.open();
    assert.deepEqual([other.take(1024), other.take(4 * 1024 * 1024)], ["go on", "rest"]);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(other.take(1024), "go on");
  });

  test("above the budget of all bodies is service_unavailable, and a release makes room", async () => {
    const budget = new BodyBudget(8);
    const [first, second] = [budget.open(), budget.open()];
    const send = (lease: typeof first) => receive({ lease }, (write) => write(`${head("Content-Length: 5\r\n")}hello`));
    assert.equal(await send(first), "hello");
    assert.equal(budget.heldBytes, 5);
    assert.equal(await send(second), "service_unavailable");
    first.release();
    first.release();
    assert.equal(budget.heldBytes, 0);
    assert.equal(await send(second), "hello");
  });
});

describe("a slow body", () => {
  // A request whose bytes are fed in one by one.
  function slowRequest(clock: HandClock): { stream: PassThrough; outcome: Promise<string> } {
    const stream = new PassThrough();
    const request: BodySource = Object.assign(stream, { headers: {} });
    const outcome = readBody(request, { bytesMax: 1 << 20, clock }).then(
      (body) => String(body.length),
      (thrown: unknown) => asFault(thrown).code,
    );
    return { stream, outcome };
  }

  test("below 1 KiB/s over 30 s is request_timeout", async () => {
    const clock = handClock();
    const { stream, outcome } = slowRequest(clock);
    for (let second = 0; second < 30; second++) {
      stream.write(Buffer.alloc(1000));
      await clock.advance(1000);
    }
    assert.equal(await outcome, "request_timeout");
  });

  test("at 1 KiB/s is read, however long it takes", async () => {
    const clock = handClock();
    const { stream, outcome } = slowRequest(clock);
    for (let second = 0; second < 90; second++) {
      stream.write(Buffer.alloc(1024));
      await clock.advance(1000);
    }
    stream.end();
    assert.equal(await outcome, String(90 * 1024));
  });

  test("a guard that was stopped never fires", async () => {
    const clock = handClock();
    let fired = 0;
    guardRate({ clock, windowMs: 10, windowBytesMin: 1, bytesSoFar: () => 0 }, () => fired++).stop();
    await clock.advance(100);
    assert.equal(fired, 0);
  });
});

describe("the media type", () => {
  const passes = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="utf-8"; profile="a;b\\"c"',
    " application/json ; x=y ;",
  ];
  const fails = [
    undefined,
    "",
    "text/plain",
    "application/jsonx",
    "application/json, text/plain",
    "application/json\tx",
    "application/json; charset",
    'application/json; a="b',
    "application /json",
    "application/json;a=b c",
    "application/x-www-form-urlencoded",
    `application/json;${" ".repeat(300)}`,
    `application/json${";".repeat(1 << 20)}x y`,
  ];
  for (const given of passes)
    test(`${given} passes`, () => requireMediaType({ "content-type": given }, "application/json"));
  for (const given of fails)
    test(`${String(given).slice(0, 60)} is refused`, () => {
      assert.throws(
        () => requireMediaType(given === undefined ? {} : { "content-type": given }, "application/json"),
        (thrown) => thrown instanceof Fault && thrown.code === "invalid_content_type",
      );
    });
});
