// `npm run torture -- jobs`: kills and pauses real servers while jobs are submitted, run and canceled, then the judge.
//   npm run torture -- jobs --jobs 500 --servers 2 --lanes 8 --life 6 --pace 4 --postgres-kills 10 --seed 7
import { parseArgs } from "node:util";
import { tortureJobs } from "../packages/server/test/torture/job-torture.ts";

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "500" },
    servers: { type: "string", default: "2" },
    lanes: { type: "string", default: "8" },
    life: { type: "string", default: "6" },
    pace: { type: "string", default: "4" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    "postgres-kills": { type: "string", default: "0" },
    "no-pauses": { type: "boolean", default: false },
  },
});
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${values.seed}`);
const { violations, troubles, ...figures } = await tortureJobs({
  seed: Number(values.seed),
  jobs: Number(values.jobs),
  servers: Number(values.servers),
  lanes: Number(values.lanes),
  lifeSeconds: Number(values.life),
  paceSeconds: Number(values.pace),
  pauses: !values["no-pauses"],
  postgresKills: Number(values["postgres-kills"]),
  say,
});
for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value)}`);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
for (const what of troubles.slice(0, 50)) say(`TROUBLE ${what}`);
const found = violations.length + troubles.length;
say(found === 0 ? "no violation" : `${violations.length} violations, ${troubles.length} troubles`);
process.exit(found === 0 ? 0 : 1);
