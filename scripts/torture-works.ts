// `npm run torture -- works`: kills real servers while works are called, directly and queued, then the judge.
//   npm run torture -- works --calls 200 --kills 20 --lanes 10 --seed 7
import { parseArgs } from "node:util";
import { tortureWorks } from "../packages/server/test/torture/work-torture.ts";

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "200" },
    kills: { type: "string", default: "20" },
    lanes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`seed ${values.seed}`);
const { violations, ...figures } = await tortureWorks({
  seed: Number(values.seed),
  calls: Number(values.calls),
  kills: Number(values.kills),
  lanes: Number(values.lanes),
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(10)} ${Math.round(value)}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
if (violations.length === 0) say("no violation");
process.exit(violations.length === 0 ? 0 : 1);
