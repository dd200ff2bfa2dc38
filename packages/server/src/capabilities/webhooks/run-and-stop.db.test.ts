import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sql } from "../../foundation/database/index.ts";
import { aReceiver, status } from "../../foundation/http/receiver.fixture.ts";
import { silentLog } from "../../foundation/log.ts";
import { createMetrics } from "../../foundation/metrics.ts";
import { webhookMeter } from "./webhook-metrics.ts";
import { aSender, aWorkspace, enqueueChange, requireInvariants } from "./webhooks.fixture.ts";

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let look = 0; look < 12_000; look++) {
    if (await isSo()) return;
    await pause(5);
  }
  assert.fail(`never: ${what}`);
}

test("a running sender sends at once what it is woken for; a stop lets that end and gives back the rest", async () => {
  const database = await testDatabase();
  const receiver = await aReceiver();
  try {
    const workspaceId = await aWorkspace(database);
    const sender = aSender(database, [receiver.target]);
    const stop = new AbortController();
    const running = sender.run(createBackground({ clock: systemClock, log: silentLog }), stop.signal);
    const locator = { workspaceId, url: receiver.url };
    await enqueueChange(sender, database, locator);
    sender.wake([locator]);
    await until("the first arrives", () => receiver.received.length === 1);
    await until("it is recorded", async () => {
      const { deliveries } = await sender.deliveries.list({ workspaceId, before: null, limit: 1 });
      return deliveries[0]?.status === "delivered";
    });

    const held: (() => void)[] = [];
    receiver.answer = (response) => void held.push(() => status(200)(response));
    for (let index = 0; index < 10; index++) await enqueueChange(sender, database, locator);
    sender.wake([locator]);
    await until("four are being sent", () => held.length === 4);
    stop.abort();
    for (const release of held) release();
    await running;
    const rows = await database.query<{ claim_id: string | null }>(sql`select claim_id from webhook_queue`);
    assert.deepEqual(
      rows.map(({ claim_id }) => claim_id),
      [null, null, null, null, null, null],
    );
    await requireInvariants(database);
  } finally {
    receiver.close();
    await database.close();
  }
});

test("what operators watch: attempts by outcome, dead letters, how many wait and for how long", async () => {
  const database = await testDatabase();
  const receiver = await aReceiver();
  const metrics = createMetrics();
  try {
    const workspaceId = await aWorkspace(database);
    const clocked = aSender(database, [receiver.target]);
    const meter = webhookMeter(metrics, { database, clock: clocked.clock });
    const sender = aSender(database, [receiver.target], { clock: clocked.clock, meter });
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await sender.round();
    receiver.answer = status(500);
    await enqueueChange(sender, database, { workspaceId, url: receiver.url });
    await enqueueChange(sender, database, { workspaceId, url: "https://10.0.0.1/hook" });
    await sender.round();
    await sender.clock.advance(65_000);
    const text = await metrics.text();
    const value = (name: string) =>
      Number(new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\S+)$`, "m").exec(text)?.[1]);
    assert.deepEqual(
      ["taken", "refused", "unreached"].map((outcome) => value(`atelier_webhook_attempts_total{outcome="${outcome}"}`)),
      [1, 1, 1],
    );
    assert.equal(value("atelier_webhook_first_attempt_seconds_count"), 3);
    assert.equal(value("atelier_webhook_dead_total"), 0);
    assert.equal(value("atelier_webhook_queue"), 2);
    assert.equal(Math.round(value("atelier_webhook_queue_age_seconds")), 60);
    assert.equal(value("atelier_webhook_receivers_disabled"), 0);
  } finally {
    metrics.stop();
    receiver.close();
    await database.close();
  }
});
