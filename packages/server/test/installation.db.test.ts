// What operators read and begin about the installation over HTTP: the settings in effect, and a backup now.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Backup, BackupList, EffectiveSettingList } from "@atelier/contract";
import { bearer } from "./support/app-client.ts";
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
