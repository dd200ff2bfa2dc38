// `npm run torture -- router`: kills real router processes while callers keep calling, then the judge.
//   npm run torture -- router --kills 100 --servers 2 --lanes 12 --seed 7
import { tortureRouter } from "../packages/server/test/torture/router-torture.ts";
import { anySeed, endRun, printFigures, readNumbers, say } from "./torture-run.ts";

const run = readNumbers({ kills: 100, servers: 2, lanes: 12, seed: anySeed });
const { violations, troubles, ...figures } = await tortureRouter({ ...run, say });
printFigures(figures);
endRun(violations, troubles);
