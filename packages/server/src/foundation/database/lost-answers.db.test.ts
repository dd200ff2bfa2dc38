// Cuts the connection to PostgreSQL at a chosen moment: the caller learns what is known, and nothing is done twice.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { until } from "../../../test/support/server-process.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { testWire } from "../../../test/support/test-postgres-proxy.ts";
import { Fault } from "../fault.ts";
import { openDatabase } from "./database.ts";
import { CommitUnknown } from "./database-errors.ts";
import { sql } from "./sql.ts";

describe("a lost answer", () => {
  let db: TestDatabase;
  before(async () => {
    db = await testDatabase();
    await db.execute(sql`create table notes (id int primary key)`);
  });
  after(() => db.close());

  const asksToCommit = (bytes: Buffer) => bytes.includes("commit\0");
  const kept = async (id: number) => (await db.query(sql`select 1 from notes where id = ${id}`)).length === 1;

  for (const [id, cut, done] of [
    [1, "cut after", true],
    [2, "cut before", false],
  ] as const) {
    test(`to COMMIT is CommitUnknown, whether it was done (${done}) or not, and is never retried`, async () => {
      const wire = await testWire(db.url);
      const cutOff = openDatabase({ connection: wire.url, readers: 0 });
      try {
        let runs = 0;
        wire.onSent = (bytes) => (asksToCommit(bytes) ? cut : "pass");
        const attempt = cutOff.transaction(async (tx) => {
          runs++;
          await tx.execute(sql`insert into notes values (${id})`);
        });
        await assert.rejects(attempt, (error) => error instanceof CommitUnknown && isUnavailable(error));
        assert.equal(runs, 1);
        wire.onSent = undefined;
        await until("it is as it was decided", async () => (await kept(id)) === done);
        assert.deepEqual(await cutOff.query(sql`select 1 as one`), [{ one: 1 }]);
      } finally {
        await cutOff.close();
        await wire.close();
      }
    });
  }

  test("to BEGIN finds nothing sent behind it that could change anything", async () => {
    const wire = await testWire(db.url);
    const cutOff = openDatabase({ connection: wire.url, readers: 0 });
    const sent: string[] = [];
    try {
      wire.onSent = (bytes) => {
        sent.push(bytes.toString("latin1"));
        return bytes.includes("begin\0") ? "cut after" : "pass";
      };
      const attempt = cutOff.transaction((tx) =>
        Promise.all([
          tx.query(sql`select id from notes where id = 4 for update`),
          tx.execute(sql`insert into notes values (4)`),
        ]),
      );
      await assert.rejects(attempt, isUnavailable);
      assert.ok(sent.some((text) => text.includes("begin")));
      assert.ok(!sent.some((text) => text.includes("insert into notes")));
      assert.equal(await kept(4), false);
    } finally {
      await cutOff.close();
      await wire.close();
    }
  });

  test("to a statement alone is CommitUnknown too", async () => {
    const wire = await testWire(db.url);
    const cutOff = openDatabase({ connection: wire.url, readers: 0 });
    try {
      wire.onSent = (bytes) => (bytes.includes("insert into notes") ? "cut after" : "pass");
      await assert.rejects(cutOff.execute(sql`insert into notes values (3)`), CommitUnknown);
      await until("it was done", () => kept(3));
    } finally {
      await cutOff.close();
      await wire.close();
    }
  });

  for (const way of ["cut before", "swallow"] as const) {
    test(`to reads under way (${way}) is a Fault for them, and later reads are answered`, async () => {
      const wire = await testWire(db.url);
      const cutOff = openDatabase({ connection: wire.url, limits: { statementMs: 200, acquireMs: 200 } });
      try {
        const read = (id: number) => cutOff.query(sql`select ${id}::int as id`);
        const isAnswered = (id: number) =>
          read(id).then(
            () => true,
            () => false,
          );
        for (let id = 0; id < 10; id++) await until("reads are answered", () => isAnswered(id));
        wire.onSent = () => way;
        const outcomes = await Promise.allSettled([1, 2, 3].map(read));
        for (const outcome of outcomes) assert.ok(outcome.status === "rejected" && isUnavailable(outcome.reason));
        wire.onSent = undefined;
        await until("later reads are answered", () => isAnswered(4));
      } finally {
        await cutOff.close();
        await wire.close();
      }
    });
  }
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Fault && error.code === "service_unavailable" && error.retryAfterSeconds === 1;
}
