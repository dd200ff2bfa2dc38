// Kills the proxy and the application with kill -9 in the middle of jobs and restarts them, in every possible order of
// these four events, and then asks for everything that was promised.
import { systemClock } from "../../src/foundation/clock.ts";
import { until } from "../support/server-process.ts";
import { type ProxyRecords, proxyRecords } from "./proxy-records.ts";
import { type ProxyEvent, proxyWorld } from "./proxy-world.ts";
import { seeded } from "./seeded.ts";

export interface ProxyTorture {
  readonly seed: number;
  readonly rounds: number;
  readonly jobsPerOrder: number;
  // The longest that a job sleeps in the application.
  readonly jobSecondsMax: number;
  say(line: string): void;
}

export interface ProxyTortureReport {
  readonly orders: number;
  readonly kills: number;
  readonly jobs: number;
  readonly succeeded: number;
  readonly restarted: number;
  readonly seconds: number;
  readonly violations: readonly string[];
}

// A start follows its own kill; nothing else is fixed.
export const everyOrder: readonly (readonly ProxyEvent[])[] = [
  ["kill proxy", "start proxy", "kill application", "start application"],
  ["kill application", "start application", "kill proxy", "start proxy"],
  ["kill proxy", "kill application", "start proxy", "start application"],
  ["kill proxy", "kill application", "start application", "start proxy"],
  ["kill application", "kill proxy", "start application", "start proxy"],
  ["kill application", "kill proxy", "start proxy", "start application"],
];

const gapMsMax = 400;
const endSecondsMax = 300;

export async function tortureProxy(options: ProxyTorture): Promise<ProxyTortureReport> {
  const startedMs = performance.now();
  const random = seeded(options.seed);
  const world = await proxyWorld();
  const records = proxyRecords(world);
  const submitSome = () =>
    Promise.all(
      Array.from({ length: options.jobsPerOrder }, () =>
        records.submit(random.between(options.jobSecondsMax / 3, options.jobSecondsMax)),
      ),
    );
  let kills = 0;
  let orders = 0;
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const order of everyOrder) {
        await records.upload();
        await submitSome();
        await until("a job runs", () => anyRuns(records, submitSome), endSecondsMax);
        // A client that submits while all of this happens.
        const meanwhile = systemClock.sleep(random.between(0, gapMsMax)).then(() => records.submit(0.1));
        for (const event of order) {
          await systemClock.sleep(random.between(0, gapMsMax));
          await world.happen(event);
          if (event.startsWith("kill")) kills += 1;
        }
        await meanwhile;
        orders += 1;
        options.say(`${orders}. ${order.join(", ")}`);
      }
      await records.untilEnded(records.jobs, endSecondsMax);
      await records.audit();
    }
    const endings = records.jobs.map(({ ending }) => ending);
    return {
      orders,
      kills,
      jobs: records.jobs.length,
      succeeded: endings.filter((ending) => ending === "succeeded").length,
      restarted: endings.filter((ending) => ending === "failed application_restarted").length,
      seconds: (performance.now() - startedMs) / 1000,
      violations: records.violations,
    };
  } finally {
    await world.close();
  }
}

async function anyRuns(records: ProxyRecords, submitMore: () => Promise<unknown>): Promise<boolean> {
  for (const job of records.jobs) if (job.ending === null && (await records.isRunning(job))) return true;
  // On a busy machine they may have ended before they were seen running.
  if (records.jobs.every(({ ending }) => ending !== null)) await submitMore();
  return false;
}
