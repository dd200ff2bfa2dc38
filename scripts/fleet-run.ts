// What the long fleet runs share: their options, what the machine must have, and their figures.
import { missingForFleet } from "../packages/server/test/torture/fleet-world.ts";
import { anySeed, printFigures, readNumbers, say } from "./torture-run.ts";

const asked = {
  gateways: 3,
  workers: 2,
  lanes: 8,
  "job-lanes": 4,
  "stream-lanes": 2,
  "upload-lanes": 2,
  seed: anySeed,
};

// `own` are the numbers that only this run has, or with another default.
export function readFleetRun<Own extends string>(own: Readonly<Record<Own, number>>) {
  const numbers: Record<Own | keyof typeof asked, number> = readNumbers({ ...asked, ...own });
  const missing = missingForFleet();
  if (missing.length > 0) {
    for (const command of missing) say(`This machine does not have ${command}`);
    process.exit(2);
  }
  // If interrupted, it takes down what it started.
  for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
  const { gateways, workers, lanes, seed } = numbers;
  const [jobLanes, streamLanes, uploadLanes] = [numbers["job-lanes"], numbers["stream-lanes"], numbers["upload-lanes"]];
  return { numbers, fleet: { seed, gateways, workers, lanes, jobLanes, streamLanes, uploadLanes, say } };
}

export function printFleetFigures(
  figures: Readonly<Record<string, number>>,
  statuses: ReadonlyMap<unknown, number>,
): void {
  printFigures(figures);
  const counts = [...statuses].sort().map(([status, count]) => `${status}: ${count}`);
  say(`${"statuses".padEnd(18)} ${counts.join(", ")}`);
}
