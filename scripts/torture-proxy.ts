// `npm run torture -- proxy`: kills the self-hosted proxy and its application in every order, over and over, then the judge.
//   npm run torture -- proxy --rounds 10 --jobs 6 --seconds 3 --seed 7
import { tortureProxy } from "../packages/server/test/torture/proxy-torture.ts";
import { anySeed, endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const { jobs, seconds, ...run } = readNumbers({ rounds: 5, jobs: 5, seconds: 3, seed: anySeed });
const { violations, ...figures } = await tortureProxy({ ...run, jobsPerOrder: jobs, jobSecondsMax: seconds, say });
printFigures(figures);
endRun(violations);
