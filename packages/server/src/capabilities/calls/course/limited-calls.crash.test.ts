// A process is killed with a place under a limit: after it reserved, and after its call began. The place is never given to two, and is
// free again when the reservation is too old, or when the follower has ended the call.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId, trustedId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createAudit } from "../../audit/index.ts";
import { createKeyCaps } from "../credits/credits-caps.ts";
import { createCallLimits } from "../limiting/call-limits.ts";
import { createCalls } from "../protocol/calls.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";

const models = ["sandbox/image-1"];

test("kill -9 with a reservation, and with a begun call", { timeout: 600_000 }, async () => {
  const database = await testDatabase();
  const audit = createAudit({ database });
  const limits = createCallLimits({ database, audit });
  const caps = createKeyCaps({ database, audit, limits });
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  try {
    await calls.start();
    const workspaceId = await callsFixture(database).newWorkspace(1_000_000n);
    await limits.setOfModel(
      models[0] ?? "",
      { perMinute: null, concurrency: 1 },
      { actor: { kind: "system", id: null } },
    );
    // Null if it was let in; then it gives its place back.
    const ask = async () => {
      const call = { workspaceId, apiKeyId: null, callId: newId<"call">(), hold: 10n, models };
      try {
        await caps.requireWithinCap(call);
      } catch (error) {
        return Reflect.get(Object(error), "code");
      }
      await caps.giveBack(call);
      return null;
    };
    const killed = async (begins: boolean) => {
      const settings = JSON.stringify({ databaseUrl: database.url, workspaceId, begins });
      const path = join(import.meta.dirname, "limited-calls-child.fixture.ts");
      const child = spawn(process.execPath, ["--conditions=atelier-source", path, settings], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      const [line] = await once(child.stdout, "data");
      child.kill("SIGKILL");
      await once(child, "exit");
      return trustedId<"call">(String(line).trim());
    };
    assert.equal(await ask(), null);

    await killed(false);
    assert.equal(await ask(), "concurrency_limit_exceeded", "it might still begin");
    await database.execute(sql`update limited_calls set reserved_at = reserved_at - interval '301 seconds'`);
    assert.equal(await ask(), null);

    const callId = await killed(true);
    await database.execute(sql`update limited_calls set reserved_at = reserved_at - interval '301 seconds'`);
    assert.equal(await ask(), "concurrency_limit_exceeded", "it may still run at the provider");
    // As the follower ends what a dead process left.
    const usage = {
      requestId: null,
      apiKeyId: null,
      subject: "model:sandbox/image-1",
      status: 500,
      totalMs: 1,
      providerMs: 1,
    };
    const answer = { status: 500, headers: {}, body: Buffer.from("{}") };
    const call = { id: callId, workspaceId, fence: 1 };
    assert.equal(
      await calls.finish({ call, state: "finished", outcome: "provider_error", charge: 0n, answer, usage }),
      true,
    );
    assert.equal(await ask(), null);
  } finally {
    await calls.close();
    await database.close();
  }
});
