import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { newId, newRequestId } from "../../foundation/ids.ts";
import { createAudit } from "./audit.ts";
import type { AuditEntry, AuditFilter, AuditPosition, NewAuditEntry } from "./audit-entry.ts";
import { forgetEntries } from "./audit-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  await database.execute(sql`alter table audit_entries disable trigger all`);
  await database.execute(sql`delete from audit_entries`);
  await database.execute(sql`alter table audit_entries enable always trigger audit_entries_append_only`);
  await database.execute(sql`alter table audit_entries enable always trigger audit_entries_no_truncate`);
});

const entry = (changes: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
  actor: { kind: "system", id: null },
  action: "thing.change",
  subject: { kind: "thing", id: "1" },
  ...changes,
});

async function walk(filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const audit = createAudit({ database });
  const entries: AuditEntry[] = [];
  let position: AuditPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof audit.list>> = await audit.list({ filter, before: position, limit });
    entries.push(...page.entries);
    position = page.next;
    assert.ok(entries.length < 1_000, "a walk ends");
  } while (position !== null);
  return entries;
}

describe("an entry", () => {
  test("is read back as it was appended, without its secrets", async () => {
    const [workspaceId, requestId] = [newId<"workspace">(), newRequestId()];
    await createAudit({ database }).append(database, {
      actor: { kind: "person", id: "p1", name: "Ada" },
      action: "api_key.create",
      subject: { kind: "api_key", id: "k1" },
      workspaceId,
      requestId,
      before: undefined,
      after: { name: "ci", secret: "service-abcdefgh_0123456789", uses: 3 },
    });
    const [stored] = await walk({}, 10);
    assert.ok(stored && Math.abs(stored.at.getTime() - Date.now()) < 60_000);
    assert.deepEqual(
      { ...stored, id: null, at: null },
      {
        id: null,
        at: null,
        actor: { kind: "person", id: "p1", name: "Ada" },
        action: "api_key.create",
        subject: { kind: "api_key", id: "k1" },
        workspaceId,
        before: null,
        after: { name: "ci", secret: "***", uses: 3 },
        requestId,
      },
    );
  });

  test("is written and rolled back with its transaction", async () => {
    const audit = createAudit({ database });
    const failing = database.transaction(async (tx) => {
      await audit.append(tx, entry());
      throw new Error("no");
    });
    await assert.rejects(failing, /no/);
    assert.deepEqual(await walk({}, 10), []);
  });

  test("keeps text that PostgreSQL could not store", async () => {
    const name = "a\0b\ud800c";
    await createAudit({ database }).append(
      database,
      entry({ actor: { kind: "person", id: name, name }, after: { name, [name]: [name] } }),
    );
    const [stored] = await walk({}, 10);
    assert.equal(stored?.actor.name, "a\uFFFDb\uFFFDc");
  });
});

describe("nobody can change the audit", () => {
  beforeEach(() => createAudit({ database }).append(database, entry()));
  for (const [what, statement] of [
    ["update", sql`update audit_entries set action = 'x'`],
    ["delete", sql`delete from audit_entries`],
    ["truncate", sql`truncate audit_entries`],
    [
      "delete behind an opened door",
      sql`
      with door as materialized (select set_config('atelier.forget_audit_before', '2999-01-01', true) as opened)
      delete from audit_entries using door where opened <> ''`,
    ],
  ] as const) {
    test(`by ${what}`, async () => {
      await assert.rejects(database.execute(statement), /append-only/);
      assert.equal((await walk({}, 10)).length, 1);
    });
  }

  test("not even as a replica", async () => {
    const attempt = database.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(sql`delete from audit_entries`);
    });
    await assert.rejects(attempt, /append-only/);
  });
});

describe("retention", () => {
  const old = (days: number, count: number) =>
    database.execute(sql`
      insert into audit_entries (id, at, actor_kind, action, subject_kind, subject_id)
      select gen_random_uuid(), now() - ${days} * interval '1 day', 'system', 'x', 'x', 'x' from generate_series(1, ${count}::integer)`);

  test("removes entries older than two years, in batches, and nothing else", async () => {
    await old(731, 25);
    await old(729, 3);
    const audit = createAudit({ database, batchRows: 10 });
    assert.equal(await audit.forgetOld(new AbortController().signal), 25);
    assert.equal((await walk({}, 10)).length, 3);
    assert.equal(await audit.forgetOld(new AbortController().signal), 0);
  });

  test("never removes entries younger than a month", async () => {
    await old(40, 1);
    const impatient = (keepDays: number) =>
      database.transaction((tx) => forgetEntries(tx, { keepDays, batchRows: 10 }));
    await assert.rejects(impatient(29), /at least 30 days/);
    assert.equal(await impatient(30), 1);
  });

  test("closes the door behind itself, in the same transaction", async () => {
    await old(800, 2);
    const attempt = database.transaction(async (tx) => {
      await forgetEntries(tx, { keepDays: 730, batchRows: 1 });
      await tx.execute(sql`delete from audit_entries`);
    });
    await assert.rejects(attempt, /append-only/);
    assert.equal((await walk({}, 10)).length, 2);
  });

  test("stops when asked", async () => {
    await old(800, 2);
    assert.equal(await createAudit({ database }).forgetOld(AbortSignal.abort()), 0);
  });
});

describe("listing", () => {
  test("gives every entry once, the newest first, whatever the page size, even where moments are equal", async () => {
    const audit = createAudit({ database });
    await database.transaction(async (tx) => {
      for (let count = 0; count < 23; count++)
        await audit.append(tx, entry({ subject: { kind: "thing", id: String(count) } }));
    });
    await database.execute(sql`
      insert into audit_entries (id, at, actor_kind, action, subject_kind, subject_id)
      select gen_random_uuid(), '2026-01-01T00:00:00.123Z', 'system', 'x', 'thing', 'old' from generate_series(1, 7)`);
    for (const limit of [1, 2, 7, 30, 100]) {
      const entries = await walk({}, limit);
      assert.equal(new Set(entries.map(({ id }) => id)).size, 30, `pages of ${limit}`);
      const moments = entries.map(({ at }) => at.getTime());
      assert.deepEqual(
        moments,
        [...moments].sort((a, b) => b - a),
      );
    }
  });

  test("narrows by each filter, and by all together", async () => {
    const audit = createAudit({ database });
    const [workspaceId, requestId] = [newId<"workspace">(), newRequestId()];
    const wanted = entry({
      actor: { kind: "key", id: "k" },
      action: "a.b",
      subject: { kind: "s", id: "9" },
      workspaceId,
      requestId,
    });
    await audit.append(database, entry());
    await audit.append(database, wanted);
    const since = new Date(Date.now() - 60_000);
    const until = new Date(Date.now() + 60_000);
    const filters: AuditFilter[] = [
      { workspaceId },
      { actorKind: "key" },
      { actorId: "k" },
      { action: "a.b" },
      { subjectKind: "s" },
      { subjectId: "9" },
      { requestId },
    ];
    for (const filter of [...filters, Object.assign({ since, until }, ...filters)]) {
      assert.deepEqual(
        (await walk(filter, 5)).map(({ action }) => action),
        ["a.b"],
        JSON.stringify(filter),
      );
    }
    assert.equal((await walk({ since, until }, 5)).length, 2);
    assert.equal((await walk({ since: until }, 5)).length, 0);
    assert.equal((await walk({ until: since }, 5)).length, 0);
    assert.equal((await walk({ workspaceId: newId() }, 5)).length, 0);
  });
});
