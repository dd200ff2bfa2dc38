// `npm run torture -- scale`: a deployment at zero and a scaler. Jobs scale it up and back to zero, workers that have jobs are
// killed meanwhile. No job may be lost.
//   npm run torture -- scale --jobs 50 --seconds 2 --workers 4 --kills 3 --idle 5 --lease 10
import { tortureScale } from "../packages/server/test/torture/scale-torture.ts";
import { endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const run = readNumbers({ jobs: 50, seconds: 2, workers: 4, kills: 3, idle: 5, lease: 10 });
const { violations, ...figures } = await tortureScale({
  jobs: run.jobs,
  jobSeconds: run.seconds,
  workersMax: run.workers,
  kills: run.kills,
  idleSeconds: run.idle,
  leaseSeconds: run.lease,
  say,
});
printFigures(figures);
endRun(violations);
