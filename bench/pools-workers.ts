// A child process with many workers, each next to its own application, set up as in `atelier worker`.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environmentOfApplication } from "../packages/server/src/capabilities/application-workers/application-engine.ts";
import { applicationRunner, openApplication } from "../packages/server/src/capabilities/applications/index.ts";
import {
  createRemoteWorker,
  openServerClient,
  openWorkerHome,
} from "../packages/server/src/capabilities/remote-work/index.ts";
import { createBackground } from "../packages/server/src/foundation/background.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";

export interface WorkersOrder {
  readonly serverUrl: string;
  readonly token: string;
  readonly applications: readonly string[];
  readonly slots: number;
}

process.once("message", async (order: WorkersOrder) => {
  const folder = mkdtempSync(join(tmpdir(), "atelier-bench-workers-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const introduced = order.applications.map((url, index) => {
    const home = openWorkerHome(join(folder, String(index)));
    const context = { clock: systemClock, log: silentLog };
    const application = openApplication({ ...context, url, clientId: home.workerId });
    const worker = createRemoteWorker({
      ...context,
      ...home,
      server: openServerClient({ serverUrl: order.serverUrl, token: order.token }),
      poolId: null,
      name: `bench ${index}`,
      slots: order.slots,
      drainMs: 0,
      environment: environmentOfApplication(application, systemClock),
      modelsLoaded: () => application.modelsLoaded(),
      runner: (openFile) => applicationRunner({ ...context, application, openFile }),
    });
    void worker.run(createBackground(context), new AbortController().signal);
    return worker.introduced;
  });
  await Promise.all(introduced);
  process.send?.("ready");
});
process.on("disconnect", () => process.exit(0));
