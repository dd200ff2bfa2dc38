// `npm run torture -- routes`: a route with two targets that each fail three calls in a hundred, while servers are killed; then
// the judge: no key runs or is charged twice, and at least 999 callers in a thousand get their result.
//   npm run torture -- routes --calls 5000 --kills 20 --servers 2 --lanes 24 --seed 7
//   npm run torture -- routes --litellm folder/bin/litellm …
// `--litellm` names the proxy of LiteLLM (`python3 -m venv folder; folder/bin/pip install 'litellm[proxy]'`). It then gets the same
// calls in place of our servers, and what it did is only shown.
import { parseArgs } from "node:util";
import { tortureLiteLlm } from "../packages/server/test/torture/route-peer.ts";
import { tortureRoutes } from "../packages/server/test/torture/route-torture.ts";
import { anySeed, printFound, readNumbers, say } from "./torture-run.ts";

const peerOption = { litellm: { type: "string" } } as const;
const { litellm } = parseArgs({ strict: false, options: peerOption }).values;
const availableMin = 999;
const numbers = readNumbers({ calls: 5_000, kills: 20, servers: 2, lanes: 24, seed: anySeed }, peerOption);
const options = { ...numbers, say };
const show = (figures: object) => {
  for (const [name, value] of Object.entries(figures)) say(`${name.padEnd(14)} ${Math.round(value * 100) / 100}`);
};
if (typeof litellm === "string") {
  show(await tortureLiteLlm({ ...options, program: litellm }));
  process.exit(0);
}
const { violations, ...figures } = await tortureRoutes(options);
show(figures);
const isAvailable = figures.available >= availableMin;
if (!isAvailable) say(`available to ${figures.available.toFixed(2)} callers in a thousand, fewer than ${availableMin}`);
printFound(violations);
process.exit(violations.length === 0 && isAvailable ? 0 : 1);
