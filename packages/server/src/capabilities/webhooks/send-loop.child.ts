// A process that queues notices and sends them until it is killed. Its clock can be set ahead, so that the leases of
// earlier processes have ended. Reports each notice that is certainly stored.

import { flushCompileCache } from "node:module";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { openDatabase } from "../../foundation/database/index.ts";
import { newId, trustedId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createAudit } from "../audit/index.ts";
import { createWebhooks } from "./webhooks.ts";

export interface SendLoopSettings {
  readonly databaseUrl: string;
  readonly workspaceId: string;
  readonly target: string;
  readonly ringSecret: string;
  readonly aheadMs: number;
}

const settings: SendLoopSettings = JSON.parse(process.argv[2] ?? "{}");
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + settings.aheadMs) };
const database = openDatabase({ connection: settings.databaseUrl, poolSize: 4 });
const ring = { id: "ring-1", secret: Buffer.from(settings.ringSecret, "hex") };
const webhooks = createWebhooks({
  database,
  clock,
  log: silentLog,
  audit: createAudit({ database }),
  keyRing: { current: () => ring, verifying: () => [ring] },
  policy: { allowHttp: false, developmentTargets: [settings.target] },
  userAgent: "Atelier/test",
});
const workspaceId = trustedId<"workspace">(settings.workspaceId);
const url = `http://${settings.target}/hook`;
// A killed process would lose its compile cache.
flushCompileCache();
void webhooks.run(createBackground({ clock, log: silentLog }), new AbortController().signal);
while (true) {
  const subjectId = newId();
  for (const sequence of [1, 2, 3]) {
    const body = Buffer.from(JSON.stringify({ id: subjectId, sequence }));
    const notice = { workspaceId, subjectId, sequence, url, type: "job.running" as const, body };
    await database.transaction((tx) => webhooks.enqueue(tx, [notice]));
    process.stdout.write(`${subjectId} ${sequence}\n`);
    webhooks.wake([{ workspaceId, url }]);
    if (sequence === 3) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
