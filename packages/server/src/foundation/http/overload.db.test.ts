// Overload at the HTTP entrance: what waits, who is refused and how, in counts and order. Time is moved by hand.
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { request } from "undici";
import { until } from "../../../test/support/server-process.ts";
import { smallAdmission } from "../../../test/support/small-admission.ts";
import { serveAreas } from "../../../test/support/small-server.ts";
import { type HandClock, handClock } from "../hand-clock.fixture.ts";
import type { Admission } from "./admission/admission.ts";
import { type Area, area } from "./area.ts";
import { genericEnvelope } from "./generic-envelope.ts";
import { peerReader } from "./peer-address.ts";
import type { RunningServer } from "./serve.ts";

const operation = (method: "GET" | "POST", path: `/${string}`) => ({
  id: `test ${method} ${path}`,
  method,
  path,
  access: "public" as const,
  summary: path,
  tag: "test",
  answers: {},
});

// Handlers of /work wait until the test releases them.
function world() {
  const clock = handClock();
  const admission = smallAdmission(
    { activeRequestsMax: 4, queueAgeMsMax: 20, anonymousRequestsPerMinute: 3, refusalsPerSecondMax: 1_000 },
    { clock },
  );
  const blocked: (() => void)[] = [];
  const work: Area<string> = {
    name: "work",
    prefixes: ["/work"],
    cors: "listed",
    envelope: genericEnvelope,
    authenticate: ({ headers }) => String(headers["x-api-key"]),
    flowOf: (caller) => caller,
    routes: [
      {
        operation: operation("GET", "/work"),
        handle: async () => {
          await new Promise<void>((resolve) => blocked.push(resolve));
          return { status: 200, body: "done" };
        },
      },
      {
        operation: operation("GET", "/work/outside"),
        handle: async (incoming) => {
          incoming.waitsForOthers();
          await new Promise<void>((resolve) => blocked.push(resolve));
          return { status: 200, body: "done" };
        },
      },
    ],
  };
  const open: Area<undefined> = {
    name: "open",
    prefixes: ["/open"],
    cors: "open",
    envelope: genericEnvelope,
    authenticate: null,
    routes: [
      { operation: operation("GET", "/open"), handle: () => ({ status: 200, body: "hello" }) },
      { operation: operation("GET", "/health"), isAlwaysAnswered: true, handle: () => ({ status: 200, body: "ok" }) },
    ],
  };
  return { clock, admission, blocked, areas: [area(work), area(open)] };
}

describe("more than can be done at once", () => {
  const { clock, admission, blocked, areas } = world();
  let server: RunningServer;
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await request(`http://127.0.0.1:${server.port}${path}`, { headers });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  };
  before(async () => {
    server = await serveAreas(areas, { clock, admission, readPeer: peerReader(["127.0.0.0/8"]) });
  });
  after(() => server.stop(0));

  test("the noisy workspace is refused with 503 and Retry-After, the quiet one is served, and health is always answered", async () => {
    const noisy = Array.from({ length: 40 }, () => get("/work", { "x-api-key": "noisy" }));
    await until("the noisy ones wait", () => admission.turns.waiting === 38);
    const quiet = get("/work", { "x-api-key": "quiet" });
    await until("the quiet one is worked on", () => blocked.length === 3);
    assert.equal((await get("/health")).status, 200);
    // A pause refuses nothing yet; queues that persist do.
    await clock.advance(150);
    assert.equal(admission.turns.waiting, 38);
    await clock.advance(150);
    for (const go of blocked.splice(0)) go();
    assert.equal((await quiet).status, 200);
    const answers = await Promise.all(noisy);
    assert.deepEqual(countsOf(answers.map(({ status }) => status)), { 200: 2, 503: 38 });
    for (const answer of answers.filter(({ status }) => status === 503)) {
      assert.match(String(answer.headers["retry-after"]), /^[1-3]$/);
      assert.equal(JSON.parse(answer.text).error, "service_unavailable");
    }
    assert.equal(admission.turns.running + admission.turns.waiting, 0);
  });

  test("a request waiting for others holds no turn: twenty of them leave room for everybody", async () => {
    const waiting = Array.from({ length: 20 }, () => get("/work/outside", { "x-api-key": "noisy" }));
    await until("all of them wait outside", () => blocked.length === 20);
    assert.equal(admission.turns.running, 0);
    for (const go of blocked.splice(0)) go();
    assert.deepEqual(countsOf((await Promise.all(waiting)).map(({ status }) => status)), { 200: 20 });
  });

  test("public paths are limited by address (IPv6 by /64, behind a trusted proxy by its header); unknown paths count", async () => {
    const from = (peer: string, path = "/open") => get(path, { "x-forwarded-for": peer }).then(({ status }) => status);
    for (const last of [1, 2]) assert.equal(await from(`2001:db8::${last}`), 200);
    assert.equal(await from("2001:db8::3", "/nowhere"), 404);
    const refused = await get("/open", { "x-forwarded-for": "2001:db8::4" });
    assert.equal(refused.status, 429);
    assert.equal(refused.headers["retry-after"], "20");
    assert.equal(JSON.parse(refused.text).error, "rate_limited");
    assert.equal(await from("2001:db8:0:1::1"), 200);
    assert.equal(await from("192.0.2.7"), 200);
    for (let count = 0; count < 5; count++) assert.equal(await from("2001:db8::4", "/health"), 200);
  });
});

describe("more connections than there are places", () => {
  const clock: HandClock = handClock();
  const sockets: Socket[] = [];
  let admission: Admission;
  let server: RunningServer;
  before(async () => {
    admission = smallAdmission({ connectionsMax: 3 }, { clock });
    const { areas } = world();
    server = await serveAreas(areas, { clock, admission });
  });
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.stop(0);
  });

  const open = () => {
    const socket = connect({ host: "127.0.0.1", port: server.port });
    socket.on("error", () => undefined);
    sockets.push(socket);
    return socket;
  };
  const ask = (socket: Socket, path: string) =>
    new Promise<string>((resolve) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
        if (text.includes("\r\n\r\n")) resolve(text);
      });
      socket.on("close", () => resolve(text));
      socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nx-api-key: noisy\r\n\r\n`);
    });

  test("idle ones are closed first; then a new one gets 503 and goes, health is answered, and nothing is left over", async () => {
    const idle = open();
    assert.match(await ask(idle, "/open"), /^HTTP\/1.1 200/);
    const busy = [open(), open()];
    for (const socket of busy) void ask(socket, "/work");
    await until("two are busy", () => admission.turns.running === 2);
    const third = open();
    await until("the idle one is closed", () => idle.destroyed || idle.readableEnded);
    void ask(third, "/work/outside");
    await until("three are open", () => admission.connections.open === 3);
    const late = await ask(open(), "/open");
    assert.match(late, /^HTTP\/1.1 503 /);
    assert.match(late, /\r\nretry-after: 1\r\n/i);
    assert.match(late, /\r\nconnection: close\r\n/i);
    const health = await ask(open(), "/health");
    assert.match(health, /^HTTP\/1.1 200 /);
    assert.match(health, /\r\nconnection: close\r\n/i);
    await until("whoever was too many is gone", () => admission.connections.open === 3);
    const many = Array.from({ length: 60 }, open);
    await until(
      "the reserve is full and the rest is cut",
      () => many.filter((socket) => socket.destroyed).length === 28,
    );
    assert.equal(admission.connections.open, 35);
  });
});

function countsOf(statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
