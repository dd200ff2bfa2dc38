// `npm run torture -- partners`: kills a real server while tasks run at a partner, then the judge.
//   npm run torture -- partners --kills 50 --lanes 8 --seed 7
import { parseArgs } from "node:util";
import { torturePartners } from "../packages/server/test/torture/partner-torture.ts";

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    lanes: { type: "string", default: "8" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${values.seed}`);
const { violations, ...figures } = await torturePartners({
  seed: Number(values.seed),
  kills: Number(values.kills),
  lanes: Number(values.lanes),
  waitForLeases: true,
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
say(violations.length === 0 ? "no violation" : `${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
