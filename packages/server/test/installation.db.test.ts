// What operators read and begin about the installation over HTTP: the settings in effect, figures over all workspaces, a backup now.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type {
  Backup,
  BackupList,
  EffectiveSettingList,
  InstallationFigures,
  InstallationUsage,
} from "@atelier/contract";
import { bearer } from "./support/app-client.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let folder: string;
let app: TestApp;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-backups-"));
  app = await testApp({ env: { ATELIER_BACKUP_TO: folder, ATELIER_CORS_ORIGINS: "https://a.example" } });
});
after(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const read = async <T>(path: string): Promise<T> =>
  (await app.call({ path, headers: bearer(app.adminToken) })).json() as T;
const begin = (token: string) => app.call({ method: "POST", path: "/admin/backups", headers: bearer(token) });

describe("settings", () => {
  test("are listed with their values, and no secret is in the answer", async () => {
    const answer = await app.call({ path: "/admin/settings", headers: bearer(app.adminToken) });
    const { data } = answer.json() as EffectiveSettingList;
    const of = (env: string) => data.find((each) => each.env === env);
    assert.equal(of("ATELIER_CORS_ORIGINS")?.value, "https://a.example");
    assert.equal(of("ATELIER_ADMIN_TOKEN")?.value, "***");
    assert.equal(of("DATABASE_URL")?.value, "***");
    assert.ok(!answer.text.includes(app.adminToken));
  });

  test("are for operators", async () => {
    assert.ok([401, 403].includes((await app.call({ path: "/admin/settings", headers: bearer(app.key) })).status));
    assert.ok([401, 403].includes((await begin(app.key)).status));
  });
});

describe("a backup now", () => {
  test("begins, is verified and listed; only one is made at a time; the audit has it", async () => {
    const answer = await begin(app.adminToken);
    assert.equal(answer.status, 202, answer.text);
    const begun = answer.json() as Backup;
    assert.equal(begun.status, "running");
    assert.equal(begun.location, folder);
    assert.equal((await begin(app.adminToken)).status, 409);
    const ended = await until("it has ended", async () => {
      const { data } = await read<BackupList>("/admin/backups");
      const found = data.find(({ id }) => id === begun.id);
      return found !== undefined && found.status !== "running" && found;
    });
    assert.equal(ended.status, "verified", ended.problem ?? "");
    assert.ok(existsSync(join(folder, begun.name)));
    const list = await read<BackupList>("/admin/backups");
    assert.deepEqual([list.last_good?.id, list.is_late], [begun.id, false]);
    const audit = await read<{ data: { action: string; subject: { id: string } }[] }>("/admin/audit?limit=5");
    assert.ok(audit.data.some(({ action, subject }) => action === "backup.begin" && subject.id === begun.id));
  });
});

describe("figures over all workspaces", () => {
  const usage = (query: string) => read<InstallationUsage>(`/admin/usage/series?${query}`);

  test("calls are counted once each, by outcome and by workspace, also where they are in no sum yet", async () => {
    // Refused by the model's schema: counted, and nothing is dialled.
    await putProvider(app, aDefinition("counted", { models: [aModel({ released: true })] }));
    const path = "/v1/models/counted/sketch-2";
    const refused = await app.call({ method: "POST", path, headers: bearer(app.key), body: { prompt: 7 } });
    assert.equal(refused.status, 422, refused.text);
    const whole = await until(
      "the refusal is counted",
      async () => {
        const found = await usage("hours=1");
        return found.total.calls > 0 && found;
      },
      20,
    );
    assert.equal(whole.step, "minute");
    assert.deepEqual(whole.groups, []);
    assert.equal(
      whole.data.reduce((sum, { calls }) => sum + calls, 0),
      whole.total.calls,
    );
    const byOutcome = await usage("hours=24&by=outcome");
    assert.equal(byOutcome.step, "hour");
    assert.equal(byOutcome.total.calls, whole.total.calls);
    assert.ok(byOutcome.groups.every(({ label }) => label === null));
    const { groups } = await usage("hours=720&by=workspace");
    assert.deepEqual(
      groups.map(({ key, calls }) => [key, calls]),
      [[app.workspaceId, whole.total.calls]],
    );
    assert.ok((groups[0]?.label ?? "").length > 0);
  });

  test("jobs are counted by when they were submitted, with how long they waited and ran", async () => {
    const workflow = { "1": { class_type: "PrimitiveInt", inputs: { value: 1 } } };
    const made = await app.call({
      method: "POST",
      path: "/api/v2/jobs",
      headers: bearer(app.key),
      body: { workflow },
    });
    const { jobs, now, step } = await read<InstallationFigures>("/admin/figures?hours=168");
    assert.equal(step, "hour");
    assert.ok(now.stored_bytes >= 0 && now.assets >= 0);
    const submitted = jobs.reduce((sum, each) => sum + each.submitted, 0);
    assert.equal(submitted, made.status === 201 ? 1 : 0, made.text);
  });

  test("400 for hours or a grouping that do not exist", async () => {
    for (const path of ["/admin/usage/series?hours=0", "/admin/usage/series?by=mood", "/admin/figures?hours=721"])
      assert.equal((await app.call({ path, headers: bearer(app.adminToken) })).status, 400, path);
  });
});
