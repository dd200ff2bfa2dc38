// npm run torture -- overload [-- --seconds 20]: three times as much as the server can do; see docs/TESTING.md.
import { tortureByOverload } from "../packages/server/test/torture/overload.ts";
import { readNumbers, say } from "./torture-run.ts";

const p99MsMax = 200;
const findings = await tortureByOverload({ secondsPerScenario: readNumbers({ seconds: 20 }).seconds, say });
const bad = findings.filter(
  ({ quiet, healthFailures, withoutRetryAfter }) =>
    !(quiet.p99 <= p99MsMax) || quiet.refused > 0 || healthFailures > 0 || withoutRetryAfter > 0,
);
for (const { scenario } of bad) say(`failed: ${scenario}`);
process.exitCode = bad.length === 0 ? 0 : 1;
