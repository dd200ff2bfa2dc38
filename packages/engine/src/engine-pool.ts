// Several engine children, each with one job at a time. A job goes to the child that last worked for its scope if that one is
// free, because its results are there.
import { tmpdir } from "node:os";
import { ChildPool } from "./child-pool.ts";
import { EngineChild, failed, nowhere } from "./engine-child.ts";
import {
  defaultLimits,
  type EngineFailure,
  type EngineHost,
  type EngineJob,
  type EngineLimits,
  type EnginePool,
  type EnginePoolOptions,
  type EngineResult,
} from "./engine-host.ts";
import { ownProcesses } from "./isolation/open-isolation.ts";

const memoryMegabytesMaxDefault = 2048;
const idleSecondsMaxDefault = 300;

const closedFailure: EngineFailure = {
  ...nowhere,
  code: "engine_closed",
  message: "The engine was stopped.",
  isRetryable: true,
};

export function openEnginePool(options: EnginePoolOptions): EnginePool {
  const memoryMegabytesMax = options.memoryMegabytesMax ?? memoryMegabytesMaxDefault;
  const pool = new ChildPool<EngineChild, EngineResult>({
    size: options.size,
    memoryMegabytesMax,
    idleSecondsMax: options.idleSecondsMax ?? idleSecondsMaxDefault,
    start: () =>
      new EngineChild({
        scratchDirectory: options.scratchDirectory ?? tmpdir(),
        isolation: options.isolation ?? ownProcesses,
        memoryMegabytesMax,
        graphBytesUsual: options.limits?.memoryBytes ?? defaultLimits.memoryBytes,
        warn: (fields, message) => options.log?.warn(fields, message),
      }),
  });

  async function runOn(child: EngineChild, job: EngineJob, host: EngineHost, signal?: AbortSignal) {
    const limits: EngineLimits = { ...defaultLimits, ...options.limits, ...job.limits };
    try {
      return await child.run(job, limits, host, signal);
    } catch (thrown) {
      options.log?.warn({ reason: String(thrown) }, "an engine job could not be run");
      const message = "The engine could not run the job.";
      return failed({ ...closedFailure, code: "engine_crashed", message });
    }
  }

  return {
    size: options.size,
    get free() {
      return pool.free;
    },
    get processIds() {
      return pool.processIds;
    },
    run: (job, host, signal) =>
      pool.run({
        signal,
        suits: (child) => child.suits(job),
        choose: (idle) => chosenFor(job.cacheScope ?? null, idle),
        run: (child) => runOn(child, job, host, signal),
        notRun: (why) => (why === "closed" ? failed(closedFailure) : { status: "canceled", metrics: null }),
      }),
    warm: () => pool.warm(),
    close: () => pool.close((child) => child.kill(closedFailure)),
  };
}

// The child with the scope's results, otherwise one whose results will not be missed.
function chosenFor(scope: string | null, idle: readonly EngineChild[]): EngineChild | undefined {
  const own = idle.find((known) => scope !== null && known.lastScope === scope);
  return own ?? idle.find((known) => known.lastScope === null);
}
