// The API for remote workers. Everything below /api/workers, including unknown paths, answers only a worker token. The queue's
// port makes all decisions; this area only checks who is asking and whether it may.
import type { WorkerCaller, WorkerTokens } from "../../capabilities/tokens/index.ts";
import { type Area, area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { type FillRouteDeps, fillRoutes } from "./fill.route.ts";
import { type JobRouteDeps, jobRoutes } from "./jobs.route.ts";
import { createKnownWorkers, type KnownWorkersDeps } from "./known-workers.ts";
import { type OutputRouteDeps, outputRoutes } from "./outputs.route.ts";
import { type PresenceRouteDeps, presenceRoutes } from "./presence.route.ts";
import { reportScalerRoute, type ScalerRouteDeps } from "./scalers.route.ts";

type RouteDeps = PresenceRouteDeps & JobRouteDeps & OutputRouteDeps & ScalerRouteDeps & FillRouteDeps;

export interface WorkersAreaDeps extends Omit<RouteDeps, "knownWorkers" | "pools"> {
  readonly tokens: Pick<WorkerTokens, "authenticate">;
  readonly pools: KnownWorkersDeps["pools"] &
    PresenceRouteDeps["pools"] &
    JobRouteDeps["pools"] &
    ScalerRouteDeps["pools"];
}

export function workersArea(deps: WorkersAreaDeps): Area {
  const whole = { ...deps, knownWorkers: createKnownWorkers(deps) };
  return area<WorkerCaller>({
    name: "workers",
    prefixes: ["/api/workers"],
    authenticate: (arrival) => deps.tokens.authenticate(arrival),
    flowOf: (caller) => caller.tokenId,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [
      ...presenceRoutes(whole),
      ...jobRoutes(whole),
      ...outputRoutes(whole),
      reportScalerRoute(whole),
      ...fillRoutes(whole),
    ],
  });
}
