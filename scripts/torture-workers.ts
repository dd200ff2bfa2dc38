// `npm run torture -- workers`: two applications, two workers beside them, one gateway; workers and an application are killed
// in the middle, one worker for good. All jobs must succeed exactly once, and their outputs outlive the applications.
//   npm run torture -- workers --jobs 200 --lease 45 --seconds 0.5
import { parseArgs } from "node:util";
import { tortureWorkers } from "../packages/server/test/torture/worker-torture.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "200" },
    lease: { type: "string", default: "45" },
    seconds: { type: "string", default: "0.5" },
    "all-come-back": { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
const { violations, movedSeconds, spread, ...figures } = await tortureWorkers({
  jobs: Number(values.jobs),
  leaseSeconds: Number(values.lease),
  jobSeconds: Number(values.seconds),
  forGood: !values["all-come-back"],
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
if (movedSeconds !== null) say(`${"movedSeconds".padEnd(14)} ${movedSeconds.toFixed(1)}`);
say(`${"spread".padEnd(14)} ${spread.join(" ")}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
if (movedSeconds !== null && movedSeconds > 60)
  violations.length === 0 && say("VIOLATION a dead worker's job took over 60 s");
const isGood = violations.length === 0 && (movedSeconds ?? 0) <= 60;
say(isGood ? "no violation" : "violations");
process.exit(isGood ? 0 : 1);
