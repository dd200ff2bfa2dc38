// A few areas behind the real HTTP entrance on a free loopback port, for tests that need HTTP but no whole app.
import { systemClock } from "../../src/foundation/clock.ts";
import type { Area } from "../../src/foundation/http/area.ts";
import { peerReader } from "../../src/foundation/http/peer-address.ts";
import { type RunningServer, type ServeOptions, serve } from "../../src/foundation/http/serve.ts";
import { silentLog } from "../../src/foundation/log.ts";
import { createMetrics } from "../../src/foundation/metrics.ts";
import { dialectOf } from "../../src/surfaces/dialect/index.ts";
import { smallAdmission } from "./small-admission.ts";

export function serveAreas(areas: readonly Area[], more: Partial<ServeOptions> = {}): Promise<RunningServer> {
  // `npm run test:long -- dialect`
  const name = process.env["ATELIER_TEST_DIALECT"] === "comfy" ? "comfy" : "off";
  const dialect = dialectOf({ name, surface: "cloud", clock: systemClock, creditsPerUsd: 211 });
  return serve({
    areas: dialect?.respell(areas) ?? areas,
    rim: dialect?.rim ?? null,
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics(),
    policy: () => ({ hosts: null, origins: null, openPaths: new Set<string>() }),
    corsOrigins: new Set<string>(),
    readPeer: peerReader([]),
    admission: smallAdmission(),
    bufferedBytesMax: 64 * 1024 * 1024,
    ...more,
  });
}
