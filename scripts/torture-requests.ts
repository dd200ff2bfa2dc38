// `npm run torture -- requests`: kills real servers and their PostgreSQL while queued model calls are submitted, run and
// cancelled, then the judge.
//   npm run torture -- requests --kills 100 --postgres-kills 5 --servers 2 --lanes 12 --seed 7
//   npm run torture -- requests --plant double-claim     a planted fault, which must be found
//   npm run torture -- requests --plants                 all of them
import { parseArgs } from "node:util";
import { tortureRequests } from "../packages/server/test/torture/request-torture.ts";
import { type RequestPlant, requestPlants } from "../packages/server/test/torture/request-torture-store.ts";
import { anySeed, printFigures, printFound, readNumbers, say } from "./torture-run.ts";

const plantOptions = { plant: { type: "string" }, plants: { type: "boolean", default: false } } as const;
const { values } = parseArgs({ strict: false, options: plantOptions });
const { "postgres-kills": postgresKills, ...numbers } = readNumbers(
  { kills: 100, "postgres-kills": 5, servers: 2, lanes: 12, seed: anySeed },
  plantOptions,
);
process.exit(await runAll());

async function runAll(): Promise<number> {
  const planted = values["plants"] ? requestPlants : requestPlants.filter((name) => name === values["plant"]);
  if (planted.length === 0 && values["plant"] !== undefined) throw new Error(`Plants: ${requestPlants.join(", ")}.`);
  if (planted.length === 0) return (await run()) === 0 ? 0 : 1;
  let missed = 0;
  for (const plant of planted) {
    const found = await run(plant);
    say(`planted ${plant}: ${found > 0 ? "caught" : "MISSED"}`);
    if (found === 0) missed += 1;
  }
  return missed === 0 ? 0 : 1;
}

// How much was found.
async function run(plant?: RequestPlant): Promise<number> {
  const isPlanted = plant !== undefined;
  const { violations, troubles, ...figures } = await tortureRequests({
    ...numbers,
    postgresKills,
    ...(isPlanted ? { plant, kills: 4, postgresKills: 0 } : {}),
    say,
  });
  printFigures(figures);
  printFound(violations, troubles);
  return isPlanted ? violations.length : violations.length + troubles.length;
}
