// Loaded into the gateway before everything else (--import), only by the bench: how late its event loop has run and how much
// memory it holds, written to a file whenever the process gets SIGUSR2, and then reset.
import { renameSync, writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isMainThread } from "node:worker_threads";

export interface LoopReport {
  readonly stallMs: number;
  // The most CPU time the main thread took between two turns: a stall of its own making, independent of other load on the core.
  readonly turnMs: number;
  // After a full collection.
  readonly heapMegabytes: number;
}

const resolutionMs = 1;
const file = process.env["BENCH_LOOP_FILE"];

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  delay.enable();
  let [mostMicroseconds, before] = [0, mainThreadMicroseconds()];
  setInterval(() => {
    const now = mainThreadMicroseconds();
    mostMicroseconds = Math.max(mostMicroseconds, now - before);
    before = now;
  }, resolutionMs).unref();
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  process.on("SIGUSR2", () => {
    const [stallMs, turnMs] = [delay.max / 1e6 - resolutionMs, mostMicroseconds / 1000];
    collect();
    const report: LoopReport = { stallMs, turnMs, heapMegabytes: process.memoryUsage().heapUsed / 1e6 };
    writeFileSync(`${file}.new`, JSON.stringify(report));
    renameSync(`${file}.new`, file);
    setImmediate(() => {
      delay.reset();
      [mostMicroseconds, before] = [0, mainThreadMicroseconds()];
    });
  });
}

function mainThreadMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
