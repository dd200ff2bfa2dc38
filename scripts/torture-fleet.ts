// `npm run torture:fleet`: gateways, workers, haproxy, a pair of PostgreSQL servers, an S3 store and NATS, each killed in turn
// and at random while callers go on, then the judge.
//   npm run torture:fleet -- --seconds 1200 --gateways 3 --workers 2 --seed 7
import { parseArgs } from "node:util";
import { tortureFleet } from "../packages/server/test/torture/fleet-torture.ts";
import { missingForFleet } from "../packages/server/test/torture/fleet-world.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "1200" },
    gateways: { type: "string", default: "3" },
    workers: { type: "string", default: "2" },
    lanes: { type: "string", default: "8" },
    "job-lanes": { type: "string", default: "4" },
    "stream-lanes": { type: "string", default: "2" },
    "upload-lanes": { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const missing = missingForFleet();
if (missing.length > 0) {
  for (const command of missing) say(`This machine lacks a part: ${command}`);
  process.exit(2);
}

// Broken off, it takes along what it started.
for (const signal of ["SIGTERM", "SIGINT"]) process.once(signal, () => process.exit(1));
say(`seed ${values.seed}`);
const { violations, troubles, strikes, answered, statuses, ...figures } = await tortureFleet({
  seed: Number(values.seed),
  seconds: Number(values.seconds),
  gateways: Number(values.gateways),
  workers: Number(values.workers),
  lanes: Number(values.lanes),
  jobLanes: Number(values["job-lanes"]),
  streamLanes: Number(values["stream-lanes"]),
  uploadLanes: Number(values["upload-lanes"]),
  say,
});
for (const [name, value] of Object.entries(strikes)) say(`killed ${name.padEnd(8)} ${value}`);
for (const [name, value] of Object.entries({ ...figures, ...answered })) say(`${name.padEnd(15)} ${Math.round(value)}`);
say(
  `statuses        ${[...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")}`,
);
const percent = (part: number, whole: number) => `${((part / Math.max(1, whole)) * 100).toFixed(2)} %`;
const { total, refused, broken } = answered;
say(`availability    ${percent(total - refused - broken, total)} of requests at the first try`);
say(`after retries   ${percent(figures.keysInTime, figures.keys)} of keys within the 20 seconds of their callers`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
const isWell = violations.length + troubles.length === 0;
say(isWell ? "no violation" : `${violations.length} violations, ${troubles.length} troubles`);
process.exit(isWell ? 0 : 1);
