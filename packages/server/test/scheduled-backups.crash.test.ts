// The real server and the real command, killed in the middle of a backup: nothing half is ever listed, and the next one is good.
import assert from "node:assert/strict";
import { once } from "node:events";
import { watch } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startAsShipped } from "./support/as-shipped-server.ts";
import { waitSecondsMax } from "./support/limits.ts";
import { runAtelier } from "./support/server-process.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";

let work: string;
let database: TestDatabase;
before(async () => {
  work = await mkdtemp(join(tmpdir(), "atelier-backup-kill-"));
  database = await testDatabase();
});
after(async () => {
  await database.close();
  await rm(work, { recursive: true, force: true });
});

const env = (to: string) => ({
  ATELIER_HOME: join(work, "home"),
  DATABASE_URL: database.url,
  ATELIER_BACKUP_TO: to,
  ATELIER_LOG_LEVEL: "info",
});

async function run(words: readonly string[], to: string): Promise<{ code: number | null; out: string; said: string }> {
  const child = runAtelier([...words, "--json"], env(to));
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

test("a command that is killed while it backs up leaves nothing that counts, and the next one tidies up", async () => {
  const to = join(work, "killed");
  await mkdir(to, { recursive: true });
  const begun = new Promise<void>((resolve) => {
    const watching = watch(to, (_event, name) => {
      if (!name?.includes(".partial-")) return;
      watching.close();
      resolve();
    });
  });
  const child = runAtelier(["backup", "--every", "1m", "--keep", "2"], env(to));
  const closed = once(child, "close");
  await begun;
  child.kill("SIGKILL");
  await closed;
  const left = await readdir(to);
  assert.equal(left.length, 1);
  assert.match(left[0] ?? "", /^scheduled-\d{8}T\d{6}Z-[0-9a-f]{6}\.partial-/);

  const next = await run(["backup", "--keep", "2"], to);
  assert.equal(next.code, 0, next.said);
  const { data: made } = JSON.parse(next.out);
  assert.equal(made.state, "done");
  assert.ok(made.verified_at);
  assert.deepEqual(await readdir(to), [made.name]);

  const twice = await run(["backup", "monday", "--keep", "2"], to);
  assert.equal(twice.code, 2);
  assert.match(twice.said + twice.out, /Name a folder, or give --every, --keep or --to/);
});

test("a server with a schedule makes its backup, and operators see it in answers, metrics and checks", async () => {
  const to = join(work, "scheduled");
  const token = "operators-token-of-24-characters";
  const server = await startAsShipped({
    env: { ATELIER_BACKUP_EVERY: "1h", ATELIER_BACKUP_KEEP: "2", ATELIER_BACKUP_TO: to, ATELIER_ADMIN_TOKEN: token },
  });
  try {
    const headers = { authorization: `Bearer ${token}` };
    const read = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers })).text();
    const list = async () => JSON.parse(await read("/admin/backups"));
    for (const until = Date.now() + waitSecondsMax * 1000; Date.now() < until; await sleep(300))
      if ((await list()).last_good !== null) break;
    const { schedule, last_good, next_at, data } = await list();
    assert.deepEqual(schedule, { every_seconds: 3_600, keep: 2, location: to });
    assert.equal(data.length, 1);
    assert.equal(last_good.status, "verified");
    assert.equal(Date.parse(next_at), Date.parse(last_good.started_at) + 3_600_000);
    assert.deepEqual(await readdir(to), [last_good.name]);
    const metrics = await read("/metrics");
    assert.match(metrics, /^atelier_backup_interval_seconds 3600$/m);
    assert.match(
      metrics,
      new RegExp(`^atelier_backup_last_good_seconds ${Date.parse(last_good.started_at) / 1000}$`, "m"),
    );
    assert.match(metrics, /^atelier_backup_is_late 0$/m);
    const checks = JSON.parse(await read("/admin/checks"));
    const found = checks.data.find(({ name }: { name: string }) => name === "backups");
    assert.equal(found.status, "ok");
    assert.match(found.message, /^the last verified one is \d+ min old, .*, in .*scheduled$/);
  } finally {
    await server.close();
  }
});
