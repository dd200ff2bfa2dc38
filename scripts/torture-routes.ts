// `npm run torture -- routes`: a route with two targets that each fail three calls in a hundred, while servers are killed; then
// the judge: no key runs or is charged twice, and at least 999 callers in a thousand get their result.
//   npm run torture -- routes --calls 5000 --kills 20 --servers 2 --lanes 24 --seed 7
//   npm run torture -- routes --litellm folder/bin/litellm …
// `--litellm` names the proxy of LiteLLM (`python3 -m venv folder; folder/bin/pip install 'litellm[proxy]'`). It then gets the same
// calls in place of our servers, and what it did is only shown.
import { parseArgs } from "node:util";
import { tortureLiteLlm } from "../packages/server/test/torture/route-peer.ts";
import { tortureRoutes } from "../packages/server/test/torture/route-torture.ts";

const { values } = parseArgs({
  strict: false,
  options: {
    calls: { type: "string", default: "5000" },
    kills: { type: "string", default: "20" },
    servers: { type: "string", default: "2" },
    lanes: { type: "string", default: "24" },
    litellm: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const availableMin = 999;
const say = (line: string) => void process.stdout.write(`${line}\n`);
say(`seed ${values["seed"]}`);
const options = {
  seed: Number(values["seed"]),
  calls: Number(values["calls"]),
  kills: Number(values["kills"]),
  servers: Number(values["servers"]),
  lanes: Number(values["lanes"]),
  say,
};
const show = (figures: object) => {
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value * 100) / 100}`);
};
const { litellm } = values;
if (typeof litellm === "string") {
  show(await tortureLiteLlm({ ...options, program: litellm }));
  process.exit(0);
}
const { violations, ...figures } = await tortureRoutes(options);
show(figures);
for (const what of violations.slice(0, 50)) say(`VIOLATION ${what}`);
const isAvailable = figures.available >= availableMin;
if (violations.length === 0) say("no violation");
if (!isAvailable) say(`available to ${figures.available.toFixed(2)} callers in a thousand, fewer than ${availableMin}`);
process.exit(violations.length === 0 && isAvailable ? 0 : 1);
