// `npm run torture:upgrade`: a fleet under load is brought to a newer version, gateway by gateway, with migrations in between.
//   npm run torture:upgrade -- --gateways 3 --workers 2 --pause 5 --seed 7
import { parseArgs } from "node:util";
import { missingForFleet } from "../packages/server/test/torture/fleet-world.ts";
import { tortureUpgrade } from "../packages/server/test/torture/upgrade-torture.ts";

const { values } = parseArgs({
  options: {
    gateways: { type: "string", default: "3" },
    workers: { type: "string", default: "2" },
    pause: { type: "string", default: "5" },
    lanes: { type: "string", default: "8" },
    "job-lanes": { type: "string", default: "3" },
    "stream-lanes": { type: "string", default: "3" },
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
const { violations, troubles, answered, statuses, ...figures } = await tortureUpgrade({
  seed: Number(values.seed),
  pauseSeconds: Number(values.pause),
  gateways: Number(values.gateways),
  workers: Number(values.workers),
  lanes: Number(values.lanes),
  jobLanes: Number(values["job-lanes"]),
  streamLanes: Number(values["stream-lanes"]),
  uploadLanes: Number(values["upload-lanes"]),
  say,
});
for (const [name, value] of Object.entries({ ...figures, ...answered })) say(`${name.padEnd(15)} ${Math.round(value)}`);
say(
  `statuses        ${[...statuses]
    .sort()
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")}`,
);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
const isWell = violations.length + troubles.length === 0;
say(isWell ? "no violation" : `${violations.length} violations, ${troubles.length} troubles`);
process.exit(isWell ? 0 : 1);
