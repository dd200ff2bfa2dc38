// ATELIER_METRICS_PORT: metrics and probes on a separate listener. It stops last of all listeners, so that a draining process
// stays visible. A process that answers no callers always has one; without the setting, it is for this machine only.

import { type MonitoringDeps, monitoring } from "../../../areas/system/index.ts";
import type { Config } from "../../../config.ts";
import { area } from "../../../foundation/http/area.ts";
import { hostsOf, isLoopback, loopbackNames } from "../../../foundation/http/loopback-guard.ts";
import { peerReader } from "../../../foundation/http/peer-address.ts";
import { serve } from "../../../foundation/http/serve.ts";
import { hasRole } from "../../roles.ts";
import type { AreaDeps } from "../build-areas.ts";

type ListenerDeps = Pick<AreaDeps, "config" | "life" | "clock" | "log" | "metrics" | "admission">;

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
    ...at,
    clock: deps.clock,
    log: deps.log,
    metrics,
    policy: (port) => ({
      hosts: isGuarded ? new Set(hostsOf(loopbackNames, port)) : null,
      origins: isGuarded ? new Set() : null,
      openPaths: new Set(),
    }),
    corsOrigins: new Set(),
    readPeer: peerReader(config.trustProxy),
    admission: deps.admission,
    bufferedBytesMax: config.bufferedBytesMax,
  });
  life.onStop("listener of metrics", () => server.stop(1));
  return server.port;
}
