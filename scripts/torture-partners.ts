// `npm run torture -- partners`: kills a real server while tasks run at a partner, then the judge.
//   npm run torture -- partners --kills 50 --lanes 8 --seed 7
import { torturePartners } from "../packages/server/test/torture/partner-torture.ts";
import { anySeed, endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const run = readNumbers({ kills: 50, lanes: 8, seed: anySeed });
const { violations, ...figures } = await torturePartners({ ...run, waitForLeases: true, say });
printFigures(figures);
endRun(violations);
