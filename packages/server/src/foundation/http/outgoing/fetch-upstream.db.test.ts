import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type LookupFunction, type Server, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type Clock, systemClock } from "../../clock.ts";
import { startDeadline } from "../../deadline.ts";
import { handClock } from "../../hand-clock.fixture.ts";
import { createUpstream } from "./fetch-upstream.ts";
import type { UpstreamOutcome, UpstreamRequest } from "./upstream-outcome.ts";

// A provider that speaks raw bytes: `script` runs once a whole request has arrived.
async function withProvider<T>(
  script: (socket: Socket, requests: number) => void | Promise<void>,
  run: (url: URL, received: () => string, connections: () => number) => Promise<T>,
): Promise<T> {
  const sockets = new Set<Socket>();
  let received = "";
  let connections = 0;
  let requests = 0;
  const server: Server = createServer((socket) => {
    connections++;
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
    socket.on("data", (chunk) => {
      received += chunk.toString("latin1");
      if (received.endsWith("\r\n\r\n") || received.endsWith("{}")) script(socket, ++requests);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    return await run(
      new URL(`http://127.0.0.1:${address.port}/run?a=b`),
      () => received,
      () => connections,
    );
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

async function call(
  url: URL,
  changes: Partial<UpstreamRequest> = {},
  clock: Clock = systemClock,
  lookup?: LookupFunction,
): Promise<UpstreamOutcome> {
  const upstream = createUpstream({ clock, ...(lookup ? { lookup } : {}) });
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(new Error("the test waited too long")), 60_000);
  try {
    return await upstream.fetch({
      url,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: Buffer.from("{}"),
      signal: giveUp.signal,
      ...changes,
    });
  } finally {
    clearTimeout(timer);
    await upstream.close();
  }
}

function inWords(outcome: UpstreamOutcome): string {
  if (outcome.kind === "answered") return `answered ${outcome.status} ${outcome.body.toString("latin1")}`;
  if (outcome.kind === "not_sent" || outcome.kind === "broken") return `${outcome.kind} ${outcome.reason}`;
  if (outcome.kind === "too_large") return `too_large ${outcome.status} ${outcome.bytesMax}`;
  return `${outcome.kind} ${outcome.sent ? "sent" : "unsent"}`;
}

const answer = (body: string, headers = "") =>
  `HTTP/1.1 200 OK\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;

describe("a provider that answers", () => {
  const scripts: readonly [name: string, script: (socket: Socket) => void | Promise<void>, expected: string][] = [
    ["by length", (socket) => void socket.write(answer("{}")), "answered 200 {}"],
    [
      "in chunks",
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"),
      "answered 200 {}",
    ],
    [
      "until it closes",
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}"),
      "answered 200 {}",
    ],
    ["with an empty 200", (socket) => void socket.write(answer("")), "answered 200 "],
    ["with 204", (socket) => void socket.write("HTTP/1.1 204 No Content\r\n\r\n"), "answered 204 "],
    [
      "with a redirect, which is not followed",
      (socket) => void socket.write("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
      "answered 302 ",
    ],
    [
      "with an HTML 502",
      (socket) =>
        void socket.write("HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<h1>"),
      "answered 502 <h1>",
    ],
    [
      "with 103 before the final answer",
      (socket) => void socket.write(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${answer("{}")}`),
      "answered 200 {}",
    ],
    [
      "with extra bytes after the end",
      (socket) => void socket.write(`${answer("{}")}HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nextra`),
      "answered 200 {}",
    ],
    [
      "byte by byte",
      async (socket) => {
        for (const byte of answer('{"a":1}')) {
          socket.write(byte);
          await pause(1);
        }
      },
      'answered 200 {"a":1}',
    ],
  ];
  for (const [name, script, expected] of scripts)
    test(`${name}: the answer is whole`, () =>
      withProvider(script, async (url) => assert.equal(inWords(await call(url)), expected)));

  test("receives exactly our headers and bytes", () =>
    withProvider(
      (socket) => void socket.write(answer("{}", "X-Run: 7\r\n")),
      async (url, received) => {
        const outcome = await call(url, { headers: { "content-type": "application/json", authorization: "Bearer x" } });
        assert.equal(outcome.kind === "answered" && outcome.headers["x-run"], "7");
        const [head = "", body] = received().split("\r\n\r\n");
        assert.equal(body, "{}");
        assert.deepEqual(
          head
            .split("\r\n")
            .map((line) => line.toLowerCase())
            .sort(),
          [
            "accept-encoding: identity",
            "authorization: bearer x",
            "connection: keep-alive",
            "content-length: 2",
            "content-type: application/json",
            `host: ${url.host}`,
            "post /run?a=b http/1.1",
          ],
        );
      },
    ));

  test("may be asked again over the same connection", () =>
    withProvider(
      (socket) => void socket.write(answer("{}")),
      async (url, _received, connections) => {
        const upstream = createUpstream({ clock: systemClock });
        const request: UpstreamRequest = { url, method: "GET", headers: {}, signal: new AbortController().signal };
        for (let times = 0; times < 3; times++) {
          assert.equal(inWords(await upstream.fetch(request)), "answered 200 {}");
          // The connection becomes free a moment after its answer.
          await pause(5);
        }
        assert.equal(connections(), 1);
        await upstream.close();
      },
    ));
});

describe("a provider that fails after it has the request", () => {
  const scripts: readonly [name: string, script: (socket: Socket) => void, expected: string][] = [
    ["resets before headers", (socket) => void socket.resetAndDestroy(), "broken reset"],
    ["closes before headers", (socket) => void socket.end(), "broken closed"],
    [
      "resets within the body",
      (socket) =>
        void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", () =>
          setTimeout(() => socket.resetAndDestroy(), 20),
        ),
      "broken reset",
    ],
    [
      "closes within the body",
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"),
      "broken closed",
    ],
    [
      "never ends its chunks",
      (socket) => void socket.end("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n"),
      "broken closed",
    ],
    [
      "sends a broken chunk",
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
      "broken malformed",
    ],
    ["sends a malformed status line", (socket) => void socket.write("HTTP/1.1 OK\r\n\r\n"), "broken malformed"],
    ["sends no HTTP at all", (socket) => void socket.write("hello there\r\n\r\n"), "broken malformed"],
    [
      "sends endless headers",
      (socket) => void socket.write(`HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(20_000)}`),
      "broken malformed",
    ],
  ];
  for (const [name, script, expected] of scripts)
    test(`${name}: ${expected}`, () =>
      withProvider(script, async (url) => assert.equal(inWords(await call(url)), expected)));

  test("sends more than the cap: reported with its status, and the connection ends", () =>
    withProvider(
      (socket) => void socket.write(answer("x".repeat(2000))),
      async (url) => assert.equal(inWords(await call(url, { answerBytesMax: 1999 })), "too_large 200 1999"),
    ));

  test("sends more than the cap without a length: reported in the same way", () =>
    withProvider(
      (socket) =>
        void socket.write(`HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n${"x".repeat(2000)}`),
      async (url) => assert.equal(inWords(await call(url, { answerBytesMax: 1999 })), "too_large 503 1999"),
    ));

  test("an answer of exactly the cap passes", () =>
    withProvider(
      (socket) => void socket.write(answer("x".repeat(2000))),
      async (url) => assert.match(inWords(await call(url, { answerBytesMax: 2000 })), /^answered 200 x{2000}$/),
    ));

  test("drips: broken after a window of 30 s with less than 1 KiB/s, not before", async () => {
    const clock = handClock();
    await withProvider(
      (socket) => void socket.write("HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\nx"),
      async (url, received) => {
        const outcome = call(url, {}, clock);
        while (!received().endsWith("{}")) await pause(5);
        await pause(50);
        await clock.advance(29_999);
        assert.equal(await Promise.race([outcome.then(inWords), pause(20, "still waiting")]), "still waiting");
        await clock.advance(1);
        assert.equal(inWords(await outcome), "broken drip");
      },
    );
  });
});

describe("the deadline", () => {
  test("an announcement is not the beginning of the answer: only the deadline ends the silence after it", async () => {
    const clock = handClock();
    const deadline = startDeadline({ clock, afterMs: 600_000 });
    await withProvider(
      (socket) => void socket.write("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"),
      async (url, received) => {
        const outcome = call(url, { signal: deadline.signal }, clock);
        while (!received().endsWith("{}")) await pause(5);
        await pause(50);
        await clock.advance(599_000);
        assert.equal(await Promise.race([outcome.then(inWords), pause(20, "still waiting")]), "still waiting");
        await clock.advance(1000);
        assert.equal(inWords(await outcome), "timed_out sent");
      },
    );
  });

  for (const [name, text] of [
    ["before headers", ""],
    ["after headers", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"],
  ] as const)
    test(`a provider that hangs ${name} is timed_out, and we say the request was sent`, async () => {
      const clock = handClock();
      const deadline = startDeadline({ clock, afterMs: 25_000 });
      await withProvider(
        (socket) => void socket.write(text),
        async (url, received) => {
          const outcome = call(url, { signal: deadline.signal }, clock);
          while (!received().endsWith("{}")) await pause(5);
          await pause(20);
          await clock.advance(25_000);
          assert.equal(inWords(await outcome), "timed_out sent");
        },
      );
    });

  test("an abort for another reason is aborted", () =>
    withProvider(
      () => {},
      async (url, received) => {
        const stop = new AbortController();
        const outcome = call(url, { signal: stop.signal });
        while (!received().endsWith("{}")) await pause(5);
        stop.abort();
        assert.equal(inWords(await outcome), "aborted sent");
      },
    ));

  test("a signal that fired before the connection was there proves that nothing was sent", () =>
    withProvider(
      (socket) => void socket.write(answer("{}")),
      async (url, received) => {
        assert.equal(inWords(await call(url, { signal: AbortSignal.abort() })), "aborted unsent");
        const stop = new AbortController();
        const outcome = call(url, { signal: stop.signal });
        stop.abort();
        assert.equal(inWords(await outcome), "aborted unsent");
        await pause(50);
        assert.equal(received(), "");
      },
    ));
});

describe("a provider that cannot be reached", () => {
  test("a refused connection is not_sent", async () => {
    const closed = await withProvider(
      () => {},
      async (url) => url,
    );
    assert.equal(inWords(await call(closed)), "not_sent refused");
  });

  test("a name that does not exist is not_sent", async () => {
    const lookup: LookupFunction = (_name, _options, done) =>
      done(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
    assert.equal(inWords(await call(new URL("http://provider.invalid/"), {}, systemClock, lookup)), "not_sent dns");
  });

  test("a failed TLS handshake is not_sent", () =>
    withProvider(
      () => {},
      async (url) => {
        const server = createServer((socket) => socket.on("error", () => {}).end("not TLS")).listen(0, "127.0.0.1");
        await once(server, "listening");
        const address = server.address();
        assert.ok(address !== null && typeof address === "object");
        const outcome = await call(new URL(`https://127.0.0.1:${address.port}${url.pathname}`));
        assert.equal(inWords(outcome), "not_sent tls");
        server.close();
      },
    ));

  test("a request the client cannot write is not_sent", async () => {
    const outcome = await call(new URL("http://127.0.0.1:9/"), { headers: { "x-bad": "a\r\nb" } });
    assert.equal(inWords(outcome), "not_sent invalid");
  });
});
