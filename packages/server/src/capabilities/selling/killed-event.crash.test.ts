// A process is killed between storing an event and its effect, and again after the wallet was changed but not committed: the event is
// still there, no credit was added, and the next process adds them once. Killed after the effect, nothing is added again.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { testDatabase } from "../../../test/support/test-database.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { callInvariants, findWallet, moveFacts } from "../calls/shared-sql.ts";
import type { KilledEventSettings } from "./killed-event.child.ts";
import { aSeller, aWorkspace, bySystem, recorded, secret, sign, studioPlan } from "./selling.fixture.ts";
import { sellingInvariants } from "./shared-sql.ts";

function runUntilKilled(settings: KilledEventSettings): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--conditions=atelier-source", join(import.meta.dirname, "killed-event.child.ts"), JSON.stringify(settings)],
    { stdio: ["ignore", "inherit", "inherit"] },
  );
  const giveUp = setTimeout(() => child.kill("SIGTERM"), 60_000);
  return new Promise((resolve, reject) => {
    child.once("close", (_code, signal) => {
      clearTimeout(giveUp);
      if (signal === "SIGKILL") resolve();
      else reject(new Error(`The child ended by ${signal ?? "itself"}.`));
    });
  });
}

test("kills between store and effect: credits are added once", { timeout: 900_000 }, async () => {
  const database = await testDatabase();
  try {
    await aSeller(database).selling.createPlan(studioPlan, bySystem);
    for (const dieAt of ["before the wallet", "after the wallet", "after the answer"] as const) {
      const workspaceId = await aWorkspace(database);
      const available = async () => (await findWallet(database, workspaceId)).available;
      const living = aSeller(database, { clock: handClock(new Date()) });
      const [, paid, , , checkout] = recorded("month", workspaceId);
      assert.ok(paid && checkout);
      await living.send(checkout);
      const event = JSON.stringify(paid);
      const signature = sign(Buffer.from(event), new Date());
      await runUntilKilled({ databaseUrl: database.url, secret, signature, event, dieAt });
      const [stored] = (await living.selling.events({ before: null, count: 100, state: null })).filter(
        ({ eventId }) => eventId === paid.id,
      );
      const isDone = dieAt === "after the answer";
      assert.equal(stored?.state, isDone ? "applied" : "stored", dieAt);
      assert.equal(await available(), isDone ? studioPlan.credits : 0n, dieAt);
      await living.clock.advance(60_000);
      await Promise.all([
        living.selling.round(),
        aSeller(database, { clock: living.clock }).selling.round(),
        living.send(paid),
      ]);
      assert.equal(await available(), studioPlan.credits, dieAt);
    }
    for (const { name, statement } of [...callInvariants, ...sellingInvariants(moveFacts)])
      assert.deepEqual(await database.query(statement), [], name);
  } finally {
    await database.close();
  }
});
