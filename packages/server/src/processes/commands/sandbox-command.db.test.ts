import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { collectOutput, runAtelier, startServerProcess } from "../../../test/support/server-process.ts";

const get = (url: string) => fetch(url, { signal: AbortSignal.timeout(60_000) });

test("it prints in one line where everything is, answers there on loopback, and ends with a signal", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-sandbox-"));
  const sandbox = await startServerProcess({
    home,
    command: ["sandbox"],
    env: { ATELIER_SANDBOX_APPLICATION_PORT: "0" },
  });
  try {
    const line = await get(`${sandbox.baseUrl}/api/system_stats`);
    assert.equal(line.status, 200);
    assert.ok(sandbox.baseUrl.startsWith("http://127.0.0.1:"));
    assert.equal((await get(`${sandbox.baseUrl}/api/jobs`)).status, 200);
    const taken = await collectOutput(
      runAtelier(["sandbox", "--json"], {
        ATELIER_HOME: home,
        ATELIER_SANDBOX_APPLICATION_PORT: new URL(sandbox.baseUrl).port,
      }),
    );
    assert.equal(taken.code, 2, taken.out);
    assert.match(taken.out, /The port is already in use/);
  } finally {
    assert.equal(await sandbox.kill("SIGTERM"), 0);
    await rm(home, { recursive: true, force: true });
  }
  await assert.rejects(get(sandbox.baseUrl));
});

test("--json names every address, and --old behaves like the older version", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-sandbox-"));
  const child = runAtelier(["sandbox", "--old", "--json"], {
    ATELIER_HOME: home,
    ATELIER_SANDBOX_APPLICATION_PORT: "0",
  });
  try {
    const text = await new Promise<string>((resolve, reject) => {
      let out = "";
      child.once("exit", () => reject(new Error("It ended before it was ready.")));
      child.stdout?.on("data", (chunk: Buffer) => {
        out += chunk.toString();
        if (out.includes("\n")) resolve(out);
      });
    });
    const { data } = JSON.parse(text);
    assert.equal((await get(`${data.application_url}/api/jobs`)).status, 404);
    assert.equal((await get(`${data.models_url}/health`)).status, 200);
    assert.deepEqual(Object.keys(data.partner_urls), ["partner-a", "partner-b"]);
  } finally {
    child.kill("SIGINT");
    await collectOutput(child);
    await rm(home, { recursive: true, force: true });
  }
});
