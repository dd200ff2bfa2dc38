// `npm run torture -- fleet`: gateways, workers, haproxy, a pair of PostgreSQL servers, an S3 store and NATS, each killed in turn
// and at random while callers keep calling, then the judge.
//   npm run torture -- fleet --seconds 1200 --gateways 3 --workers 2 --seed 7
import { tortureFleet } from "../packages/server/test/torture/fleet-torture.ts";
import { endFleetRun, printFigures, readFleetRun, say } from "./fleet-run.ts";

const { fleet, numberOf } = readFleetRun({ seconds: "1200" });
const { violations, troubles, strikes, answered, statuses, ...figures } = await tortureFleet({
  ...fleet,
  seconds: numberOf("seconds"),
});
for (const [name, value] of Object.entries(strikes)) say(`killed ${name.padEnd(8)} ${value}`);
printFigures({ ...figures, ...answered }, statuses);
const percent = (part: number, whole: number) => `${((part / Math.max(1, whole)) * 100).toFixed(2)} %`;
const { total, refused, broken } = answered;
say(`availability    ${percent(total - refused - broken, total)} of requests at the first try`);
say(`after retries   ${percent(figures.keysInTime, figures.keys)} of keys within the 20 seconds of their callers`);
endFleetRun(violations, troubles);
