// `npm run torture -- works`: kills real servers while works are called, directly and queued, then the judge.
//   npm run torture -- works --calls 200 --kills 20 --lanes 10 --seed 7
import { tortureWorks } from "../packages/server/test/torture/work-torture.ts";
import { anySeed, endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const run = readNumbers({ calls: 200, kills: 20, lanes: 10, seed: anySeed });
const { violations, ...figures } = await tortureWorks({ ...run, say });
printFigures(figures);
endRun(violations);
