import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type HandClock, handClock } from "../../hand-clock.fixture.ts";
import { Stopping } from "../incoming-request.ts";
import { type EventStream, type EventStreamOptions, encodeEvent, openEventStream } from "./event-stream.ts";

interface Stage {
  readonly clock: HandClock;
  readonly stream: EventStream;
  readonly port: number;
  // Set if the reader was opened by `get`.
  readonly text: () => string;
  readonly answer: IncomingMessage | null;
  readonly socket: Socket | null;
}

// A server with one stream and one reader: `reads` takes everything, `stalls` never reads a byte.
async function onStage(
  reader: "reads" | "stalls",
  options: Partial<EventStreamOptions>,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const clock = handClock();
  const opened = Promise.withResolvers<EventStream>();
  const server: Server = createServer((_request, response) => {
    opened.resolve(openEventStream({ response, clock, random: () => 0.5, snapshot: () => null, ...options }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  const { port } = address;
  let text = "";
  let answer: IncomingMessage | null = null;
  let socket: Socket | null = null;
  try {
    if (reader === "reads") {
      const request = get({ port, host: "127.0.0.1", agent: false });
      [answer] = await once(request, "response");
      answer
        ?.on("error", () => {})
        .on("data", (chunk) => {
          text += chunk;
        });
    } else {
      socket = connect(port, "127.0.0.1");
      socket.on("error", () => {}).pause();
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    }
    await run({ clock, stream: await opened.promise, port, text: () => text, answer, socket });
  } finally {
    answer?.destroy();
    socket?.destroy();
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  }
}

async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!condition()) {
    assert.ok(performance.now() < giveUpAt, "the condition never came true");
    await pause(5);
  }
}

// Fills the kernel's buffers and ours until the stream refuses for good.
async function fill(stream: EventStream): Promise<void> {
  const frame = encodeEvent({ event: "preview", data: "x".repeat(1_000_000) });
  for (let sent = 0; ; sent++) {
    assert.ok(sent < 2000, "the stream never pushed back");
    if (stream.send("preview", frame)) continue;
    await pause(30);
    if (!stream.send("preview", frame)) return;
  }
}

describe("a reader that keeps up", () => {
  test("gets the right headers, a retry hint and every event in order", () =>
    onStage("reads", { headers: { "x-service-request-id": "r" } }, async ({ stream, text, answer }) => {
      assert.equal(answer?.headers["content-type"], "text/event-stream; charset=utf-8");
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.headers["x-accel-buffering"], "no");
      assert.equal(answer.headers["x-service-request-id"], "r");
      for (let id = 1; id <= 3; id++)
        assert.equal(stream.send("progress", encodeEvent({ id: `${id}`, data: id })), true);
      stream.finish(encodeEvent({ event: "status", data: "succeeded" }));
      await until(() => stream.isClosed && answer.complete);
      assert.equal(
        text(),
        'retry: 2500\n\nid: 1\ndata: 1\n\nid: 2\ndata: 2\n\nid: 3\ndata: 3\n\nevent: status\ndata: "succeeded"\n\n',
      );
      assert.equal(stream.send("progress", encodeEvent({ data: 4 })), false);
    }));

  test("hears a comment every 15 seconds of silence and is never cut off for it", () =>
    onStage("reads", {}, async ({ clock, stream, text }) => {
      await until(() => text() !== "");
      for (let tick = 0; tick < 12; tick++) {
        await clock.advance(5000);
        await pause(2);
      }
      await until(() => text().split(": keep-alive\n\n").length === 5);
      assert.equal(stream.isClosed, false);
    }));

  // Timers are never early and usually a little late.
  test("hears the comments about 15 seconds apart, however late the looks at it come", async () => {
    for (const lateMs of [0, 1, 30, 200]) {
      const clock = handClock();
      const late = { ...clock, after: (ms: number, run: () => void) => clock.after(ms + lateMs, run) };
      await onStage("reads", { clock: late }, async ({ text }) => {
        await until(() => text() !== "");
        const heardAt = [0];
        for (let second = 0; second < 120; second++) {
          await clock.advance(1000);
          await pause(1);
          const heard = text().split(": keep-alive\n\n").length - 1;
          while (heardAt.length <= heard) heardAt.push(clock.monotonicMs() / 1000);
        }
        const apart = heardAt.slice(1).map((at, index) => at - (heardAt[index] ?? 0));
        assert.ok(apart.length >= 6, `${lateMs} ms late: ${apart.join(", ")}`);
        assert.ok(
          apart.every((seconds) => seconds >= 12 && seconds <= 18.5),
          `${lateMs} ms late: ${apart.join(", ")}`,
        );
      });
    }
  });

  test("is sent away at shutdown with a hint when to come back", async () => {
    const server = new Stopping();
    await onStage(
      "reads",
      { onEnd: (run) => server.onStop(() => run("stopping")) },
      async ({ stream, text, answer }) => {
        server.begin();
        await until(() => stream.isClosed && answer?.complete === true);
        assert.match(text(), /retry: 3000\n\n: the server is restarting\n\n$/);
      },
    );
  });

  test("that leaves closes the stream", () =>
    onStage("reads", {}, async ({ stream, answer }) => {
      answer?.destroy();
      await until(() => stream.isClosed);
      stream.finish(encodeEvent({ data: 1 }));
    }));
});

describe("a reader that stalls", () => {
  test("costs a bounded number of bytes, and gets one snapshot per missed kind when it reads again", async () => {
    const asked: string[] = [];
    const snapshot = (kind: string) => {
      asked.push(kind);
      return encodeEvent({ event: kind, data: "newest" });
    };
    await onStage("stalls", { snapshot }, async ({ stream, socket }) => {
      await fill(stream);
      asked.length = 0;
      for (let times = 0; times < 50; times++) {
        assert.equal(stream.send("progress", encodeEvent({ event: "progress", data: times })), false);
        assert.equal(stream.send("preview", encodeEvent({ event: "preview", data: times })), false);
      }
      assert.deepEqual(asked, []);
      let tail = "";
      socket?.on("data", (chunk) => {
        tail = (tail + chunk.toString("latin1")).slice(-400);
      });
      socket?.resume();
      await until(() => tail.includes('event: progress\ndata: "newest"'));
      assert.deepEqual(asked, ["preview", "progress"]);
      assert.equal(stream.send("progress", encodeEvent({ data: "live again" })), true);
    });
  });

  test("is cut off after 30 seconds without taking a byte, not before", () =>
    onStage("stalls", {}, async ({ clock, stream }) => {
      await fill(stream);
      await clock.advance(29_000);
      assert.equal(stream.isClosed, false);
      await clock.advance(10_000);
      await until(() => stream.isClosed);
    }));

  test("still gets 30 seconds for the last event, then is cut off", () =>
    onStage("stalls", {}, async ({ clock, stream }) => {
      await fill(stream);
      stream.finish(encodeEvent({ event: "status", data: "succeeded" }));
      await clock.advance(29_000);
      assert.equal(stream.isClosed, false);
      await clock.advance(1000);
      await until(() => stream.isClosed);
    }));

  test("receives the last event when it reads in time", () =>
    onStage("stalls", {}, async ({ stream, socket }) => {
      await fill(stream);
      stream.finish(encodeEvent({ event: "status", data: "succeeded" }));
      let tail = "";
      socket?.on("data", (chunk) => {
        tail = (tail + chunk.toString("latin1")).slice(-200);
      });
      socket?.resume();
      await until(() => tail.includes('event: status\ndata: "succeeded"'));
    }));

  test("does not hold up a shutdown for more than 5 seconds", async () => {
    const server = new Stopping();
    await onStage("stalls", { onEnd: (run) => server.onStop(() => run("stopping")) }, async ({ clock, stream }) => {
      await fill(stream);
      server.begin();
      await clock.advance(5000);
      await until(() => stream.isClosed);
    });
  });
});
