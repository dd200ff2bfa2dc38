import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { findRunningProxy, isStillRunning, removeProxyState, writeProxyState } from "./proxy-state.ts";

let home: string;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-state-"));
});
after(() => rm(home, { recursive: true, force: true }));

const running = { url: "http://127.0.0.1:8189", startedAt: "2026-11-15T10:00:00.000Z" };

test("the process that wrote its note is found, and only it can read the note", async () => {
  assert.equal(await findRunningProxy(home), null);
  await writeProxyState(home, running);
  const found = await findRunningProxy(home);
  assert.deepEqual([found?.pid, found?.url, found?.startedAt], [process.pid, running.url, running.startedAt]);
  assert.equal((await stat(join(home, "proxy.json"))).mode & 0o777, 0o600);
  await removeProxyState(home);
  assert.equal(await findRunningProxy(home), null);
});

test("a process that reuses the number of a dead proxy is not mistaken for it", async () => {
  await writeProxyState(home, running);
  const note: unknown = JSON.parse(await readFile(join(home, "proxy.json"), "utf8"));
  await writeFile(join(home, "proxy.json"), JSON.stringify({ ...Object(note), began: "another time" }));
  assert.equal(await findRunningProxy(home), null);
});

test("a process that ended is gone", async () => {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  await writeFile(join(home, "proxy.json"), JSON.stringify({ pid: child.pid, url: running.url, began: "" }));
  assert.equal(await findRunningProxy(home), null);
});

test("a zombie process counts as gone", {
  skip: process.platform !== "linux",
}, async () => {
  // The second program knows nothing of the child that it inherited from the first.
  const parent = spawn("sh", ["-c", "cat <&3 & echo $!; exec sleep 60"], {
    stdio: ["ignore", "pipe", "ignore", "pipe"],
  });
  try {
    assert.ok(parent.stdout);
    const pid = Number(String((await once(parent.stdout, "data"))[0]));
    while ((await readFile(`/proc/${parent.pid}/comm`, "utf8")) !== "sleep\n") await setImmediate();
    const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
    const system = (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
    const state = { pid, began: `${fields[19]} ${system}`, ...running };
    assert.equal(await isStillRunning(state), true);
    process.kill(pid, "SIGKILL");
    while (await isStillRunning(state)) await setImmediate();
    assert.ok(process.kill(pid, 0), "its number is still taken");
  } finally {
    parent.kill("SIGKILL");
    await once(parent, "close");
  }
});

test("an invalid note, or another's, is left alone", async () => {
  for (const text of ["", "nothing", "[]", '{"pid":1,"url":"x","began":""}', '{"pid":"7","url":"x","began":""}']) {
    await writeFile(join(home, "proxy.json"), text);
    assert.equal(await findRunningProxy(home), null, text);
    await removeProxyState(home);
    assert.equal(await readFile(join(home, "proxy.json"), "utf8"), text);
  }
});
