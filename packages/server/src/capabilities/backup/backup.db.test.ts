import assert from "node:assert/strict";
import { appendFile, copyFile, cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { migrationsDirectory, type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { identifier, migrate, openDatabase, sql } from "../../foundation/database/index.ts";
import { backUp } from "./back-up.ts";
import { BackupRefused } from "./backup-refused.ts";
import type { Blob } from "./blob-list.ts";
import { restore } from "./restore.ts";

// Everything that makes restoring hard: cycles, a table that references itself, a trigger that always fires, generated
// and identity columns, partitions, and rows that a migration inserts.
const schema = `
  create table settings (name text primary key, value text);
  insert into settings values ('seeded', 'yes');
  create table accounts (id int primary key, balance bigint not null, favourite int, parent int references accounts);
  create table entries (
    id bigint generated always as identity primary key,
    account int not null references accounts,
    amount bigint not null,
    doubled bigint generated always as (amount * 2) stored
  );
  alter table accounts add foreign key (favourite) references entries deferrable initially immediate;
  create table odd (id int primary key, note text, bytes bytea, list text[], object jsonb, at timestamptz);
  create table lines (at timestamptz not null, body text) partition by range (at);
  create table lines_default partition of lines default;
  create unlogged table live (id int primary key);
  create table sealed (secret text);
  comment on table sealed is 'not in backups: it is nobody''s business';
  create function refuse() returns trigger language plpgsql as $$ begin raise exception 'append-only'; end $$;
  create trigger entries_append_only before update or delete on entries for each row execute function refuse();
  create trigger entries_counted before insert on entries for each statement execute function refuse();
  alter table entries enable always trigger entries_append_only;
  alter table entries disable trigger entries_counted;
`;

let work: string;
let migrations: string;
let noMigrations: string;
let source: TestDatabase;

const invariants = [
  {
    name: "balances are the sums of their entries",
    statement: sql`
      select id from accounts
      where balance <> (select coalesce(sum(amount), 0) from entries where account = accounts.id)`,
  },
  { name: "nothing was made or lost", statement: sql`select sum(balance) from accounts having sum(balance) <> 0` },
];

before(async () => {
  work = await mkdtemp(join(tmpdir(), "atelier-backup-"));
  migrations = await mkdtemp(join(work, "migrations-"));
  noMigrations = await mkdtemp(join(work, "none-"));
  await writeFile(join(migrations, "0001_books.sql"), schema);
  source = await testDatabase({ migrations });
  await source.execute(sql`insert into accounts (id, balance) select n, 0 from generate_series(1, 20) n`);
});
after(async () => {
  await source.close();
  await rm(work, { recursive: true, force: true });
});

let folders = 0;
const newFolder = () => join(work, `backup-${folders++}`);

async function withEmpty(run: (db: TestDatabase) => Promise<void>): Promise<void> {
  const db = await testDatabase({ migrations: noMigrations });
  try {
    await run(db);
  } finally {
    await db.close();
  }
}

function transfer(from: number, to: number, amount: number): Promise<void> {
  return source.transaction(async (tx) => {
    await tx.query(sql`select id from accounts where id = any(${[from, to]}::int[]) order by id for update`);
    await tx.execute(sql`insert into entries (account, amount) values (${from}, ${-amount}), (${to}, ${amount})`);
    await tx.execute(sql`update accounts set balance = balance - ${amount} where id = ${from}`);
    await tx.execute(sql`update accounts set balance = balance + ${amount} where id = ${to}`);
  });
}

describe("a backup", () => {
  test("taken while others write is one moment: its sums hold, and it restores to them", async () => {
    let writing = true;
    let transfers = 0;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let turn = 0; writing; turn++) {
        await transfer(1 + ((turn + writer) % 10), 11 + ((turn * 3 + writer) % 10), 1 + (turn % 7));
        transfers++;
      }
    });
    const waitFor = async (count: number) => {
      while (transfers < count) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    await waitFor(50);
    const directory = newFolder();
    const saved = await backUp({ connection: source.url, directory });
    await waitFor(transfers + 20);
    writing = false;
    await Promise.all(writers);
    await withEmpty(async (db) => {
      const report = await restore({ connection: db.url, directory, migrations, invariants });
      assert.equal(report.rows, saved.rows);
      assert.deepEqual(
        report.invariants.map((result) => result.broken),
        [0, 0],
      );
      const count = async (where: TestDatabase) =>
        Number((await where.query<{ count: string }>(sql`select count(*) from entries`))[0]?.count);
      assert.ok((await count(db)) >= 100, "it has what was committed before it began");
      assert.ok((await count(db)) < (await count(source)), "it has nothing of what came later");
      assert.equal((await count(db)) % 2, 0, "no transfer is there by half");
    });
  });

  test("unlogged and private tables are left out", async () => {
    await source.execute(sql`insert into live values (1)`);
    await source.execute(sql`insert into sealed values ('a credential')`);
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    await withEmpty(async (db) => {
      await restore({ connection: db.url, directory, migrations });
      for (const table of ["live", "sealed"]) {
        assert.equal((await db.query(sql`select from ${identifier(table)}`)).length, 0);
      }
    });
  });

  test("restores to the same rows, numbers and rules, whatever the rows hold", async () => {
    const text = fc.string({ unit: "binary" }).map((value) => value.replaceAll("\0", "").toWellFormed());
    const rows = fc.sample(
      fc.record({ note: fc.option(text), bytes: fc.uint8Array(), list: fc.array(fc.option(text)), object: text }),
      300,
    );
    await source.transaction(async (tx) => {
      for (const [id, row] of rows.entries()) {
        await tx.execute(sql`
          insert into odd values (${id}, ${row.note}, ${row.bytes}, ${row.list}, ${{ text: row.object }}, now())`);
      }
    });
    await source.execute(sql`insert into odd values (1000, ${"\\N\t\n\r\\.\n"}, null, null, null, 'infinity')`);
    await source.execute(sql`insert into odd values (1001, ${"x".repeat(300_000)}, null, null, null, null)`);
    await source.execute(
      sql`insert into lines select now() - n * interval '1 day', 'line ' || n from generate_series(1, 50) n`,
    );
    await transfer(1, 2, 5);
    await source.execute(sql`update accounts set parent = 21 - id, favourite = (select max(id) from entries)`);
    await source.execute(sql`update settings set value = 'changed'`);
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    await withEmpty(async (db) => {
      await restore({ connection: db.url, directory, migrations });
      for (const table of ["settings", "accounts", "entries", "odd", "lines"]) {
        assert.equal(await digest(db, table), await digest(source, table), table);
      }
      await assert.rejects(db.execute(sql`delete from entries`), /append-only/);
      const triggers = sql`select tgname, tgenabled from pg_trigger where not tgisinternal order by 1`;
      assert.deepEqual(await db.query(triggers), await source.query(triggers));
      const keys = sql`select conname, pg_get_constraintdef(oid) as is from pg_constraint order by 1`;
      assert.deepEqual(await db.query(keys), await source.query(keys));
      const next = sql`insert into entries (account, amount) values (1, 0) returning id`;
      const [[there], [here]] = [await db.query<{ id: string }>(next), await source.query<{ id: string }>(next)];
      assert.equal(there?.id, here?.id);
      await assert.rejects(db.execute(sql`insert into entries (account, amount) values (999, 1)`), /foreign key/);
    });
  });

  test("needs no more than the owner of a database to be restored", async () => {
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    const role = `plain_${process.pid}`;
    const admin = openDatabase({ connection: source.url });
    await admin.execute(sql`create role ${identifier(role)} login`);
    await admin.execute(sql`create database ${identifier(role)} owner ${identifier(role)}`);
    const url = new URL(source.url);
    url.username = role;
    url.pathname = `/${role}`;
    try {
      const report = await restore({ connection: url.href, directory, migrations, invariants });
      assert.deepEqual(report.invariants[0]?.broken, 0);
    } finally {
      await admin.execute(sql`drop database ${identifier(role)} with (force)`);
      await admin.execute(sql`drop role ${identifier(role)}`);
      await admin.close();
    }
  });

  test("that was cut, damaged or changed is refused before anything is written", async () => {
    const good = newFolder();
    const sealKey = Buffer.from("a key that seals");
    await backUp({ connection: source.url, directory: good, sealKey });
    const file = (folder: string, name: string) => join(folder, name);
    const edit = async (path: string, change: (text: string) => string) =>
      writeFile(path, change(await readFile(path, "utf8")));
    const damages: Record<string, (folder: string) => Promise<void>> = {
      "no manifest": (folder) => rm(file(folder, "manifest.json")),
      "half a manifest": (folder) => truncate(file(folder, "manifest.json"), 200),
      "another row count": (folder) =>
        edit(file(folder, "manifest.json"), (text) => text.replace('"rows": 20', '"rows": 19')),
      "another format": (folder) =>
        edit(file(folder, "manifest.json"), (text) => text.replace('"format": 1', '"format": 9')),
      "a file too short": (folder) => truncate(file(folder, "tables/entries.copy.zst"), 30),
      "a file too long": (folder) => appendFile(file(folder, "tables/entries.copy.zst"), "x"),
      "a file missing": (folder) => rm(file(folder, "tables/odd.copy.zst")),
      "a file exchanged": (folder) =>
        copyFile(file(folder, "tables/odd.copy.zst"), file(folder, "tables/entries.copy.zst")),
      "one bit": async (folder) => {
        const bytes = await readFile(file(folder, "tables/accounts.copy.zst"));
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        await writeFile(file(folder, "tables/accounts.copy.zst"), bytes);
      },
    };
    await withEmpty(async (db) => {
      const attempt = (directory: string, key?: Uint8Array) =>
        restore({ connection: db.url, directory, migrations, ...(key ? { sealKey: key } : {}) });
      for (const [name, damage] of Object.entries(damages)) {
        const folder = newFolder();
        await cp(good, folder, { recursive: true });
        await damage(folder);
        await assert.rejects(attempt(folder, sealKey), BackupRefused, name);
      }
      await assert.rejects(attempt(good), /Give the key it was sealed with/);
      await assert.rejects(attempt(good, Buffer.from("another key")), /was changed, or this is not the key/);
      assert.deepEqual(await db.query(sql`select relname from pg_class where relnamespace = 'public'::regnamespace`), [
        { relname: "schema_migrations" },
        { relname: "schema_migrations_pkey" },
      ]);
      await attempt(good, sealKey);
    });
  });

  test("is not restored over rows, but over what only migrations wrote", async () => {
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    await assert.rejects(restore({ connection: source.url, directory, migrations }), /accounts.*contain rows/);
    const fresh = await testDatabase({ migrations });
    try {
      await restore({ connection: fresh.url, directory, migrations });
      assert.equal(await digest(fresh, "settings"), await digest(source, "settings"));
    } finally {
      await fresh.close();
    }
  });

  test("of an older version is migrated on, and one of a newer version or another history is refused", async () => {
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    const newer = await mkdtemp(join(work, "newer-"));
    await cp(migrations, newer, { recursive: true });
    await writeFile(join(newer, "0002_more.sql"), "alter table accounts add column extra int default 3;");
    await withEmpty(async (db) => {
      const report = await restore({ connection: db.url, directory, migrations: newer });
      assert.deepEqual([report.schemaVersion, report.version], [1, 2]);
      assert.deepEqual(await db.query(sql`select distinct extra from accounts`), [{ extra: 3 }]);
      const later = newFolder();
      await backUp({ connection: db.url, directory: later });
      await withEmpty(async (old) => {
        await assert.rejects(restore({ connection: old.url, directory: later, migrations }), /has schema version 2/);
      });
    });
    const other = await mkdtemp(join(work, "other-"));
    await writeFile(join(other, "0001_books.sql"), `${schema} -- changed`);
    await withEmpty(async (db) => {
      await assert.rejects(restore({ connection: db.url, directory, migrations: other }), /Migration 1 \(books\)/);
    });
  });

  test("reports the invariants that the restored rows break", async () => {
    const directory = newFolder();
    await backUp({ connection: source.url, directory });
    await withEmpty(async (db) => {
      const impossible = { name: "there are no accounts", statement: sql`select id from accounts where id > ${0}` };
      const report = await restore({ connection: db.url, directory, migrations, invariants: [impossible] });
      assert.deepEqual(report.invariants, [{ name: "there are no accounts", broken: 20 }]);
    });
  });

  test("brings the blobs that its rows name, and refuses when one of them is not what it was", async () => {
    const directory = newFolder();
    const bytes = new Map([
      ["00".repeat(16), "one"],
      ["ff".repeat(16), "two two"],
    ]);
    const blobs = {
      async *blobsOf() {
        for (const [hash, text] of bytes) yield { hash, size: text.length };
      },
      copyBlob: (blob: Blob, file: string) => writeFile(file, bytes.get(blob.hash) ?? ""),
    };
    assert.equal((await backUp({ connection: source.url, directory, blobs })).blobs, 2);
    const stored = new Map<string, string>();
    const target = {
      checkBlob: async (blob: Blob, file: string) => (await readFile(file, "utf8")) === bytes.get(blob.hash),
      async storeBlob(blob: Blob, file: string) {
        stored.set(blob.hash, await readFile(file, "utf8"));
      },
    };
    await withEmpty(async (db) => {
      const attempt = () => restore({ connection: db.url, directory, migrations, blobs: target });
      const victim = join(directory, "blobs/ff", "ff".repeat(16));
      await writeFile(victim, "two bad");
      await assert.rejects(attempt(), /blob ffff/);
      assert.equal(stored.size, 0);
      await writeFile(victim, "two two");
      await attempt();
      assert.deepEqual(stored, bytes);
    });
  });

  test("that fails leaves no folder behind, and never writes into one that is in use", async () => {
    const directory = newFolder();
    const blobs = {
      async *blobsOf() {
        yield { hash: "ab".repeat(16), size: 1 };
      },
      copyBlob: async () => assert.fail("the blob is gone"),
    };
    await assert.rejects(backUp({ connection: source.url, directory, blobs }), /the blob is gone/);
    await assert.rejects(readFile(join(directory, "manifest.json")), { code: "ENOENT" });
    await assert.rejects(backUp({ connection: source.url, directory: work }), /not empty/);
  });
});

test("the server's own tables are saved and restored", async () => {
  const db = await testDatabase();
  try {
    const directory = newFolder();
    const saved = await backUp({ connection: db.url, directory });
    const files = await readdir(join(directory, "tables"));
    assert.ok(files.includes("usage.copy.zst"), files.join(" "));
    for (const table of ["job_secrets", "refused_credentials"])
      assert.ok(!files.includes(`${table}.copy.zst`), `${table} is about this server here and now`);
    await withEmpty(async (empty) => {
      const report = await restore({ connection: empty.url, directory, migrations: migrationsDirectory });
      assert.deepEqual([report.tables, report.rows], [saved.tables, saved.rows]);
      const again = await migrate({ connection: empty.url, directory: migrationsDirectory });
      assert.deepEqual(again.applied, []);
    });
  } finally {
    await db.close();
  }
});

async function digest(db: TestDatabase, table: string): Promise<string | undefined> {
  const rows = await db.query<{ digest: string }>(sql`
    select count(*) || ' ' || md5(coalesce(string_agg(line::text, E'\n' order by line::text), '')) as digest
    from ${identifier(table)} as line`);
  return rows[0]?.digest;
}
