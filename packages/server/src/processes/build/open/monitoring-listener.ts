// ATELIER_METRICS_PORT: metrics and probes on a separate listener. It stops last of all listeners, so that a draining process
// stays visible. A process that answers no callers always has one; without the setting, it is for this machine only.

import { type MonitoringDeps, monitoring } from "../../../areas/system/index.ts";
import type { Config } from "../../../config.ts";
import { area } from "../../../foundation/http/area.ts";
import { hostsOf, isLoopback, loopbackNames } from "../../../foundation/http/loopback-guard.ts";
import { serve } from "../../../foundation/http/serve.ts";
import { hasRole } from "../../roles.ts";
import { type ListenerDeps, listening } from "./listening.ts";

// Null if the gateway's listener is the only one.
export function monitoringAddress(
  config: Pick<Config, "host" | "port" | "metricsPort" | "roles">,
): { readonly host: string; readonly port: number } | null {
  if (config.metricsPort !== null) return { host: config.host, port: config.metricsPort };
  return hasRole(config, "gateway") ? null : { host: "127.0.0.1", port: config.port };
}

export async function listenForMonitoring(deps: ListenerDeps, look: MonitoringDeps["look"]): Promise<number | null> {
  const { config, life, metrics } = deps;
  const at = monitoringAddress(config);
  if (at === null) return null;
  const isGuarded = isLoopback(at.host);
  const server = await serve({
    areas: [area(monitoring({ look, metricsText: () => metrics.text() }))],
    ...listening(deps),
    ...at,
    policy: (port) => ({
      hosts: isGuarded ? new Set(hostsOf(loopbackNames, port)) : null,
      origins: isGuarded ? new Set() : null,
      openPaths: new Set(),
    }),
    corsOrigins: new Set(),
  });
  life.onStop("listener of metrics", () => server.stop(1));
  return server.port;
}
