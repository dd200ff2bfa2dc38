// `npm run torture -- requests`: kills real servers and their PostgreSQL while queued model calls are submitted, run and
// cancelled, then the judge. `npm run torture -- --requests` is the same.
//   npm run torture -- requests --kills 100 --postgres-kills 5 --servers 2 --lanes 12 --seed 7
//   npm run torture -- requests --plant double-claim     a planted fault, which must be found
//   npm run torture -- requests --plants                 all of them
import { parseArgs } from "node:util";
import { tortureRequests } from "../packages/server/test/torture/request-torture.ts";
import { type RequestPlant, requestPlants } from "../packages/server/test/torture/request-torture-store.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    kills: { type: "string", default: "100" },
    "postgres-kills": { type: "string", default: "5" },
    servers: { type: "string", default: "2" },
    lanes: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    plant: { type: "string" },
    plants: { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`seed ${values["seed"]}`);
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
    seed: Number(values["seed"]),
    kills: isPlanted ? 4 : Number(values["kills"]),
    postgresKills: isPlanted ? 0 : Number(values["postgres-kills"]),
    servers: Number(values["servers"]),
    lanes: Number(values["lanes"]),
    ...(isPlanted ? { plant } : {}),
    say,
  });
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
  for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
  for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
  if (violations.length + troubles.length === 0) say("no violation");
  return isPlanted ? violations.length : violations.length + troubles.length;
}
