// What the metrics page says about providers and partners, after calls over HTTP that succeeded and failed.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer } from "./support/app-client.ts";
import { type PartnerApp, partnerApp, relightPath, taskIdOf } from "./support/partner-app.ts";
import { invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let upstream: ScriptedUpstream;
let it: PartnerApp;

before(async () => {
  apps = await sandboxApps();
  upstream = await scriptedUpstream({
    well: { answer: { status: 200, body: "{}" } },
    broken: { answer: { status: 500 } },
    late: { answer: { status: 504 } },
    strict: { answer: { status: 400, body: '{"message":"no"}' } },
  });
  const providers = `${apps.file},${await apps.write("scripted", upstream.definition)}`;
  app = await apps.open({ env: { ATELIER_PROVIDERS: providers } });
  it = await partnerApp();
});
after(async () => {
  await it?.close();
  await apps.close();
  await upstream.close();
});

// Calls by provider and outcome.
async function counted({ call, adminToken }: TestApp): Promise<Readonly<Record<string, number>>> {
  const page = (await call({ path: "/metrics", headers: bearer(adminToken) })).text;
  const lines = page.matchAll(
    /^atelier_provider_call_seconds_count\{call="(\w+)",provider="([^"]+)",outcome="(\w+)"\} (\d+)$/gm,
  );
  return Object.fromEntries(
    [...lines].map(([, what, provider, outcome, count]) => [`${what} ${provider} ${outcome}`, Number(count)]),
  );
}

test("model calls are counted by provider and by the bucket that their callers got", async () => {
  const statuses: number[] = [];
  for (const model of ["scripted/well", "scripted/well", "scripted/broken", "scripted/late", "scripted/strict"])
    statuses.push((await invokeOn(app, model, {})).status);
  assert.deepEqual(statuses, [200, 200, 502, 504, 400]);
  // A call that is refused before it leaves is not a call at a provider.
  assert.equal((await invokeOn(app, "scripted/nothing", {})).status, 404);
  await invokeOn(app, "sandbox/image-1", { prompt: "x", width: 64, height: 64 });
  assert.deepEqual(await counted(app), {
    "model scripted ok": 2,
    "model scripted provider_error": 1,
    "model scripted provider_timeout": 1,
    "model scripted invalid_input": 1,
    "model sandbox ok": 1,
  });
});

test("a partner task is counted when it starts and when it ends, each once", async () => {
  const well = await it.relight();
  const badly = await it.relight({ prompt: "another" });
  it.partner.state(it.partnerTaskOf(well), "COMPLETED", { generated: ["https://pictures.example/1.png"] });
  it.partner.state(it.partnerTaskOf(badly), "FAILED");
  await it.untilStatus(`${relightPath}/${taskIdOf(well)}`, "COMPLETED");
  await it.untilStatus(`${relightPath}/${taskIdOf(badly)}`, "FAILED");
  // Read again: nothing changes any more.
  await it.read(`${relightPath}/${taskIdOf(well)}`);
  const expected = { "task_start partner-a ok": 2, "task partner-a ok": 1, "task partner-a provider_error": 1 };
  await until("both ends are counted", async () => "task partner-a provider_error" in (await counted(it.app)));
  assert.deepEqual(await counted(it.app), expected);
});
