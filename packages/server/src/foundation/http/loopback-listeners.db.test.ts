import assert from "node:assert/strict";
import { createServer, type Server } from "node:net";
import { test } from "node:test";
import { freePort } from "../../../test/support/free-port.ts";
import { smallAdmission } from "../../../test/support/small-admission.ts";
import { systemClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import { createMetrics } from "../metrics.ts";
import { serveOnLoopback } from "./loopback-listeners.ts";
import { peerReader } from "./peer-address.ts";

const options = (port: number) => ({
  areas: [],
  port,
  clock: systemClock,
  log: silentLog,
  metrics: createMetrics(),
  policy: () => ({ hosts: null, origins: null, openPaths: new Set<string>() }),
  corsOrigins: new Set<string>(),
  readPeer: peerReader([]),
  admission: smallAdmission(),
  bufferedBytesMax: 1024,
});

const listen = (host: string, port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(null));
    server.listen({ host, port, ipv6Only: host.includes(":") }, () => resolve(server));
  });
const close = (server: Server) => new Promise((resolve) => server.close(resolve));

test("a listener holds both addresses, so nobody else can take the second", async () => {
  const running = await serveOnLoopback(options(0));
  try {
    for (const host of ["127.0.0.1", "::1"]) assert.equal(await listen(host, running.port), null, host);
  } finally {
    await running.stop(0);
  }
});

for (const taken of ["127.0.0.1", "::1"]) {
  test(`if ${taken} is taken already, neither is used`, async () => {
    // The system assigns a port on one address: another program may hold the same port on the other.
    const other = await listen(taken, await freePort());
    assert.ok(other);
    const address = other.address();
    assert.ok(typeof address === "object" && address !== null);
    try {
      await assert.rejects(serveOnLoopback(options(address.port)), { code: "EADDRINUSE" });
      const free = await listen(taken === "::1" ? "127.0.0.1" : "::1", address.port);
      assert.ok(free, "the other address is free again");
      await close(free);
    } finally {
      await close(other);
    }
  });
}
