// Connects only to loopback: targets are development targets, or are refused before a socket exists.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { type Clock, systemClock } from "../../clock.ts";
import { handClock } from "../../hand-clock.fixture.ts";
import { createGuardedClient, type GuardedOutcome, type GuardedRequest, type Resolve } from "./guarded-client.ts";

interface Receiver {
  readonly port: number;
  // One entry per request, in order.
  readonly seen: IncomingMessage[];
  connections(): number;
}

// The same port on every given address, so that only the address decides who is reached.
async function withReceivers(
  addresses: readonly string[],
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  run: (receivers: readonly Receiver[], port: number) => Promise<void>,
): Promise<void> {
  const servers = addresses.map(() => createServer());
  const receivers: Receiver[] = [];
  let port = 0;
  try {
    for (const [index, server] of servers.entries()) {
      const seen: IncomingMessage[] = [];
      let connections = 0;
      server.on("connection", () => connections++);
      server.on("request", (request, response) => {
        seen.push(request);
        answer(request, response);
      });
      server.listen(port, addresses[index]);
      await once(server, "listening");
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      port = address.port;
      receivers.push({ port, seen, connections: () => connections });
    }
    await run(receivers, port);
  } finally {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

const never: Resolve = () => assert.fail("no name may be resolved");
const ok = (_request: IncomingMessage, response: ServerResponse) => void response.end("thanks");

function client(targets: readonly string[], resolve: Resolve = never, clock: Clock = systemClock) {
  const guarded = createGuardedClient({
    policy: { allowHttp: true, developmentTargets: targets, ownPorts: [] },
    resolve,
    clock,
  });
  return (url: string, changes: Partial<GuardedRequest> = {}) =>
    guarded.request({ url, method: "POST", body: Buffer.from("{}"), ...changes });
}

function inWords(outcome: GuardedOutcome): string {
  if (outcome.kind === "answered") return `answered ${outcome.status} ${outcome.body.toString("latin1")}`;
  return `${outcome.kind} ${outcome.reason}`;
}

describe("a receiver that may be called", () => {
  test("gets the name as Host, our bytes, no keep-alive and no compression", () =>
    withReceivers(["127.0.0.1"], ok, async ([receiver], port) => {
      const outcome = await client([`localhost:${port}`], async () => ["127.0.0.1"])(
        `http://localhost:${port}/hook?a=1`,
        {
          headers: { "webhook-id": "m1", "accept-encoding": "gzip", host: "elsewhere" },
        },
      );
      assert.equal(inWords(outcome), "answered 200 thanks");
      const [request] = receiver?.seen ?? [];
      assert.equal(request?.url, "/hook?a=1");
      assert.deepEqual(
        [
          request?.headers.host,
          request?.headers.connection,
          request?.headers["accept-encoding"],
          request?.headers["webhook-id"],
        ],
        [`localhost:${port}`, "close", "identity", "m1"],
      );
    }));

  test("is not followed to where it redirects", () =>
    withReceivers(
      ["127.0.0.1"],
      (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
      async ([receiver], port) => {
        assert.equal(inWords(await client([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`)), "answered 302 ");
        assert.equal(receiver?.seen.length, 1);
      },
    ));

  test("is read up to the cap and then cut off, compressed or not", () =>
    withReceivers(
      ["127.0.0.1"],
      (_request, response) => {
        const bomb = gzipSync(Buffer.alloc(1 << 20));
        response.writeHead(200, { "content-encoding": "gzip" });
        const pour = () => {
          while (!response.destroyed && response.write(bomb));
          if (!response.destroyed) response.once("drain", pour);
        };
        pour();
      },
      async (_receivers, port) => {
        const outcome = await client([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`, { answerBytesMax: 1000 });
        assert.ok(outcome.kind === "answered" && outcome.truncated);
        assert.equal(outcome.body.length, 1000);
        assert.deepEqual([...outcome.body.subarray(0, 2)], [0x1f, 0x8b]);
      },
    ));

  test("of exactly the cap is whole", () =>
    withReceivers(["127.0.0.1"], ok, async (_receivers, port) => {
      const outcome = await client([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`, { answerBytesMax: 6 });
      assert.ok(outcome.kind === "answered" && !outcome.truncated);
    }));

  test("that hangs is timed_out by the total limit", async () => {
    const clock = handClock();
    await withReceivers(
      ["127.0.0.1"],
      () => {},
      async ([receiver], port) => {
        const outcome = client([`127.0.0.1:${port}`], never, clock)(`http://127.0.0.1:${port}/`);
        while (receiver?.seen.length === 0) await pause(5);
        await clock.advance(30_000);
        assert.equal(inWords(await outcome), "failed timed_out");
      },
    );
  });

  test("that is given up by the caller is aborted", () =>
    withReceivers(
      ["127.0.0.1"],
      () => {},
      async ([receiver], port) => {
        const stop = new AbortController();
        const outcome = client([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`, { signal: stop.signal });
        while (receiver?.seen.length === 0) await pause(5);
        stop.abort();
        assert.equal(inWords(await outcome), "failed aborted");
      },
    ));

  test("that breaks off, is closed or speaks no TLS is failed", () =>
    withReceivers(
      ["127.0.0.1"],
      (request) => void request.socket.destroy(),
      async (_receivers, port) => {
        assert.equal(inWords(await client([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`)), "failed broken");
        assert.equal(
          inWords(await client([`127.0.0.1:${port}`])(`https://127.0.0.1:${port}/`)).split(" ")[0],
          "failed",
        );
        assert.equal(inWords(await client(["127.0.0.1:9"])("http://127.0.0.1:9/")), "failed connect");
      },
    ));
});

describe("names", () => {
  test("a resolver that changes its answer is asked once, and only the pinned address is reached", () =>
    withReceivers(["127.0.0.1", "127.0.0.2"], ok, async ([first, second], port) => {
      let asked = 0;
      const flipping: Resolve = async () => [asked++ % 2 === 0 ? "127.0.0.1" : "127.0.0.2"];
      const call = client([`localhost:${port}`], flipping);
      for (let times = 0; times < 100; times++)
        assert.equal(inWords(await call(`http://localhost:${port}/`)), "answered 200 thanks");
      assert.deepEqual([asked, first?.connections(), second?.connections()], [100, 50, 50]);
    }));

  test("a public name that resolves to loopback is refused without a connection, 500 flips long", () =>
    withReceivers(["127.0.0.1"], ok, async ([receiver], port) => {
      const inside = [["127.0.0.1"], ["::1"], ["127.0.0.1", "::1"], ["::ffff:127.0.0.1"], ["127.0.0.2", "127.0.0.1"]];
      let asked = 0;
      const guarded = createGuardedClient({
        policy: { allowHttp: true, ports: [port], developmentTargets: [`127.0.0.1:${port}`] },
        clock: systemClock,
        resolve: async () => inside[asked++ % inside.length] ?? [],
      });
      const url = `http://rebind.example.com:${port}/`;
      for (let times = 0; times < 500; times++)
        assert.equal(inWords(await guarded.request({ url, method: "GET" })), "refused address");
      assert.deepEqual([asked, receiver?.connections()], [500, 0]);
    }));

  test("TLS asks for the name, although the connection goes to the pinned address", async () => {
    const hello = Promise.withResolvers<Buffer>();
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", (bytes) => {
        hello.resolve(Buffer.from(bytes));
        socket.destroy();
      });
    }).listen(0, "127.0.0.3");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const url = `https://localhost:${address.port}/`;
    const outcome = await client([`localhost:${address.port}`], async () => ["127.0.0.3"])(url);
    assert.equal(outcome.kind, "failed");
    const bytes = await hello.promise;
    assert.equal(bytes[0], 0x16);
    assert.equal(bytes.includes("localhost"), true);
    server.close();
  });

  test("a name that does not resolve, or not within 3 seconds, is failed", async () => {
    assert.equal(inWords(await client(["localhost:1"], async () => [])("http://localhost:1/")), "failed resolve");
    assert.equal(
      inWords(await client(["localhost:1"], () => Promise.reject(new Error("ENOTFOUND")))("http://localhost:1/")),
      "failed resolve",
    );
    const clock = handClock();
    const outcome = client(["localhost:1"], () => new Promise(() => {}), clock)("http://localhost:1/");
    await clock.advance(3000);
    assert.equal(inWords(await outcome), "failed resolve");
  });

  test("addresses in the URL are never resolved, and forbidden ones never dialled", () =>
    withReceivers(["127.0.0.1"], ok, async ([receiver], port) => {
      const call = client(["127.0.0.1:1"]);
      for (const host of [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "127.1",
        "017700000001",
        "[::ffff:127.0.0.1]",
        "[::1]",
        "localhost",
      ])
        assert.match(inWords(await call(`http://${host}:${port}/`)), /^refused /);
      assert.equal(receiver?.connections(), 0);
    }));
});

test("a receiver gets the bytes as they arrive, without a cap, and its error becomes the cause", async () => {
  const piece = Buffer.alloc(100_000, "x");
  const answer = (_request: IncomingMessage, response: ServerResponse) => {
    for (let at = 0; at < 5; at++) response.write(piece);
    response.end();
  };
  await withReceivers(["127.0.0.1"], answer, async (_receivers, port) => {
    const call = client([`127.0.0.1:${port}`]);
    let bytes = 0;
    const taken = await call(`http://127.0.0.1:${port}/`, {
      answerBytesMax: 10,
      async receive({ status, body }) {
        assert.equal(status, 200);
        for await (const chunk of body) bytes += chunk.length;
      },
    });
    assert.deepEqual([inWords(taken), bytes], ["answered 200 ", 500_000]);
    const cause = new Error("not wanted");
    const refused = await call(`http://127.0.0.1:${port}/`, { receive: () => Promise.reject(cause) });
    assert.ok(refused.kind === "failed" && refused.cause === cause, inWords(refused));
  });
});
