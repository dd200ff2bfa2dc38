// The front of `npm run test:long -- fleet` does what the runs rely on: each request goes to the next gateway, even on a
// connection that the client keeps open, and bytes pass through unchanged.
import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import { after, before, test } from "node:test";
import { openClient } from "./support/app-client.ts";
import { sendRaw } from "./support/raw-http.ts";
import { type RoundRobinFront, roundRobinFront } from "./support/round-robin-front.ts";

let front: RoundRobinFront;
const servers: Server[] = [];
before(async () => {
  front = await roundRobinFront();
  const ports: number[] = [];
  for (const name of ["one", "two", "three"]) {
    const server = createServer((request, response) => {
      request.resume().on("end", () => response.end(`${name} ${request.headers["x-bytes"] ?? ""}`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    ports.push(typeof address === "object" && address !== null ? address.port : 0);
    servers.push(server);
  }
  front.to(ports);
});
after(async () => {
  await front.close();
  for (const server of servers) server.close();
});

test("clients that keep their connections reach every gateway in turn", async () => {
  const url = `http://127.0.0.1:${front.port}/`;
  const client = openClient(url);
  const asked: readonly (() => Promise<string>)[] = [
    async () => (await client.call({ path: "/" })).text,
    async () => (await client.call({ method: "POST", path: "/", body: { some: "body" } })).text,
    async () => (await fetch(url)).text(),
  ];
  for (const ask of asked) {
    const answers = [(await ask()).trim(), (await ask()).trim(), (await ask()).trim()];
    assert.deepEqual(answers.toSorted(), ["one", "three", "two"]);
  }
  assert.deepEqual(front.given, [3, 3, 3]);
  await client.close();
});

test("a request that no proxy would pass on reaches a gateway unchanged", async () => {
  const host = `127.0.0.1:${front.port}`;
  const raw = await sendRaw(front.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nX-Bytes:  \t twice  \r\n\r\n`);
  assert.match(raw.body, /^(one|two|three) twice/);
  assert.equal((await sendRaw(front.port, `GET / HTTP/9.9\r\nHost: ${host}\r\n\r\n`)).status, 400);
});
