import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { withConnection } from "./dedicated-connection.ts";
import { sql } from "./sql.ts";

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
  await db.execute(sql`create table lines (id int primary key, body text)`);
});
after(() => db.close());

const count = async () => (await db.query<{ count: number }>(sql`select count(*)::int as count from lines`))[0]?.count;

test("rows go in and come out as they were, small and large, and are counted", async () => {
  const body = `${"x".repeat(200_000)}`;
  const source = ["1\tone\n2\t", body, "\n3\t\\N\n"];
  await withConnection({ connection: db.url }, async (connection) => {
    const rows = await connection.copyIn(
      sql`copy lines from stdin`,
      Readable.from(source.map((part) => Buffer.from(part))),
    );
    assert.equal(rows, 3);
    const out = connection.copyOut(sql`copy (select * from lines order by id) to stdout`);
    assert.equal(await text(out.stream), source.join(""));
    assert.equal(out.rows(), 3);
    assert.deepEqual(await connection.query(sql`select 1 as one`), [{ one: 1 }]);
  });
  await db.execute(sql`delete from lines`);
});

test("a source that fails half-way leaves no row, and the connection goes on", async () => {
  async function* failing() {
    yield Buffer.from("1\tone\n");
    throw new Error("the disk is gone");
  }
  await withConnection({ connection: db.url }, async (connection) => {
    await assert.rejects(connection.copyIn(sql`copy lines from stdin`, Readable.from(failing())), /the disk is gone/);
    assert.deepEqual(await connection.query(sql`select 1 as one`), [{ one: 1 }]);
  });
  assert.equal(await count(), 0);
});

test("rows that PostgreSQL refuses fail with its reason, and the connection goes on", async () => {
  await withConnection({ connection: db.url }, async (connection) => {
    const many = Array.from({ length: 500 }, () => Buffer.from(`no number\t${"x".repeat(10_000)}\n`));
    await assert.rejects(connection.copyIn(sql`copy lines from stdin`, Readable.from(many)), /invalid input syntax/);
    await assert.rejects(text(connection.copyOut(sql`copy nowhere to stdout`).stream), /does not exist/);
    assert.deepEqual(await connection.query(sql`select 1 as one`), [{ one: 1 }]);
  });
});

test("a slow reader holds the server back instead of filling our memory", async () => {
  await withConnection({ connection: db.url }, async (connection) => {
    const big = sql`copy (select repeat('x', 100000) from generate_series(1, 2000)) to stdout`;
    const { stream } = connection.copyOut(big);
    await pause(100);
    assert.ok(stream.readableLength < 2_000_000, `holds ${stream.readableLength} bytes`);
    let bytes = 0;
    for await (const piece of stream) bytes += piece.length;
    assert.equal(bytes, 2000 * 100_001);
  });
});

test("a reader that gives up does not hang the connection's end", async () => {
  const abandoned = withConnection({ connection: db.url }, (connection) =>
    connection.inTransaction("snapshot", async () => {
      const { stream } = connection.copyOut(
        sql`copy (select repeat('x', 1000) from generate_series(1, 100000)) to stdout`,
      );
      for await (const _ of stream) throw new Error("no more room");
    }),
  );
  await assert.rejects(abandoned, /no more room/);
});
