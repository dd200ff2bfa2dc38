// A data folder of an older release under this version's real commands: what the upgrade will do, the upgrade, kills in the
// middle of it, and the way back.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, watch } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pendingMigrations } from "../src/foundation/database/index.ts";
import { type Figures, figuresOf, releasedHome, withDatabase } from "./released/released-home.fixture.ts";
import { runAtelier, startServerProcess } from "./support/server-process.ts";
import { migrationsDirectory } from "./support/test-database.ts";

const oldVersion = 19;
const adminToken = "operators-token-of-24-characters";

async function atelier(home: string, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = runAtelier(words, { ATELIER_HOME: home, ...env });
  let [out, said] = ["", ""];
  child.stdout?.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  return { code, out, said };
}

const figures = (home: string): Promise<Figures> => withDatabase(home, {}, ({ database }) => figuresOf(database));
const backupsIn = (home: string) => readdirSync(join(home, "backups")).filter((name) => name.startsWith("before-"));
const unbroken = (invariants: Figures["invariants"]) => Object.entries(invariants).filter(([, rows]) => rows > 0);

// The sums and counts are what they were; the new version has more invariants, and all of them hold.
function requireSame(before: Figures, after: Figures): void {
  assert.deepEqual(after.rows, before.rows);
  assert.equal(after.credits, before.credits);
  assert.deepEqual(unbroken(after.invariants), []);
  for (const name of Object.keys(before.invariants)) assert.ok(name in after.invariants, name);
}

describe("a data folder of 0.1.0", () => {
  test("is upgraded by a start, keeps all it had, and goes back to the version it was", async () => {
    const { home, key, remove } = await releasedHome("0.1.0");
    try {
      const before = await figures(home);
      assert.equal(before.version, oldVersion);
      assert.ok(
        Number(before.rows["calls"]) > 40 && Number(before.rows["jobs"]) > 5 && before.rows["node_versions"] === 1,
      );
      assert.ok(Object.keys(before.invariants).length > 5, "some invariants are as old as the release");
      assert.deepEqual(unbroken(before.invariants), []);
      const { latest } = await withDatabase(home, {}, ({ database }) =>
        pendingMigrations(database, migrationsDirectory),
      );

      const checked = await atelier(home, ["upgrade", "--check", "--json"]);
      assert.equal(checked.code, 0, checked.said);
      const { data: plan } = JSON.parse(checked.out);
      assert.deepEqual([plan.version, plan.latest, plan.pending.length], [oldVersion, latest, latest - oldVersion]);
      assert.match(plan.pending[0].brings, /^What each process of the service does by itself/);
      assert.equal(plan.backup.will_be_made, true);
      assert.equal((await figures(home)).version, oldVersion, "a check changes nothing");

      const server = await startServerProcess({ home, isAsShipped: true, env: { ATELIER_ADMIN_TOKEN: adminToken } });
      try {
        const ask = (path: string, credential: string) =>
          fetch(`${server.baseUrl}${path}`, { headers: { authorization: `Bearer ${credential}` } });
        assert.equal((await ask("/v1/models", key)).status, 200, "the old key works");
        assert.equal((await ask("/nodes/mynode", key)).status, 200, "the published node is there");
        const checks = (await (await ask("/admin/checks", adminToken)).json()) as {
          data: { name: string; status: string; message: string }[];
        };
        const bad = checks.data.filter(
          ({ name, status }) => status === "problem" || (name === "key ring" && status !== "ok"),
        );
        assert.deepEqual(bad, []);
      } finally {
        await server.kill("SIGTERM");
      }
      assert.match(server.log(), /backed up the database before migrating it/);
      const after = await figures(home);
      assert.equal(after.version, latest);
      requireSame(before, after);
      assert.equal(backupsIn(home).length, 1);

      assert.equal((await atelier(home, ["keys", "create", "later"])).code, 0);
      const asked = await atelier(home, ["upgrade", "--back", "--json"]);
      assert.equal(asked.code, 2, "it says first what is lost");
      const { lost } = JSON.parse(asked.out).data;
      assert.equal(lost.find(({ table }: { table: string }) => table === "api_keys")?.rows, 1);
      assert.match(asked.out + asked.said, /Nothing was changed\. Run it again with --yes/);
      assert.equal((await figures(home)).version, latest);
      const went = await atelier(home, ["upgrade", "--back", "--yes", "--json"]);
      assert.equal(went.code, 0, went.said + went.out);
      const again = await figures(home);
      assert.deepEqual({ ...again, invariants: {} }, { ...before, invariants: {} });
      assert.ok(readdirSync(join(home, "backups")).some((name) => name.startsWith("replaced-")));
    } finally {
      remove();
    }
  });

  test("survives kills in the middle of the backup and of the migrations", async () => {
    const { home, remove } = await releasedHome("0.1.0");
    const backups = join(home, "backups");
    mkdirSync(backups);
    try {
      const before = await figures(home);
      const env = { ATELIER_HOME: home, ATELIER_LOG_LEVEL: "debug" };
      // In the middle of the backup.
      const begun = new Promise<void>((resolve) => {
        const watching = watch(backups, (_event, name) => {
          if (!name?.includes(".partial-")) return;
          watching.close();
          resolve();
        });
      });
      const first = runAtelier(["migrate"], env);
      const firstEnded = once(first, "close");
      await begun;
      first.kill("SIGKILL");
      await firstEnded;
      requireSame(before, await figures(home));
      assert.equal((await figures(home)).version, oldVersion, "no migration runs before its backup is whole");
      // In the middle of the migrations.
      const second = runAtelier(["migrate"], env);
      const secondEnded = once(second, "close");
      let migrations = 0;
      second.stderr?.on("data", (chunk) => {
        migrations += String(chunk).split("migration applied").length - 1;
        if (migrations >= 5) second.kill("SIGKILL");
      });
      await secondEnded;
      const halfway = await figures(home);
      assert.ok(halfway.version > oldVersion, String(halfway.version));
      const done = await atelier(home, ["migrate"]);
      assert.equal(done.code, 0, done.said);
      requireSame(before, await figures(home));
    } finally {
      remove();
    }
  });

  test("is left as it is when there is no room for the backup", async (t) => {
    const { home, remove } = await releasedHome("0.1.0");
    const backups = join(home, "backups");
    mkdirSync(backups);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", backups], { stdio: "ignore" });
    try {
      if (mounted.status !== 0) return t.skip("only root can make a small disk");
      const refused = await atelier(home, ["migrate"]);
      assert.equal(refused.code, 2);
      assert.match(
        refused.said,
        /There is no room for the backup before the migration: it may need .*Nothing was changed/,
      );
      assert.equal((await atelier(home, ["upgrade", "--check"])).code, 12);
      assert.equal((await figures(home)).version, oldVersion);
      const without = await atelier(home, ["migrate"], { ATELIER_BACKUP_BEFORE_MIGRATION: "off" });
      assert.equal(without.code, 0, without.said);
    } finally {
      if (mounted.status === 0) spawnSync("umount", [backups]);
      await sleep(0);
      remove();
    }
  });
});
