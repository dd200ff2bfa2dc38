// ATELIER_METRICS_PORT: metrics and probes on a listener of their own. It stops last of all listeners, so that a process that
// drains is still seen.

import { type MonitoringDeps, monitoring } from "../../areas/system/index.ts";
import { area } from "../../foundation/http/area.ts";
import { hostsOf, isLoopback } from "../../foundation/http/loopback-guard.ts";
import { peerReader } from "../../foundation/http/peer-address.ts";
import { serve } from "../../foundation/http/serve.ts";
import type { AreaDeps } from "./build-areas.ts";

type ListenerDeps = Pick<AreaDeps, "config" | "life" | "clock" | "log" | "metrics" | "admission">;

export async function listenForMonitoring(deps: ListenerDeps, look: MonitoringDeps["look"]): Promise<number | null> {
  const { config, life, metrics } = deps;
  if (config.metricsPort === null) return null;
  const isGuarded = isLoopback(config.host);
  const server = await serve({
    areas: [area(monitoring({ look, metricsText: () => metrics.text() }))],
    host: config.host,
    port: config.metricsPort,
    clock: deps.clock,
    log: deps.log,
    metrics,
    policy: (port) => ({
      hosts: isGuarded ? new Set(hostsOf(["127.0.0.1", "localhost", "::1"], port)) : null,
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
