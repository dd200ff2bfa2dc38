// A process that sends webhooks as a server does, for the bench: queues notices at a given pace and reports when all have been
// accepted.

import { randomBytes } from "node:crypto";
import { createAudit } from "../packages/server/src/capabilities/audit/index.ts";
import { createWebhooks, type Notice } from "../packages/server/src/capabilities/webhooks/index.ts";
import { createBackground } from "../packages/server/src/foundation/background.ts";
import { systemClock } from "../packages/server/src/foundation/clock.ts";
import { type ConnectionSettings, openDatabase } from "../packages/server/src/foundation/database/index.ts";
import { newId, type WorkspaceId } from "../packages/server/src/foundation/ids.ts";
import { silentLog } from "../packages/server/src/foundation/log.ts";
import { addWorkspaces } from "./calls-store.ts";
import { countTaken } from "./webhook-store.ts";

export interface SenderJob {
  readonly connection: ConnectionSettings;
  readonly urls: readonly string[];
  // How many each address gets, and the pause after one for each; 0 queues all of them before sending begins.
  readonly perUrl: number;
  readonly pauseMs: number;
  // How many of the addresses, from the first, we wait for.
  readonly waitFor: number;
}

export interface SenderTally {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

const ballast = "x".repeat(900);

process.on("message", async (job: SenderJob) => {
  const database = openDatabase({ connection: job.connection, poolSize: 8 });
  const secret = randomBytes(32);
  const ring = { id: "bench", secret };
  const webhooks = createWebhooks({
    database,
    clock: systemClock,
    log: silentLog,
    audit: createAudit({ database }),
    keyRing: { current: () => ring, verifying: () => [ring] },
    policy: { allowHttp: false, developmentTargets: job.urls.map((url) => new URL(url).host) },
    userAgent: "Atelier/bench",
  });
  const workspaces = job.urls.map(() => newId<"workspace">());
  await addWorkspaces(database, workspaces);
  const lanes = job.urls.map((url, index) => ({ url, workspaceId: workspaces[index] ?? newId<"workspace">() }));
  const stop = new AbortController();
  const enqueue = async () => {
    await webhooks.enqueue(database, lanes.map(noticeFor));
    webhooks.wake(lanes);
  };
  if (job.pauseMs === 0) for (let index = 0; index < job.perUrl; index++) await enqueue();
  const began = performance.now();
  const cpuBefore = process.cpuUsage();
  const running = webhooks.run(createBackground({ clock: systemClock, log: silentLog }), stop.signal);
  if (job.pauseMs > 0) {
    for (let index = 0; index < job.perUrl; index++) {
      const next = performance.now() + job.pauseMs;
      await enqueue();
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())));
    }
  }
  const waitedFor = workspaces.slice(0, job.waitFor);
  while ((await countTaken(database, waitedFor)) < waitedFor.length * job.perUrl)
    await new Promise((resolve) => setTimeout(resolve, 20));
  const seconds = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpuBefore);
  process.send?.({ seconds, cpuSeconds: (used.user + used.system) / 1e6 } satisfies SenderTally, () => process.exit(0));
  stop.abort();
  await running;
});

function noticeFor({ url, workspaceId }: { url: string; workspaceId: WorkspaceId }): Notice {
  const body = Buffer.from(JSON.stringify({ at: Date.now(), ballast }));
  return { workspaceId, subjectId: newId(), sequence: 1, url, type: "job.succeeded", body };
}
