// Backups that a server makes by itself: when, how many are kept, and what makes one good.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { backupFinding } from "../src/capabilities/backup/backup-findings.ts";
import { backupHealth, folderDepot, objectDepot, readHistory, restore } from "../src/capabilities/backup/index.ts";
import { openS3Objects, parseBlobAddress } from "../src/capabilities/blobs/index.ts";
import { identifier, openDatabase, sql } from "../src/foundation/database/index.ts";
import { handClock } from "../src/foundation/hand-clock.fixture.ts";
import { backupsFixture } from "./scheduled-backups.fixture.ts";
import { freePort } from "./support/free-port.ts";
import { migrationsDirectory, type TestDatabase, testDatabase } from "./support/test-database.ts";
import { testS3 } from "./support/test-s3.ts";

let fixture: Awaited<ReturnType<typeof backupsFixture>>;
before(async () => {
  fixture = await backupsFixture();
  await fixture.keepBlob("a picture");
  await fixture.keepBlob("another picture");
});
after(() => fixture.close());

const hour = 3_600_000;
const broken = { name: "there are no blobs", statement: sql`select hash from blobs` };
const names = async (folder: string) => (await readdir(folder).catch(() => [])).toSorted();
const scratchCount = async () =>
  (
    await fixture.database.query(sql`select from pg_database where datname like 'atelier_verify_%'
    and starts_with(datname, 'atelier_verify_' || left(md5(current_database()), 8))`)
  ).length;

async function withEmpty<T>(run: (db: TestDatabase) => Promise<T>): Promise<T> {
  const none = join(fixture.work, "no-migrations");
  await mkdir(none, { recursive: true });
  const db = await testDatabase({ migrations: none });
  try {
    return await run(db);
  } finally {
    await db.close();
  }
}

describe("a schedule", () => {
  beforeEach(async () => {
    await fixture.database.execute(sql`delete from backups`);
    await rm(fixture.folder, { recursive: true, force: true });
  });

  test("makes one verified backup when it is due, however many processes ask", async () => {
    const clock = handClock(new Date("2026-11-18T00:00:00Z"));
    const processes = [1, 2, 3].map(() => fixture.keeping({ clock }));
    const made = (await Promise.all(processes.map((each) => each.round()))).filter((each) => each !== null);
    assert.equal(made.length, 1);
    assert.ok(made[0]?.verifiedAt);
    assert.equal(made[0]?.blobCount, 2);
    assert.deepEqual(await names(fixture.folder), [made[0]?.name]);
    const files = await names(join(fixture.folder, made[0]?.name ?? ""));
    assert.deepEqual(files, ["blobs", "blobs.jsonl.zst", "manifest.json", "tables", "verified.json"]);
    assert.equal(await scratchCount(), 0, "the scratch database is gone");
    await clock.advance(hour - 1);
    assert.equal(await processes[0]?.round(), null, "not before its time");
    await clock.advance(1);
    assert.ok(await processes[1]?.round());
    const schedule = { everySeconds: 3_600, keep: 3, location: fixture.folder };
    const history = await readHistory({ database: fixture.database, clock, schedule });
    assert.equal(history.backups.length, 2);
    assert.equal(history.nextAt?.toISOString(), "2026-11-18T02:00:00.000Z");
    assert.equal(history.lastGood?.startedAt.toISOString(), "2026-11-18T01:00:00.000Z");
  });

  test("restores to the rows that it saved, with their bytes", async () => {
    const made = await fixture.keeping().makeNow();
    const stored = new Map<string, string>();
    const blobs = {
      checkBlob: fixture.blobsOf.checkBlob,
      storeBlob: async ({ hash }: { hash: string }, file: string) => {
        stored.set(hash, await readFile(file, "utf8"));
      },
    };
    await withEmpty(async (db) => {
      const directory = join(fixture.folder, made.name);
      const report = await restore({ connection: db.url, directory, migrations: migrationsDirectory, blobs });
      assert.equal(report.rows, made.rowCount);
      assert.deepEqual([...stored.values()].toSorted(), ["a picture", "another picture"]);
      assert.equal((await db.query(sql`select from backups`)).length, 0, "the history stays behind");
    });
  });

  test("takes the space of an equal blob once", async () => {
    await fixture.keeping().makeNow();
    const second = await fixture.keeping().makeNow();
    const blobs = join(fixture.folder, second.name, "blobs");
    const [folder = ""] = await names(blobs);
    const [file = ""] = await names(join(blobs, folder));
    assert.equal((await stat(join(blobs, folder, file))).nlink, 2);
  });

  test("keeps the newest ones, what people made, and the last verified one however old it is", async () => {
    const clock = handClock(new Date("2026-11-18T00:00:00Z"));
    await mkdir(join(fixture.folder, "monday"), { recursive: true });
    const good = await fixture.keeping({ clock, keep: 2 }).makeNow();
    const bad = fixture.keeping({ clock, keep: 2, invariants: [broken] });
    const kept: string[] = [];
    for (let turn = 0; turn < 3; turn++) {
      await clock.advance(hour);
      const made = await bad.makeNow();
      assert.equal(made.verifiedAt, null);
      assert.match(
        made.problem ?? "",
        /can be restored, but an invariant does not hold in it: there are no blobs \(2 rows\)/,
      );
      kept.push(made.name);
    }
    assert.deepEqual(await names(fixture.folder), ["monday", good.name, ...kept.slice(-2)].toSorted());
    await clock.advance(hour);
    const next = await fixture.keeping({ clock, keep: 2 }).makeNow();
    assert.deepEqual(await names(fixture.folder), ["monday", kept[2], next.name].toSorted());
    const lines = await readHistory({ database: fixture.database, clock, schedule: null });
    assert.deepEqual(
      lines.backups.filter(({ removedAt }) => removedAt === null).map(({ name }) => name),
      [next.name, kept[2]],
    );
  });

  test("is verified in an embedded PostgreSQL where its role may not create databases", async () => {
    const role = `owner_${process.pid}`;
    const admin = openDatabase({ connection: fixture.database.url });
    await admin.execute(sql`create role ${identifier(role)} login superuser nocreatedb`);
    const url = new URL(fixture.database.url);
    url.username = role;
    try {
      // A superuser may create databases whatever its attributes say.
      await admin.execute(sql`alter role ${identifier(role)} nosuperuser`);
      await admin.execute(sql`grant pg_read_all_data to ${identifier(role)}`);
      const made = await fixture.keeping({ connection: url.href }).makeNow();
      assert.ok(made.verifiedAt, made.problem ?? "");
      assert.deepEqual(await names(join(fixture.work, ".work")), []);
    } finally {
      await admin.execute(sql`revoke pg_read_all_data from ${identifier(role)}`);
      await admin.execute(sql`drop role ${identifier(role)}`);
      await admin.close();
    }
  });

  test("that a depot or a file prevents says so, leaves nothing half, and is tried again", async () => {
    const clock = handClock(new Date("2026-11-18T00:00:00Z"));
    const file = join(fixture.work, "a-file");
    await writeFile(file, "");
    const depot = folderDepot(join(file, "backups"));
    await assert.rejects(
      fixture.keeping({ clock, depot }).round(),
      /The backup failed\. .*a-file\/backups cannot be written/,
    );
    const health = await backupHealth({ database: fixture.database, clock, schedule: null });
    assert.equal(health?.newest?.state, "failed");
    const found = health && backupFinding(health, clock.now());
    assert.equal(found?.state, "warning");
    assert.match(found?.message ?? "", /there is no verified backup; the newest attempt: .*cannot be written/);
    assert.equal(await fixture.keeping({ clock, depot }).round(), null, "not at once");
    await clock.advance(600_000);
    await assert.rejects(fixture.keeping({ clock, depot }).round(), /cannot be written/);
    await clock.advance(4 * hour);
    const late = await backupHealth({ database: fixture.database, clock, schedule: null });
    assert.equal(late && backupFinding(late, clock.now()).state, "problem");
  });

  test("whose verified copy was damaged since copies everything again after the first failure", async () => {
    const clock = handClock(new Date("2026-11-18T00:00:00Z"));
    const first = await fixture.keeping({ clock }).makeNow();
    const blobs = join(fixture.folder, first.name, "blobs");
    for (const folder of await names(blobs))
      for (const blob of await names(join(blobs, folder))) {
        const path = join(blobs, folder, blob);
        await writeFile(path, Buffer.alloc((await stat(path)).size));
      }
    await clock.advance(hour);
    const second = await fixture.keeping({ clock }).makeNow();
    assert.equal(second.state, "failed");
    assert.match(second.problem ?? "", /blob [0-9a-f]+ does not match its hash/);
    await clock.advance(hour);
    assert.ok((await fixture.keeping({ clock }).makeNow()).verifiedAt);
  });

  test("on a disk that is full says so, and leaves nothing half", async (t) => {
    const disk = join(fixture.work, "disk");
    await mkdir(disk);
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], { stdio: "ignore" });
    if (mounted.status !== 0) return t.skip("only root can make a small disk");
    try {
      const made = await fixture.keeping({ depot: folderDepot(disk) }).makeNow();
      assert.equal(made.state, "failed");
      assert.match(made.problem ?? "", /The disk of .*disk is full\. Free some space/);
      assert.deepEqual(await names(disk), []);
    } finally {
      spawnSync("umount", [disk]);
    }
  });
});

describe("an object store", () => {
  test("has each backup below its name and every blob once, and gives both back", async () => {
    await fixture.database.execute(sql`delete from backups`);
    const s3 = await testS3();
    try {
      const parsed = parseBlobAddress(s3.address);
      assert.ok("address" in parsed && parsed.address.kind === "s3");
      const store = await openS3Objects(parsed.address.s3, s3.credentials);
      const depotAt = (address: typeof store) =>
        objectDepot({
          store: address,
          location: "s3://atelier-test/prefix",
          workFolder: join(fixture.work, ".sending"),
          checkBlob: fixture.blobsOf.checkBlob,
        });
      const depot = depotAt(store);
      const keys = async (prefix: string) => (await Array.fromAsync(store.list(prefix))).map(({ name }) => name);
      const first = await fixture.keeping({ depot, keep: 2 }).makeNow();
      assert.ok(first.verifiedAt, first.problem ?? "");
      await fixture.keepBlob("a third picture");
      // What a killed process leaves: files without a manifest.
      const half = "scheduled-20200101T000000Z-abcdef";
      const file = join(fixture.work, "half");
      await writeFile(file, "half");
      await store.put(`${half}/tables/calls.copy.zst`, file);
      assert.deepEqual(
        (await depot.list()).map(({ name }) => name),
        [first.name],
        "half a backup is none",
      );
      const second = await fixture.keeping({ depot: depotAt(store), keep: 2 }).makeNow();
      assert.deepEqual(await keys(half), []);
      assert.equal((await keys("blobs/")).length, 3);
      const directory = join(fixture.work, "fetched");
      await depot.fetch(second.name, directory);
      await withEmpty(async (db) => {
        const blobs = { checkBlob: fixture.blobsOf.checkBlob, storeBlob: async () => undefined };
        const report = await restore({ connection: db.url, directory, migrations: migrationsDirectory, blobs });
        assert.equal(report.blobs, 3);
      });
      // The bytes go once no backup names them.
      await fixture.database.execute(sql`delete from blob_references`);
      await fixture.database.execute(sql`delete from blobs`);
      for (let turn = 0; turn < 2; turn++) await fixture.keeping({ depot, keep: 2 }).makeNow();
      assert.equal((await depot.list()).length, 2);
      assert.deepEqual(await keys("blobs/"), []);
      assert.deepEqual(await names(join(fixture.work, ".sending")), []);
    } finally {
      await s3.close();
    }
  });

  test("takes a large file in parts, whole", async () => {
    const s3 = await testS3();
    try {
      const parsed = parseBlobAddress(s3.address);
      assert.ok("address" in parsed && parsed.address.kind === "s3");
      const store = await openS3Objects(parsed.address.s3, s3.credentials);
      const [sent, received] = [join(fixture.work, "sent"), join(fixture.work, "received")];
      const bytes = randomBytes(34 * 1024 ** 2 + 17);
      await writeFile(sent, bytes);
      await store.put("tables/large", sent);
      assert.deepEqual(await Array.fromAsync(store.list("tables/")), [{ name: "tables/large", size: bytes.length }]);
      await store.get("tables/large", received);
      assert.ok(bytes.equals(await readFile(received)));
    } finally {
      await s3.close();
    }
  });

  test("that refuses is named with its bucket", async () => {
    const s3 = await testS3();
    try {
      const parsed = parseBlobAddress(s3.address.replace("atelier-test", "no-such-bucket"));
      assert.ok("address" in parsed && parsed.address.kind === "s3");
      const store = await openS3Objects(parsed.address.s3, s3.credentials);
      const deps = { location: "s3://no-such-bucket", workFolder: join(fixture.work, ".sending") };
      const depot = objectDepot({ store, ...deps, checkBlob: fixture.blobsOf.checkBlob });
      const made = await fixture.keeping({ depot }).makeNow();
      assert.equal(made.state, "failed");
      assert.match(made.problem ?? "", /bucket no-such-bucket .*does not exist \(NoSuchBucket\)/);
      const away = await openS3Objects(
        { ...parsed.address.s3, endpoint: `http://127.0.0.1:${await freePort()}` },
        s3.credentials,
      );
      await assert.rejects(Array.fromAsync(away.list("")), /The store of the bucket no-such-bucket cannot be reached/);
    } finally {
      await s3.close();
    }
  });
});
