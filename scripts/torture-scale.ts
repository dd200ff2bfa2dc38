// `npm run torture -- scale`: a deployment at zero and a scaler. Jobs scale it up and back to zero, workers that have jobs are
// killed meanwhile. No job may be lost.
//   npm run torture -- scale --jobs 50 --seconds 2 --workers 4 --kills 3 --idle 5 --lease 10
import { parseArgs } from "node:util";
import { tortureScale } from "../packages/server/test/torture/scale-torture.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "50" },
    seconds: { type: "string", default: "2" },
    workers: { type: "string", default: "4" },
    kills: { type: "string", default: "3" },
    idle: { type: "string", default: "5" },
    lease: { type: "string", default: "10" },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { violations, ...figures } = await tortureScale({
  jobs: Number(values.jobs),
  jobSeconds: Number(values.seconds),
  workersMax: Number(values.workers),
  kills: Number(values.kills),
  idleSeconds: Number(values.idle),
  leaseSeconds: Number(values.lease),
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(18)} ${Math.round(value)}`);
for (const what of violations) say(`VIOLATION ${what}`);
say(violations.length === 0 ? "no violation" : "violations");
process.exit(violations.length === 0 ? 0 : 1);
