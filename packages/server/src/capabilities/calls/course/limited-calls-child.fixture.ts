// A process that reserves, or reserves and begins, under a limit, says so, and waits to be killed.
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { openDatabase } from "../../../foundation/database/index.ts";
import { newId, trustedId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createAudit } from "../../audit/index.ts";
import { createKeyCaps } from "../credits/credits-caps.ts";
import { createCallLimits } from "../limiting/call-limits.ts";
import { createCalls } from "../protocol/calls.ts";
import { opening } from "../rounds/calls.fixture.ts";

const settings: { databaseUrl: string; workspaceId: string; begins: boolean } = JSON.parse(process.argv[2] ?? "{}");
const database = openDatabase({ connection: settings.databaseUrl, poolSize: 4 });
const audit = createAudit({ database });
const caps = createKeyCaps({ database, audit, limits: createCallLimits({ database, audit }) });
const workspaceId = trustedId<"workspace">(settings.workspaceId);
const callId = newId<"call">();
const models = ["sandbox/image-1"];
await caps.requireWithinCap({ workspaceId, apiKeyId: null, callId, hold: 10n, models });
if (settings.begins) {
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await calls.begin({ ...opening(workspaceId), id: callId });
}
process.stdout.write(`${callId}\n`);
setInterval(() => undefined, 1_000);
