// A pair of real servers, one of which takes over from the other.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { hasPostgresPair, type PostgresPair, postgresPair } from "../../../test/support/test-postgres-pair.ts";
import { Fault } from "../fault.ts";
import { addressesOf } from "./connection.ts";
import { type Database, openDatabase } from "./database.ts";
import { CommitUnknown } from "./database-errors.ts";
import { withConnection } from "./dedicated-connection.ts";
import { sql } from "./sql.ts";

test("an address may name several servers of one database", () => {
  assert.deepEqual(addressesOf("postgres://me:secret@a:5432,b/atelier?sslmode=require"), [
    "postgres://me:secret@a:5432/atelier?sslmode=require",
    "postgres://me:secret@b/atelier?sslmode=require",
  ]);
  assert.deepEqual(addressesOf("postgres://a,[::1]:5433/x?target_session_attrs=primary&sslmode=disable"), [
    "postgres://a/x?sslmode=disable",
    "postgres://[::1]:5433/x?sslmode=disable",
  ]);
  for (const one of ["postgres://me@a/atelier?host=%2Ftmp%2Cx", "/tmp/socket atelier"])
    assert.deepEqual(addressesOf(one), [one]);
});

describe("of two servers", { skip: !hasPostgresPair && "this machine has no PostgreSQL 15 of its own" }, () => {
  let pair: PostgresPair;
  let database: Database;
  before(async () => {
    pair = await postgresPair();
    database = openDatabase({ connection: pair.url, poolSize: 8 });
  });
  after(async () => {
    await database.close();
    await pair.close();
  });
  const serverOf = (db: Pick<Database, "query">) =>
    db.query(sql`select current_setting('port') as port, pg_is_in_recovery() as "isStandby"`);

  test("the writable server is found by every kind of connection, in any order", async () => {
    const expected = [{ port: String(pair.writing()), isStandby: false }];
    assert.deepEqual(await serverOf(database), expected);
    const [one, other] = addressesOf(pair.url).map((address) => new URL(address).host);
    const turned = `postgres://atelier@${other},${one}/atelier`;
    const second = openDatabase({ connection: turned });
    assert.deepEqual(await serverOf(second), expected);
    assert.deepEqual(await second.transaction(serverOf), expected);
    assert.deepEqual(await withConnection({ connection: turned }, serverOf), expected);
    await second.close();
  });

  test("when it dies and the other takes over, what was acknowledged is there, once, and work goes on", async () => {
    await database.execute(sql`create table notes (id int primary key)`);
    const acknowledged: number[] = [];
    let unknown = 0;
    let refused = 0;
    const write = async (id: number): Promise<void> => {
      for (let tries = 0; ; tries += 1) {
        try {
          await database.execute(sql`insert into notes values (${id}) on conflict do nothing`);
          acknowledged.push(id);
          return;
        } catch (error) {
          assert.ok(error instanceof Fault && error.code === "service_unavailable", String(error));
          if (error instanceof CommitUnknown) unknown += 1;
          else refused += 1;
          assert.ok(tries < 3_000);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      }
    };
    const ids = Array.from({ length: 400 }, (_, index) => index);
    const inLanes = async () => {
      for (let id = ids.shift(); id !== undefined; id = ids.shift()) await write(id);
    };
    const lanes = Promise.all(Array.from({ length: 8 }, inLanes));
    while (acknowledged.length < 100) await new Promise((resolve) => setTimeout(resolve, 5));
    const second = pair.following();
    await pair.failOver();
    await lanes;
    assert.deepEqual(await serverOf(database), [{ port: String(second), isStandby: false }]);
    const [row] = await database.query<{ count: number }>(sql`select count(*)::int as count from notes`);
    assert.deepEqual([row?.count, acknowledged.length], [400, 400]);
    assert.ok(unknown + refused > 0, "some were in the middle of it");
  });
});
