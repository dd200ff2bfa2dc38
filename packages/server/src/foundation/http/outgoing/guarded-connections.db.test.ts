// What is shared, with whom and for how long. Connects only to loopback.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { Socket } from "node:net";
import { afterEach, beforeEach, test } from "node:test";
import { type HandClock, handClock } from "../../hand-clock.fixture.ts";
import { createGuardedClient, type GuardedClient, type Resolve } from "./guarded-client.ts";

let server: Server;
let port = 0;
let sockets: Socket[] = [];
let clock: HandClock;
let client: GuardedClient;
let addresses: readonly string[] = ["127.0.0.1"];
let asked = 0;
const resolve: Resolve = async () => {
  asked += 1;
  return addresses;
};

beforeEach(async () => {
  sockets = [];
  [addresses, asked] = [["127.0.0.1"], 0];
  server = createServer((request, response) => void request.resume().on("end", () => response.end("ok")));
  server.on("connection", (socket) => void sockets.push(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  port = address.port;
  clock = handClock();
  const policy = { allowHttp: true, developmentTargets: [`localhost:${port}`] };
  client = createGuardedClient({ policy, clock, resolve });
});
afterEach(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});

const post = (scope?: string) =>
  client.request({
    url: `http://localhost:${port}/hook`,
    method: "POST",
    body: Buffer.from("{}"),
    ...(scope === undefined ? {} : { scope }),
  });

test("requests of one scope share a connection, and the name is asked for once", async () => {
  for (let index = 0; index < 10; index++) assert.equal((await post("a")).kind, "answered");
  // There is a second one if a request came before the first was free again.
  assert.ok(sockets.length <= 2, `${sockets.length} connections`);
  assert.equal(asked, 1);
});

test("another scope, or none, gets its own connection", async () => {
  for (const scope of ["a", "b", undefined, undefined]) await post(scope);
  assert.deepEqual([sockets.length, asked], [4, 4]);
});

test("many at once wait for one look at the name, not for each other", async () => {
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => post("a")));
  assert.ok(outcomes.every(({ kind }) => kind === "answered"));
  assert.deepEqual([sockets.length, asked], [4, 1]);
});

test("after ten seconds the name is asked for again, and where it points now decides", async () => {
  await post("a");
  await clock.advance(9_999);
  await post("a");
  assert.equal(asked, 1);
  // As above: there is a second one if the first was not free again.
  const opened = sockets.length;
  assert.ok(opened <= 2, `${opened} connections`);
  await clock.advance(1);
  addresses = ["10.0.0.1"];
  assert.deepEqual(await post("a"), { kind: "refused", reason: "address" });
  assert.deepEqual([asked, sockets.length], [2, opened]);
  addresses = ["127.0.0.1"];
  assert.equal((await post("a")).kind, "answered");
});

test("a kept connection that the peer closes meanwhile costs no attempt", async () => {
  await post("a");
  for (const socket of sockets) socket.destroy();
  assert.equal((await post("a")).kind, "answered");
  server.removeAllListeners("request");
  // Accepts a request on the kept connection and drops it unanswered; the next connection is served.
  let dropped = 0;
  server.on("request", (request, response) => {
    if (request.socket === sockets.at(-1) && dropped++ === 0) request.socket.destroy();
    else request.resume().on("end", () => response.end("ok"));
  });
  await post("a");
  assert.equal((await post("a")).kind, "answered");
});

test("a peer that drops every request has failed, and is not asked for ever", async () => {
  server.removeAllListeners("request");
  let requests = 0;
  server.on("request", (request) => {
    requests += 1;
    request.socket.destroy();
  });
  const outcome = await post("a");
  assert.equal(outcome.kind, "failed");
  assert.ok(requests <= 2);
});

test("closing ends what is kept, and lets what runs finish", async () => {
  server.removeAllListeners("request");
  const held = Promise.withResolvers<() => void>();
  server.on("request", (_request, response) => held.resolve(() => response.end("late")));
  const outcome = post("a");
  const release = await held.promise;
  const closed = client.close();
  release();
  await closed;
  assert.equal((await outcome).kind, "answered");
});
