// Whether anyone takes the jobs of the shared pool.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { type Finding, warning, well } from "../../foundation/looks/finding.ts";
import { lookAtWaiting } from "./look-at-waiting.ts";
import { presentWorkers } from "./pools.ts";
import { sharedPool } from "./shared-pool.ts";

// What is said if there are none: a running server brings its own worker; without a server nothing waits for one.
const noneRunning = {
  doctor: well("workers", "none running; a server starts its own, and atelier worker adds more"),
  server: warning(
    "workers",
    "none running; jobs are waiting",
    "create a token under Workers, then run: atelier worker",
  ),
};

export async function lookAtWorkers(
  database: Database,
  clock: Clock,
  by: keyof typeof noneRunning,
): Promise<readonly Finding[]> {
  const present = await presentWorkers(database, sharedPool);
  const slots = present.reduce((sum, worker) => sum + worker.slots, 0);
  if (slots === 0) return [noneRunning[by]];
  const here = well("workers", `${present.length} running, ${slots} ${slots === 1 ? "slot" : "slots"}`);
  return [here, ...(await lookAtWaiting(database, clock))];
}
