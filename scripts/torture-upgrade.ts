// `npm run torture -- upgrade`: a fleet under load is brought to a newer version, gateway by gateway, with migrations in between.
//   npm run torture -- upgrade --gateways 3 --workers 2 --pause 5 --seed 7
import { tortureUpgrade } from "../packages/server/test/torture/upgrade-torture.ts";
import { printFleetFigures, readFleetRun } from "./fleet-run.ts";
import { endRun } from "./torture-run.ts";

const { fleet, numbers } = readFleetRun({ pause: 5, "job-lanes": 3, "stream-lanes": 3 });
const { violations, troubles, answered, statuses, ...figures } = await tortureUpgrade({
  ...fleet,
  pauseSeconds: numbers.pause,
});
printFleetFigures({ ...figures, ...answered }, statuses);
endRun(violations, troubles);
