// npm run torture -- overload [-- --seconds 20]: three times as much as the server can do; see docs/TESTING.md.
import { parseArgs } from "node:util";
import { tortureByOverload } from "../packages/server/test/torture/overload.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const p99MsMax = 200;
const findings = await tortureByOverload({
  secondsPerScenario: Number(values.seconds),
  say: (line) => console.log(line),
});
const bad = findings.filter(
  ({ quiet, healthFailures, withoutRetryAfter }) =>
    !(quiet.p99 <= p99MsMax) || quiet.refused > 0 || healthFailures > 0 || withoutRetryAfter > 0,
);
for (const { scenario } of bad) console.log(`failed: ${scenario}`);
process.exitCode = bad.length === 0 ? 0 : 1;
