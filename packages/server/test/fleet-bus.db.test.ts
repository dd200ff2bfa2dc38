// Two gateways that wake each other over NATS, and gateways whose NATS is misconfigured or goes away.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { hasNats, type TestNats, testNats } from "./support/test-nats-server.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

describe("gateways on NATS", { skip: !hasNats && "this machine has no nats-server" }, () => {
  let nats: TestNats;
  let here: TestApp | null = null;
  let there: TestApp | null = null;
  before(async () => {
    nats = await testNats();
    await nats.start();
    here = await testApp({ env: { ATELIER_BUS: nats.url, ATELIER_ENGINE_SLOTS: "0" } });
    there = await testApp({ beside: here, env: { ATELIER_BUS: nats.url, ATELIER_ENGINE_SLOTS: "1" } });
  });
  after(async () => {
    await there?.close();
    await here?.close();
    await nats.kill();
  });
  const checksOf = async (app: TestApp | null) => {
    const answer = await fetch(`${app?.baseUrl}/readyz`);
    const body: { checks: Record<string, { status: string; message?: string }> } = Object(await answer.json());
    return { status: answer.status, bus: body.checks["bus"] };
  };

  test("a job submitted at one gateway is run by the other and watched at the first", async () => {
    assert.ok(here && there);
    const headers = bearer(here.key);
    const submitted = await here.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow } });
    assert.equal(submitted.status, 201, submitted.text);
    const { id } = JSON.parse(submitted.text);
    const events = await fetch(`${here.baseUrl}/api/v2/jobs/${id}/events`, { headers });
    // The stream ends with the job.
    const stream = await events.text();
    assert.match(stream, /"status":"running"[\s\S]*"status":"succeeded"/);
  });

  test("a lost bus shows in the metrics and in readiness, and both stay ready", async () => {
    assert.deepEqual(await checksOf(here), { status: 200, bus: { status: "ok" } });
    await nats.kill();
    const metrics = async () => {
      const headers = { authorization: `Bearer ${here?.adminToken}` };
      return (await fetch(`${here?.baseUrl}/metrics`, { headers })).text();
    };
    await until("the loss is seen", async () => /^atelier_bus_connected 0$/m.test(await metrics()));
    // A verdict is cached for a moment.
    const { status, bus } = await until("readiness says so", async () => {
      const found = await checksOf(here);
      return found.bus?.message === undefined ? null : found;
    });
    assert.deepEqual([status, bus?.status], [200, "ok"]);
    assert.match(bus?.message ?? "", /^The bus is not available: /);
    await nats.start();
    await until("it is back", async () => /^atelier_bus_connected 1$/m.test(await metrics()));
  });

  test("a gateway that never reached its NATS is not ready, and says why", async () => {
    assert.ok(here);
    const unreachable = await testNats();
    const alone = await testApp({ beside: here, env: { ATELIER_BUS: unreachable.url } });
    try {
      await until("the check fails", async () => (await checksOf(alone)).status === 503);
      const { bus } = await checksOf(alone);
      assert.deepEqual(
        [bus?.status, /^The bus is not (available|connected)/.test(bus?.message ?? "")],
        ["failing", true],
      );
    } finally {
      await alone.close();
    }
  });
});
