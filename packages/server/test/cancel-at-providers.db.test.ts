// Calls are stopped at providers that can stop them, and cost what the providers then say.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { queuedCall, submitted } from "./support/model-requests.ts";
import { readOn } from "./support/router-calls.ts";
import { acceptedCallOfJob } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";
import { slowWork } from "./support/work-calls.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  const video = apps.definition.models.find(({ model }) => model === "video-1");
  assert.ok(video);
  const { cancel: _, ...stubborn } = video;
  const file = await apps.write("stubborn", { ...apps.definition, provider: "stubborn", models: [stubborn] });
  app = await apps.open({ env: { ATELIER_PROVIDERS: `${apps.file},${file}`, ATELIER_BOOTSTRAP_CREDITS: "100000" } });
});
afterEach(() => invariantsHold(app.database));
after(() => apps.close());

const film = "sandbox/video-1";
const perSecond = 0.05 * 211;
const statusOf = async (id: string) => (await apps.reference(id))?.status;
const atProvider = (id: string) =>
  until("it runs at the provider", async () => ((await statusOf(id)) === "RUNNING" ? true : null));

describe("a queued call at its provider", () => {
  test("is stopped there, and charged for what the provider reports", async () => {
    const request = await submitted(app, film, { prompt: "waves", seconds: 8, simulate_seconds: 60 });
    await atProvider(request.id);
    const asked = await until("it can be cancelled", async () => {
      const answer = await request.cancel();
      return answer.status === 202 ? answer : null;
    });
    assert.match(asked.text, /IN_PROGRESS|COMPLETED/);
    const ended = await request.until("COMPLETED");
    assert.deepEqual([ended["error_type"], ended["code"]], ["invalid_input", "cancelled"]);
    await until("it stopped", async () => ((await statusOf(request.id)) === "CANCELLED" ? true : null));
    const seconds = Number(ended["credits_used"]) / perSecond;
    assert.ok(seconds >= 1 && seconds < 8 && Number.isInteger(Math.round(seconds * 1e6) / 1e6), String(seconds));
    assert.equal((await request.result()).status, 409);
    assert.equal((await request.cancel()).status, 409, "it has ended");
  });

  test("another process and another workspace: the handle is stored, and belongs to its workspace", async () => {
    const other = await apps.open({ beside: app, env: { ATELIER_PROVIDERS: apps.file } });
    const request = await submitted(app, film, { prompt: "waves", seconds: 1, simulate_seconds: 60 });
    await atProvider(request.id);
    const stranger = await addTenant(app, "Eve");
    assert.equal((await queuedCall({ call: app.call, key: stranger.key }, film, request.id).cancel()).status, 404);
    const elsewhere = queuedCall({ call: other.call, key: app.key }, film, request.id);
    await until("it can be cancelled", async () => ((await elsewhere.cancel()).status === 202 ? true : null));
    assert.equal((await request.until("COMPLETED"))["code"], "cancelled");
  });

  test("goes on where the provider cannot stop it, and where the task has ended, it is charged in full", async () => {
    const request = await submitted(app, "stubborn/video-1", { prompt: "waves", seconds: 1, simulate_seconds: 2 });
    await atProvider(request.id);
    const refused = await request.cancel();
    assert.deepEqual([refused.status, memberOf(refused.json(), "code")], [409, "cancel_refused"]);
    const ended = await request.until("COMPLETED");
    assert.equal(Number(ended["credits_used"]).toFixed(4), perSecond.toFixed(4));
  });
});

test("a canceled job's calls are stopped at their providers", async () => {
  const headers = { ...bearer(app.key), "content-type": "application/json" };
  const body = { workflow: slowWork(60).graph };
  const submit = await app.call({ method: "POST", path: "/api/v2/jobs", headers, body });
  assert.equal(submit.status, 201, submit.text);
  const id = textOf(submit.json(), "id");
  const callId = await until("its node's call has a task at the provider", () => acceptedCallOfJob(app.database, id));
  const canceled = await app.call({ method: "POST", path: `/api/v2/jobs/${id}/cancel`, headers });
  assert.ok(canceled.status < 300, canceled.text);
  await until("the provider stopped it", async () => ((await statusOf(callId)) === "CANCELLED" ? true : null));
  await until("the job ended", async () =>
    textOf((await readOn(app, `/api/v2/jobs/${id}`)).json(), "status") === "canceled" ? true : null,
  );
  await until("its call ended", async () => {
    const call = memberOf((await readOn(app, `/account/requests/${callId}`)).json(), "call");
    return memberOf(call, "state") === "finished" && memberOf(call, "outcome") === "cancelled" ? true : null;
  });
});
