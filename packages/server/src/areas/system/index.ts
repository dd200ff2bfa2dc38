// Health, metrics and documents (decisions, section 1). Public, except for the metrics, which require an operator's token: a
// peer address authorises nothing.
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import { documentRoutes } from "./documents.route.ts";
import { getIndexRoute } from "./get-index.route.ts";
import { getHealthRoute, getLivenessRoute, getMetricsRoute, getReadinessRoute } from "./health.route.ts";
import type { SystemDeps } from "./system-deps.ts";

export { openGuides } from "./open-guides.ts";
export { processChecks } from "./process-checks.ts";
export { readiness } from "./readiness.ts";
export { surfaceDocument } from "./surface-document.ts";
export type { SystemDeps } from "./system-deps.ts";

export function system(deps: SystemDeps): Area<undefined> {
  const plain = [getIndexRoute(deps), getHealthRoute(deps), getLivenessRoute(), getReadinessRoute(deps)];
  const mounted = [...deps.mounted, ...plain.map(({ operation }) => operation)];
  return {
    name: "system",
    prefixes: [],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [...plain, ...documentRoutes({ ...deps, mounted })],
  };
}

export interface MonitoringDeps {
  readonly look: SystemDeps["look"];
  readonly metricsText: () => Promise<string>;
}

// For a separate listener that the operator opens only to the monitoring network: there, being able to connect is the
// permission.
export function monitoring({ look, metricsText }: MonitoringDeps): Area<undefined> {
  return {
    name: "monitoring",
    prefixes: [],
    authenticate: null,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [getLivenessRoute(), getReadinessRoute({ look }), getMetricsRoute(metricsText)],
  };
}

export interface MetricsDeps<Caller> {
  readonly authenticateAdmin: (arrival: Arrival) => Caller | Promise<Caller>;
  readonly metricsText: () => Promise<string>;
}

export function metricsPage<Caller>(deps: MetricsDeps<Caller>): Area<Caller> {
  return {
    name: "metrics",
    prefixes: ["/metrics"],
    authenticate: deps.authenticateAdmin,
    envelope: genericEnvelope,
    cors: "listed",
    routes: [getMetricsRoute(deps.metricsText)],
  };
}
