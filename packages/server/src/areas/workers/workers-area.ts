// The API for remote workers. Everything below /api/workers, including unknown paths, answers only a worker token. The queue's
// port makes all decisions; this area only checks who is asking and whether it may.
import type { WorkerCaller, WorkerTokens } from "../../capabilities/tokens/index.ts";
import { type Area, area, type DepsOf, routesOf } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import * as fill from "./fill.route.ts";
import * as jobs from "./jobs.route.ts";
import { createKnownWorkers, type KnownWorkersDeps } from "./known-workers.ts";
import * as outputs from "./outputs.route.ts";
import * as presence from "./presence.route.ts";
import * as scalers from "./scalers.route.ts";

const files = [presence, jobs, outputs, scalers, fill] as const;
type RouteDeps = DepsOf<typeof files>;

export interface WorkersAreaDeps extends Omit<RouteDeps, "knownWorkers"> {
  readonly tokens: Pick<WorkerTokens, "authenticate">;
  readonly pools: KnownWorkersDeps["pools"] & RouteDeps["pools"];
}

export function workersArea(deps: WorkersAreaDeps): Area {
  return area<WorkerCaller>({
    name: "workers",
    prefixes: ["/api/workers"],
    authenticate: (arrival) => deps.tokens.authenticate(arrival),
    flowOf: (caller) => caller.tokenId,
    envelope: genericEnvelope,
    cors: "listed",
    routes: routesOf({ ...deps, knownWorkers: createKnownWorkers(deps) }, ...files),
  });
}
