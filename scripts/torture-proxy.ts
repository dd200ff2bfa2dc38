// `npm run torture -- proxy`: kills the self-hosted proxy and its application in every order, over and over, then the judge.
//   npm run torture -- proxy --rounds 10 --jobs 6 --seconds 3 --seed 7
import { parseArgs } from "node:util";
import { tortureProxy } from "../packages/server/test/torture/proxy-torture.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    jobs: { type: "string", default: "5" },
    seconds: { type: "string", default: "3" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${values.seed}`);
const { violations, ...figures } = await tortureProxy({
  seed: Number(values.seed),
  rounds: Number(values.rounds),
  jobsPerOrder: Number(values.jobs),
  jobSecondsMax: Number(values.seconds),
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
say(violations.length === 0 ? "no violation" : `${violations.length} violations`);
process.exit(violations.length === 0 ? 0 : 1);
