// `npm run torture -- workers`: two applications, two workers beside them, one gateway; workers and an application are killed
// in the middle, one worker for good. All jobs must succeed exactly once, and their outputs outlive the applications.
//   npm run torture -- workers --jobs 200 --lease 45 --seconds 0.5
import { tortureWorkers } from "../packages/server/test/torture/worker-torture.ts";
import { endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const { jobs, lease, seconds } = readNumbers(
  { jobs: 200, lease: 45, seconds: 0.5 },
  { "all-come-back": { type: "boolean" } },
);
const { violations, movedSeconds, spread, ...figures } = await tortureWorkers({
  jobs,
  leaseSeconds: lease,
  jobSeconds: seconds,
  forGood: !process.argv.includes("--all-come-back"),
  say,
});
printFigures(figures);
if (movedSeconds !== null) say(`${"movedSeconds".padEnd(18)} ${movedSeconds.toFixed(1)}`);
say(`${"spread".padEnd(18)} ${spread.join(" ")}`);
const isLate = movedSeconds !== null && movedSeconds > 60;
endRun([...violations, ...(isLate ? ["a dead worker's job took over 60 s"] : [])]);
