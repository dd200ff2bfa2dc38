import assert from "node:assert/strict";
import { test } from "node:test";
import { isPlainRead } from "./plain-read.ts";
import { sql } from "./sql.ts";

test("reads that take no lock may share a connection", () => {
  assert.ok(isPlainRead(sql`select id from jobs where id = ${1}`));
  assert.ok(
    isPlainRead(sql`
    with newest as (select id from jobs order by id desc limit 1) select * from newest`),
  );
});

test("statements that write, lock, wait or keep state never share a connection", () => {
  const others = [
    sql`insert into t values (1) returning id`,
    sql`update t set a = 1`,
    sql`with gone as (delete from t returning id) select * from gone`,
    sql`select id from t for update skip locked`,
    sql`select id from t FOR  NO KEY UPDATE`,
    sql`select id from t for share`,
    sql`select pg_advisory_lock(1)`,
    sql`select pg_sleep(1)`,
    sql`select nextval('s')`,
    sql`select * into copy from t`,
    sql`listen bell`,
  ];
  for (const statement of others) assert.equal(isPlainRead(statement), false, statement.text);
});
