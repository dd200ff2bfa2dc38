// kill -9 between an upload and its verdict: the archive is there, and another process completes the check.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type AppClient, bearer, openClient, textOf } from "../support/app-client.ts";
import { announce, createPublisher, packed, put } from "../support/publishing.ts";
import { type ServerProcess, startServerProcess, until } from "../support/server-process.ts";

const key = `service-${"k".repeat(40)}`;

test("an archive whose checker was killed is checked after the restart", { timeout: 900_000 }, async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-verdict-"));
  const servers: ServerProcess[] = [];
  const clients: AppClient[] = [];
  const start = async () => {
    const server = await startServerProcess({ home, env: { ATELIER_BOOTSTRAP_KEY: key } });
    const client = openClient(server.baseUrl);
    servers.push(server);
    clients.push(client);
    return { server, call: client.call, key };
  };
  try {
    const before = await start();
    const acme = await createPublisher(before, "acme");
    const request = { nodeId: "slow", version: "1.0.0" };
    const announced = await announce(before, acme, request);
    assert.equal(announced.status, 201, announced.text);
    // Enough to read that the check takes a while, and clean.
    const sources = Array.from({ length: 3 }, (_, index) => ({
      name: `s${index}.py`,
      bytes: `x = "a" + f(1)\n`.repeat(500_000),
    }));
    const uploading = put(textOf(announced.json(), "signedUrl"), packed("acme", request, sources)).catch(() => null);
    const version = async (at: { call: AppClient["call"] }) =>
      (await at.call({ path: "/nodes/slow/versions/1.0.0", headers: bearer(key) })).json();
    const waiting = await until("the archive is stored", async () => {
      const shown = await version(before);
      return "downloadUrl" in Object(shown) ? shown : null;
    });
    assert.equal(textOf(waiting, "status"), "NodeVersionStatusPending", "the check was faster than this test");
    await before.server.kill("SIGKILL");
    await uploading;
    const after = await start();
    assert.equal(textOf(await version(after), "status"), "NodeVersionStatusPending");
    await until("the verdict", async () => textOf(await version(after), "status") === "NodeVersionStatusActive", 240);
    const again = await announce(after, acme, request);
    assert.equal(again.status, 409, again.text);
  } finally {
    for (const client of clients) await client.close();
    for (const server of servers) await server.kill("SIGTERM");
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
