// Processes that queue and send are killed over and over in the middle of it, while the receiver refuses half of what it
// gets. Everything queued arrives at least once or ends as a dead letter, signed, without a gap in any sequence; and an event has
// its own delivery and the endpoint's, or neither.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { testDatabase } from "../../../test/support/test-database.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { aReceiver, status } from "../../foundation/http/receiver.fixture.ts";
import type { SendLoopSettings } from "./send-loop.child.ts";
import { aSender, aWorkspace, requireInvariants } from "./webhooks.fixture.ts";

const kills = Number(process.env["ATELIER_TEST_WEBHOOK_KILLS"] ?? 6);

function runAndKill(settings: SendLoopSettings, queued: string[], afterLines: number): Promise<void> {
  const child = spawn(
    process.execPath,
    ["--conditions=atelier-source", join(import.meta.dirname, "send-loop.child.ts"), JSON.stringify(settings)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let lines = 0;
  const giveUp = setTimeout(() => child.kill("SIGKILL"), 120_000);
  createInterface({ input: child.stdout }).on("line", (line) => {
    queued.push(line);
    if (++lines === afterLines) setTimeout(() => child.kill("SIGKILL"), Math.random() * 30);
  });
  return new Promise((resolve, reject) => {
    child.once("close", (_code, signal) => {
      clearTimeout(giveUp);
      if (signal === "SIGKILL" && lines >= afterLines) resolve();
      else reject(new Error(`The child ended by itself after ${lines} lines.`));
    });
  });
}

test(`${kills} kills: everything that was queued arrives or is a dead letter`, { timeout: 900_000 }, async () => {
  const database = await testDatabase();
  const receiver = await aReceiver();
  const secret = randomBytes(32);
  const ring = { id: "ring-1", secret };
  try {
    const workspaceId = await aWorkspace(database);
    receiver.answer = (response) => status(Math.random() < 0.5 ? 500 : 200)(response);
    const queued: string[] = [];
    const settings = { databaseUrl: database.url, workspaceId, target: receiver.target };
    const clock = handClock(new Date());
    const sender = aSender(database, [receiver.target], {
      clock,
      keyRing: { current: () => ring, verifying: () => [ring] },
    });
    const { text } = await sender.secrets.rotate({ workspaceId }, { actor: { kind: "system", id: null } });
    const url = `http://${receiver.target}/endpoint`;
    const filter = { tag: null, model: null, deployment: null };
    const { text: endpointText } = await sender.endpoints.create(
      workspaceId,
      { url, description: "", types: ["job.running"], filter },
      { actor: { kind: "system", id: null } },
    );
    for (let kill = 0; kill < kills; kill++) {
      const aheadMs = kill * 61_000;
      await runAndKill(
        { ...settings, ringSecret: secret.toString("hex"), aheadMs },
        queued,
        20 + Math.floor(Math.random() * 60),
      );
    }
    // A process that lives sends the rest, over the remainder of every schedule.
    await clock.advance(kills * 61_000 + 61_000);
    for (let hour = 0; hour < 120; hour++) {
      await sender.round();
      await clock.advance(3_600_000);
    }
    const { deliveries } = await sender.deliveries.list({ workspaceId, before: null, limit: 1_000_000 });
    assert.ok(deliveries.length >= 2 * queued.length);
    const arrived = new Set(receiver.received.map(({ headers }) => String(headers["webhook-id"])));
    for (const delivery of deliveries) {
      assert.ok(["delivered", "dead"].includes(delivery.status), delivery.status);
      assert.ok(arrived.has(delivery.id) || delivery.status === "dead");
    }
    const known = new Set(deliveries.map(({ subjectId, sequence }) => `${subjectId} ${sequence}`));
    for (const line of queued) assert.ok(known.has(line), line);
    const byEvent = Map.groupBy(deliveries, ({ subjectId, sequence }) => `${subjectId} ${sequence}`);
    for (const [event, of] of byEvent)
      assert.deepEqual(of.map(({ endpointId }) => endpointId === null).sort(), [false, true], event);
    const [webhook, ofEndpoint] = [new Webhook(text), new Webhook(endpointText)];
    const recent = receiver.received.filter(
      ({ headers }) => Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1000) < 240,
    );
    assert.ok(recent.length > 0);
    for (const { path, headers, body } of recent) {
      const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      assert.doesNotThrow(() => (path === "/endpoint" ? ofEndpoint : webhook).verify(body, flat));
    }
    await requireInvariants(database);
  } finally {
    receiver.close();
    await database.close();
  }
});
