// `npm run torture -- jobs`: kills and pauses real servers while jobs are submitted, run and canceled, then the judge.
//   npm run torture -- jobs --jobs 500 --servers 2 --lanes 8 --life 6 --pace 4 --postgres-kills 10 --seed 7
import { tortureJobs } from "../packages/server/test/torture/job-torture.ts";
import { anySeed, endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const run = readNumbers(
  { jobs: 500, servers: 2, lanes: 8, life: 6, pace: 4, "postgres-kills": 0, seed: anySeed },
  { "no-pauses": { type: "boolean" } },
);
const pauses = !process.argv.includes("--no-pauses");
const { violations, troubles, ...figures } = await tortureJobs({
  ...run,
  lifeSeconds: run.life,
  paceSeconds: run.pace,
  postgresKills: run["postgres-kills"],
  pauses,
  say,
});
printFigures(figures);
endRun(violations, troubles);
