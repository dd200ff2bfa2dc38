// This file is both sides: if a pool starts it, it serves the tasks below, otherwise it holds the tests.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { getCompileCacheDir } from "node:module";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openIsolation } from "@atelier/engine/isolation";
import { Fault } from "../fault.ts";
import { isPoolChild, serveTasks, type TaskContext } from "./child-entry.ts";
import { ChildFailure, type ChildPool, childEntry, childPool } from "./child-pool.ts";

type Task =
  | { does: "echo"; value: unknown }
  | { does: "pid" }
  | { does: "environment" }
  | { does: "arguments" }
  | { does: "loop" }
  | { does: "fill heap" }
  | { does: "fill buffers" }
  | { does: "exit" }
  | { does: "throw" }
  | { does: "emit" }
  | { does: "wait"; ms: number };

async function answer(task: Task, context: TaskContext): Promise<unknown> {
  switch (task.does) {
    case "echo":
      return task.value;
    case "pid":
      return process.pid;
    case "environment":
      return { ...process.env };
    case "arguments":
      return process.execArgv;
    case "loop":
      context.emit("looping");
      for (;;);
    case "fill heap": {
      const kept: object[] = [];
      for (;;) kept.push({ text: `${kept.length}` });
    }
    case "fill buffers": {
      const kept: Buffer[] = [];
      for (;;) {
        kept.push(Buffer.alloc(8 * 1024 * 1024, 1));
        await pause(5);
      }
    }
    case "exit":
      return process.exit(3);
    case "throw":
      throw new RangeError("the handler did not like this");
    case "emit":
      context.emit({ step: 1 });
      context.emit({ step: 2 });
      return "emitted";
    case "wait":
      await pause(task.ms);
      return "waited";
  }
}

const limits = { timeoutMs: 120_000 };
const entry = new URL(import.meta.url);

async function withPool(
  options: { size?: number; memoryMegabytesMax?: number; idleSecondsMax?: number; queueMax?: number },
  run: (pool: ChildPool<Task, unknown>) => Promise<void>,
): Promise<void> {
  const pool = childPool<Task, unknown>({ entry, size: 1, memoryMegabytesMax: 128, idleSecondsMax: 60, ...options });
  try {
    await run(pool);
  } finally {
    await pool.close();
  }
}

async function failureOf(run: Promise<unknown>): Promise<ChildFailure> {
  const thrown = await run.then(
    () => assert.fail("the task should have failed"),
    (error: unknown) => error,
  );
  assert.ok(thrown instanceof ChildFailure, String(thrown));
  return thrown;
}

function isRunning(pid: unknown): boolean {
  assert.ok(typeof pid === "number");
  try {
    process.kill(pid, 0);
    // A process that has ended but was not reaped yet still has its pid.
    return process.platform !== "linux" || !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "latin1"));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + 60_000;
  while (!condition()) {
    assert.ok(performance.now() < giveUpAt, "the condition never came true");
    await pause(20);
  }
}

if (isPoolChild()) serveTasks(answer);
else
  describe("child pool", { concurrency: false }, async () => {
    test("a task's result comes back with dates, maps, bytes and big integers intact", () =>
      withPool({}, async (pool) => {
        const value = { at: new Date(0), map: new Map([["a", 1n]]), bytes: new Uint8Array([1, 2]), nothing: undefined };
        assert.deepEqual(await pool.run({ does: "echo", value }, limits), value);
      }));

    test("a child sees nothing of our environment but where compiled code is, and only the options it needs", () =>
      withPool({ memoryMegabytesMax: 96 }, async (pool) => {
        const kept = getCompileCacheDir();
        assert.deepEqual(
          await pool.run({ does: "environment" }, limits),
          kept === undefined ? {} : { NODE_COMPILE_CACHE: dirname(kept) },
        );
        assert.deepEqual(await pool.run({ does: "arguments" }, limits), [
          "--max-old-space-size=96",
          "--conditions=atelier-source",
          "--disable-warning=ExperimentalWarning",
        ]);
      }));

    test("one child is used again for the next task, and a pool of two runs two", () =>
      withPool({ size: 2 }, async (pool) => {
        const pids = await Promise.all([1, 2, 3, 4].map(() => pool.run({ does: "pid" }, limits)));
        assert.equal(new Set(pids).size, 2);
      }));

    test("an endless loop is killed in time and the next task gets a new child", () =>
      withPool({}, async (pool) => {
        const before = await pool.run({ does: "pid" }, limits);
        assert.equal((await failureOf(pool.run({ does: "loop" }, { timeoutMs: 150 }))).kind, "timed_out");
        const after = await pool.run({ does: "pid" }, limits);
        assert.notEqual(after, before);
        await until(() => !isRunning(before));
      }));

    test("a task that fills the heap ends as out_of_memory", () =>
      withPool({ memoryMegabytesMax: 32 }, async (pool) => {
        assert.equal((await failureOf(pool.run({ does: "fill heap" }, limits))).kind, "out_of_memory");
      }));

    test("memory outside the heap counts too", { skip: process.platform === "win32" }, () =>
      withPool({ memoryMegabytesMax: 64 }, async (pool) => {
        assert.equal((await failureOf(pool.run({ does: "fill buffers" }, limits))).kind, "out_of_memory");
        assert.equal(await pool.run({ does: "echo", value: 1 }, limits), 1);
      }),
    );

    test("a crash takes only its own task", () =>
      withPool({ size: 2 }, async (pool) => {
        const other = pool.run({ does: "wait", ms: 200 }, limits);
        const failure = await failureOf(pool.run({ does: "exit" }, limits));
        assert.equal(failure.kind, "crashed");
        assert.match(failure.message, /exit code 3/);
        assert.equal(await other, "waited");
      }));

    test("a handler's error fails the task and keeps the child", () =>
      withPool({}, async (pool) => {
        const before = await pool.run({ does: "pid" }, limits);
        const failure = await failureOf(pool.run({ does: "throw" }, limits));
        assert.equal(failure.kind, "failed");
        assert.equal(failure.message, "the handler did not like this");
        assert.deepEqual(failure.cause, { name: "RangeError" });
        assert.equal(await pool.run({ does: "pid" }, limits), before);
      }));

    test("an entry that cannot start fails the task that needed it", async () => {
      const pool = childPool<Task, unknown>({
        entry: new URL("../no-such-entry.ts", import.meta.url),
        size: 1,
        memoryMegabytesMax: 64,
        idleSecondsMax: 1,
      });
      const failure = await failureOf(pool.run({ does: "pid" }, limits));
      assert.equal(failure.kind, "crashed");
      assert.match(String(failure.cause), /no-such-entry/);
      await pool.close();
    });

    test("events reach the caller in order and before the result", () =>
      withPool({}, async (pool) => {
        const seen: unknown[] = [];
        seen.push(await pool.run({ does: "emit" }, { ...limits, onEvent: (event) => seen.push(event) }));
        assert.deepEqual(seen, [{ step: 1 }, { step: 2 }, "emitted"]);
      }));

    test("waiting tasks are served in order, and one too many is refused", () =>
      withPool({ queueMax: 2 }, async (pool) => {
        const order: unknown[] = [];
        const note = (value: unknown) =>
          pool.run({ does: "echo", value }, limits).then((result) => void order.push(result));
        const first = pool.run({ does: "wait", ms: 50 }, limits).then((result) => void order.push(result));
        const rest = [note("a"), note("b")];
        const refused = await pool.run({ does: "pid" }, limits).catch((error: unknown) => error);
        assert.ok(refused instanceof Fault && refused.code === "service_unavailable");
        await Promise.all([first, ...rest]);
        assert.deepEqual(order, ["waited", "a", "b"]);
      }));

    test("aborting ends the running task and its child, or takes a waiting task out of the queue", () =>
      withPool({}, async (pool) => {
        const before = await pool.run({ does: "pid" }, limits);
        const [running, waiting] = [new AbortController(), new AbortController()];
        const looping = Promise.withResolvers<unknown>();
        const first = pool.run(
          { does: "loop" },
          { ...limits, signal: running.signal, onEvent: (event) => looping.resolve(event) },
        );
        await looping.promise;
        const second = pool.run({ does: "loop" }, { ...limits, signal: waiting.signal });
        const third = pool.run({ does: "pid" }, limits);
        waiting.abort("not wanted");
        running.abort("client gone");
        assert.equal(await first.catch((reason: unknown) => reason), "client gone");
        assert.equal(await second.catch((reason: unknown) => reason), "not wanted");
        assert.notEqual(await third, before);
      }));

    test("an idle child ends by itself", () =>
      withPool({ idleSecondsMax: 0.05 }, async (pool) => {
        const pid = await pool.run({ does: "pid" }, limits);
        await until(() => !isRunning(pid));
      }));

    test("close fails what runs and what waits, leaves no process, and refuses what comes later", async () => {
      const pool = childPool<Task, unknown>({ entry, size: 1, memoryMegabytesMax: 64, idleSecondsMax: 60 });
      const pid = await pool.run({ does: "pid" }, limits);
      const failures = [failureOf(pool.run({ does: "loop" }, limits)), failureOf(pool.run({ does: "pid" }, limits))];
      await pool.close();
      for (const failure of await Promise.all(failures)) assert.equal(failure.kind, "closed");
      assert.equal(isRunning(pid), false);
      assert.equal((await failureOf(pool.run({ does: "pid" }, limits))).kind, "closed");
    });

    test("a program that waits only for its pool to close sees it close", async () => {
      const script = `
        const { childPool } = await import(${JSON.stringify(new URL("./child-pool.ts", import.meta.url).href)});
        const pool = childPool({ entry: new URL(${JSON.stringify(entry.href)}), size: 1, memoryMegabytesMax: 64, idleSecondsMax: 60 });
        await pool.run({ does: "pid" }, { timeoutMs: 60000 });
        await pool.close();`;
      const program = spawn(process.execPath, ["--conditions=atelier-source", "--input-type=module", "-e", script], {
        env: {},
        stdio: "ignore",
      });
      const [code] = await once(program, "exit");
      assert.equal(code, 0, "13 is Node's word for a program that waited and had nothing to wait for");
    });

    // The engine's orphan test has the other levels; at this one, the watch thread runs before threads are given up.
    for (const level of ["process", "permissions"] as const) {
      const isolation = await openIsolation(level);
      const reason = "problem" in isolation ? isolation.problem : false;
      test(`when we are killed, even a child in an endless loop ends: ${level}`, { skip: reason }, async () => {
        const script = `
        const { openIsolation } = await import(${JSON.stringify(import.meta.resolve("@atelier/engine/isolation"))});
          const isolation = await openIsolation(${JSON.stringify(level)});
          const entry = new URL(${JSON.stringify(entry.href)});
        const { childPool } = await import(${JSON.stringify(new URL("./child-pool.ts", import.meta.url).href)});
        const pool = childPool({ entry, confine: () => isolation.confine("badges", { entry }), size: 2, memoryMegabytesMax: 64, idleSecondsMax: 60 });
          const limits = { timeoutMs: 60000 };
          const pids = await Promise.all([pool.run({ does: "pid" }, limits), pool.run({ does: "pid" }, limits)]);
          pool.run({ does: "loop" }, { ...limits, onEvent: () => process.stdout.write(JSON.stringify(pids)) });`;
        const parent = spawn(process.execPath, ["--conditions=atelier-source", "--input-type=module", "-e", script], {
          env: {},
          stdio: ["ignore", "pipe", "inherit"],
        });
        const [text] = await once(parent.stdout, "data");
        const pids: unknown = JSON.parse(String(text));
        assert.ok(Array.isArray(pids) && pids.length === 2 && pids.every(isRunning));
        parent.kill("SIGKILL");
        await until(() => !pids.some(isRunning));
      });
    }

    test("an entry is named in the caller's own language", () => {
      assert.equal(childEntry("file:///a/b/caller.ts", "probe.child").href, "file:///a/b/probe.child.ts");
      assert.equal(childEntry("file:///a/b/caller.js", "probe.child").href, "file:///a/b/probe.child.js");
      assert.equal(fileURLToPath(childEntry(import.meta.url, "child-entry")).endsWith("child-entry.ts"), true);
    });
  });
