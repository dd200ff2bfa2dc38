// `npm run torture -- fleet`: gateways, workers, haproxy, a pair of PostgreSQL servers, an S3 store and NATS, each killed in turn
// and at random while callers keep calling, then the judge.
//   npm run torture -- fleet --seconds 1200 --gateways 3 --workers 2 --seed 7
import { tortureFleet } from "../packages/server/test/torture/fleet-torture.ts";
import { printFleetFigures, readFleetRun } from "./fleet-run.ts";
import { endRun, say } from "./torture-run.ts";

const { fleet, numbers } = readFleetRun({ seconds: 1_200 });
const { violations, troubles, strikes, answered, statuses, ...figures } = await tortureFleet({
  ...fleet,
  seconds: numbers.seconds,
});
for (const [name, value] of Object.entries(strikes)) say(`killed ${name.padEnd(8)} ${value}`);
printFleetFigures({ ...figures, ...answered }, statuses);
const percent = (part: number, whole: number) => `${((part / Math.max(1, whole)) * 100).toFixed(2)} %`;
const { total, refused, broken } = answered;
say(`availability    ${percent(total - refused - broken, total)} of requests at the first try`);
say(`after retries   ${percent(figures.keysInTime, figures.keys)} of keys within the 20 seconds of their callers`);
endRun(violations, troubles);
