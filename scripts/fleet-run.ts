// What the long fleet runs share: their options, what the machine must have, and how their end is reported.
import { parseArgs } from "node:util";
import { missingForFleet } from "../packages/server/test/torture/fleet-world.ts";

export const say = (line: string) => void process.stdout.write(`${line}\n`);

const asked = {
  gateways: "3",
  workers: "2",
  lanes: "8",
  "job-lanes": "4",
  "stream-lanes": "2",
  "upload-lanes": "2",
  seed: String(Date.now() % 1_000_000),
};

// `own` are the numbers that only this run has, or with another default.
export function readFleetRun<Own extends string>(own: Readonly<Record<Own, string>>) {
  const defaults: Readonly<Record<string, string>> = { ...asked, ...own };
  const { values } = parseArgs({
    options: Object.fromEntries(
      Object.entries(defaults).map(([name, value]) => [name, { type: "string" as const, default: value }]),
    ),
  });
  const missing = missingForFleet();
  if (missing.length > 0) {
    for (const command of missing) say(`This machine does not have ${command}`);
    process.exit(2);
  }
  // If interrupted, it takes down what it started.
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
  const numberOf = (name: Own | keyof typeof asked) => Number(values[name]);
  say(`seed ${numberOf("seed")}`);
  return {
    numberOf,
    fleet: {
      seed: numberOf("seed"),
      gateways: numberOf("gateways"),
      workers: numberOf("workers"),
      lanes: numberOf("lanes"),
      jobLanes: numberOf("job-lanes"),
      streamLanes: numberOf("stream-lanes"),
      uploadLanes: numberOf("upload-lanes"),
      say,
    },
  };
}

export function printFigures(figures: Readonly<Record<string, number>>, statuses: ReadonlyMap<unknown, number>): void {
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(15)} ${Math.round(value)}`);
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  say(`statuses        ${counts.join(", ")}`);
}

// The exit code says whether anything was wrong.
export function endFleetRun(violations: readonly string[], troubles: readonly string[]): never {
  for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
  for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
  const isWell = violations.length + troubles.length === 0;
  say(isWell ? "no violation" : `${violations.length} violations, ${troubles.length} troubles`);
  process.exit(isWell ? 0 : 1);
}
