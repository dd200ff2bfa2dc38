// `npm run torture -- router`: kills real router processes while callers keep calling, then the judge.
//   npm run torture -- router --kills 100 --servers 2 --lanes 12 --seed 7
import { parseArgs } from "node:util";
import { tortureRouter } from "../packages/server/test/torture/router-torture.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "100" },
    servers: { type: "string", default: "2" },
    lanes: { type: "string", default: "12" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${values.seed}`);
const { violations, troubles, ...figures } = await tortureRouter({
  seed: Number(values.seed),
  kills: Number(values.kills),
  servers: Number(values.servers),
  lanes: Number(values.lanes),
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
say(
  violations.length + troubles.length === 0
    ? "no violation"
    : `${violations.length} violations, ${troubles.length} troubles`,
);
process.exit(violations.length + troubles.length === 0 ? 0 : 1);
