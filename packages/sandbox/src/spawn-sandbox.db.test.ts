import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { spawnSandbox } from "./spawn-sandbox.ts";

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("the child serves with its credential, draws in its own process, and is gone after close", async () => {
  const sandbox = await spawnSandbox({ credential: "a-secret" });
  try {
    const post = (authorization: string) =>
      fetch(`${sandbox.url}/v1/image-1`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization },
        body: JSON.stringify({ prompt: "x", seed: 1, width: 64, height: 64 }),
        signal: AbortSignal.timeout(60_000),
      });
    assert.equal((await post("Bearer wrong")).status, 401);
    assert.equal((await post("Bearer a-secret")).status, 200);
    assert.notEqual(sandbox.pid, process.pid);
  } finally {
    await sandbox.close();
  }
  assert.equal(isAlive(sandbox.pid), false);
});

test("the partners' keys reach the child, and without one the sandbox's own credential is the key", async () => {
  const sandbox = await spawnSandbox({ credential: "own", partners: { "partner-a": { key: "key a" } } });
  try {
    const read = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${sandbox.url}${path}`, { headers, signal: AbortSignal.timeout(60_000) })).status;
    const tool = "/partner-a/v1/ai/image-relight/none";
    assert.equal(await read(tool, { "x-partner-a-api-key": "own" }), 401);
    assert.equal(await read(tool, { "x-partner-a-api-key": "key a" }), 404);
    assert.equal(await read("/partner-b/prompts/none", {}), 401);
    assert.equal(await read("/partner-b/prompts/none", { authorization: "Bearer own" }), 404);
  } finally {
    await sandbox.close();
  }
});

test("a taken port is reported, not waited for", async () => {
  const first = await spawnSandbox();
  try {
    await assert.rejects(spawnSandbox({ port: first.port }), /did not start: .*EADDRINUSE/);
  } finally {
    await first.close();
  }
});

test("the child ends when its parent goes away", { timeout: 900_000 }, async () => {
  const parent = fork(fileURLToPath(new URL("../test/support/sandbox-parent.ts", import.meta.url)), [], {
    execArgv: ["--conditions=atelier-source"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const pid = await new Promise<number>((resolve) => parent.once("message", (message) => resolve(Number(message))));
  assert.ok(isAlive(pid));
  parent.kill("SIGKILL");
  while (isAlive(pid)) await pause(20);
});
