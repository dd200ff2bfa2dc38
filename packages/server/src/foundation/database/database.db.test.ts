import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { Client } from "pg";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { testWire } from "../../../test/support/test-postgres-proxy.ts";
import { Fault } from "../fault.ts";
import { openDatabase } from "./database.ts";
import { CommitUnknown, errorCode } from "./database-errors.ts";
import { identifier, sql } from "./sql.ts";

describe("a database", () => {
  let db: TestDatabase;
  before(async () => {
    db = await testDatabase();
    await db.execute(sql`create table notes (id int primary key, body text)`);
  });
  after(() => db.close());

  test("values come back as they were given", async () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
    const values = fc.record({
      texts: fc.array(fc.option(text)),
      bytes: fc.array(fc.uint8Array()),
      bigs: fc.array(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      at: fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
      json: fc.record({ a: fc.jsonValue({ noUnicodeString: true }) }),
    });
    await fc.assert(
      fc.asyncProperty(values, async (given) => {
        const rows = await db.query<{ texts: string[]; bytes: Buffer[]; bigs: string[]; at: Date; json: unknown }>(sql`
          select ${given.texts}::text[] as texts, ${given.bytes}::bytea[] as bytes, ${given.bigs}::bigint[] as bigs,
            ${given.at}::timestamptz as at, ${given.json}::json as json`);
        const row = rows[0];
        assert.ok(row);
        assert.deepEqual(row.texts, given.texts);
        assert.deepEqual(
          row.bytes.map((bytes) => [...bytes]),
          given.bytes.map((bytes) => [...bytes]),
        );
        assert.deepEqual(row.bigs.map(BigInt), given.bigs);
        assert.deepEqual(row.at, given.at);
        assert.deepEqual(row.json, JSON.parse(JSON.stringify(given.json)));
      }),
      { numRuns: 100 },
    );
  });

  test("large binary values come back as they were given, wherever they are among the others", async () => {
    const shared = Buffer.from(new SharedArrayBuffer(3_000_000)).fill("a lighthouse at dusk ");
    const part = shared.subarray(1_000, 2_500_000);
    const find = (text: string) =>
      db.transaction((tx) =>
        tx.query<{ first: Buffer; none: null; text: string; last: Buffer }>(sql`
          select ${shared}::bytea as first, ${null}::text as none, ${text}::text as text, ${part}::bytea as last`),
      );
    for (const text of ["ü", "ü"]) {
      const [row] = await find(text);
      assert.ok(row);
      assert.ok(row.first.equals(shared) && row.last.equals(part));
      assert.deepEqual([row.none, row.text], [null, text]);
    }
    await assert.rejects(db.execute(sql`insert into notes (id, body) values (${shared}::bytea, 'x')`), /type/);
    assert.deepEqual(await db.query(sql`select length(${part}::bytea) as length`), [{ length: part.length }]);
  });

  test("a value that cannot be converted fails alone and leaves its prepared statement usable", async () => {
    const find = (value: unknown) => db.query(sql`select ${value}::text as value`);
    await find("works");
    await assert.rejects(find({ big: 1n }), TypeError);
    assert.deepEqual(await Promise.all([find("a"), find("b")]), [[{ value: "a" }], [{ value: "b" }]]);
  });

  test("a failing read fails alone among the reads beside it", async () => {
    const outcomes = await Promise.allSettled(
      [4, 2, 0, 5].map((divisor) => db.query<{ result: number }>(sql`select 20 / ${divisor}::int as result`)),
    );
    const results = outcomes.map((outcome) =>
      outcome.status === "fulfilled" ? outcome.value[0]?.result : errorCode(outcome.reason),
    );
    assert.deepEqual(results, [5, 10, "22012", 4]);
  });

  test("many reads of a statement that cannot be prepared all fail with the real reason", async () => {
    const outcomes = await Promise.allSettled(
      [1, 2, 3].map((id) => db.query(sql`select * from nowhere where id = ${id}`)),
    );
    for (const outcome of outcomes) assert.equal(outcome.status === "rejected" && errorCode(outcome.reason), "42P01");
  });

  test("a prepared statement goes on working when the table gains a column", async () => {
    await db.execute(sql`create table grows (id int)`);
    const all = () => db.query(sql`select * from grows`);
    const none = () => db.execute(sql`insert into grows values (1) returning *`);
    for (let turn = 0; turn < 4; turn++) await Promise.all([all(), all(), none()]);
    await db.execute(sql`alter table grows add column extra int default 7`);
    for (const [row] of await Promise.all([all(), all(), all()])) assert.deepEqual(row, { id: 1, extra: 7 });
    assert.equal(await none(), 1);
    await db.transaction(async (tx) => {
      await tx.query(sql`select * from grows`);
    });
  });

  test("execute returns how many rows changed", async () => {
    await db.execute(sql`insert into notes select n, 'x' from generate_series(100, 104) n`);
    assert.equal(await db.execute(sql`update notes set body = 'y' where id >= ${102} and id < 200`), 3);
    assert.equal(await db.execute(sql`delete from notes where id = ${-1}`), 0);
  });

  test("a statement that takes too long is given up, as a Fault that may be tried again", async () => {
    const impatient = openDatabase({ connection: db.url, limits: { statementMs: 600, lockMs: 20 } });
    try {
      await assert.rejects(impatient.query(sql`select pg_sleep(5)`), isBusy);
      await assert.rejects(
        impatient.query(sql`select count(*) from generate_series(1, 9000) a, generate_series(1, 90000) b`),
        isBusy,
      );
      await db.transaction(async (tx) => {
        await tx.execute(sql`lock table notes in access exclusive mode`);
        await assert.rejects(impatient.execute(sql`delete from notes where id = -1`), isBusy);
      });
      // On a busy machine this one may take a while too.
      const works = () =>
        impatient.query(sql`select 1 as one`).then(
          ([row]) => row,
          () => null,
        );
      await untilTrue(async () => (await works()) !== null);
    } finally {
      await impatient.close();
    }
  });

  test("a caller without a connection in time gets a retryable fault", async () => {
    const narrow = openDatabase({ connection: db.url, poolSize: 1, readers: 0, limits: { acquireMs: 50 } });
    try {
      // Open the only connection first: opening it may take longer than the time limit.
      const isThere = () =>
        narrow.query(sql`select 1`).then(
          () => true,
          () => false,
        );
      await untilTrue(isThere);
      await narrow.transaction(async () => {
        await assert.rejects(narrow.query(sql`select 1`), isBusy);
      });
    } finally {
      await narrow.close();
    }
  });

  test("a connection that came too late serves the next caller instead of a new one", async () => {
    const wire = await testWire(db.url);
    const held = Promise.withResolvers<void>();
    wire.hold = held.promise;
    const impatient = openDatabase({ connection: wire.url, poolSize: 1, readers: 0, limits: { acquireMs: 50 } });
    try {
      for (let times = 0; times < 3; times++) await assert.rejects(impatient.query(sql`select 1`), isBusy);
      held.resolve();
      await untilTrue(() =>
        impatient.query(sql`select 1`).then(
          () => true,
          () => false,
        ),
      );
      assert.equal(wire.connections, 1);
    } finally {
      await impatient.close();
      await wire.close();
    }
  });

  test("no server at all is a Fault that may be tried again, for reads, writes and transactions", async () => {
    const nowhere = openDatabase({ connection: { host: "/nowhere", user: "u", database: "d" } });
    try {
      for (const attempt of [
        () => nowhere.query(sql`select 1`),
        () => nowhere.execute(sql`delete from t`),
        () => nowhere.transaction(async (tx) => tx.query(sql`select 1`)),
      ]) {
        await assert.rejects(attempt, (error) => isUnavailable(error) && !(error instanceof CommitUnknown));
      }
    } finally {
      await nowhere.close();
    }
  });

  test("connections that the server ends are replaced, and our process lives on", async () => {
    const other = openDatabase({ connection: db.url, applicationName: "to-be-ended" });
    try {
      const answers = () =>
        Promise.all([other.query(sql`select 1 as one`), other.execute(sql`delete from notes where id = -1`)]);
      await answers();
      await db.query(
        sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'to-be-ended'`,
      );
      await untilTrue(() =>
        answers().then(
          () => true,
          () => false,
        ),
      );
      await answers();
    } finally {
      await other.close();
    }
  });

  test("a server that may not write is away, nothing was done, and its connection is not used again", async () => {
    // As after a failover: open connections lead to a server that is now a standby, new ones to the writable one.
    const name = identifier(new URL(db.url).pathname.slice(1));
    await db.execute(sql`alter database ${name} set default_transaction_read_only = on`);
    const other = openDatabase({ connection: db.url, poolSize: 1 });
    try {
      const alone = other.execute(sql`insert into notes values (910, 'alone')`);
      await assert.rejects(alone, (error) => isUnavailable(error) && !(error instanceof CommitUnknown));
      const together = other.transaction((tx) => tx.execute(sql`insert into notes values (911, 'together')`));
      await assert.rejects(together, (error) => isUnavailable(error) && !(error instanceof CommitUnknown));
      const writer = openDatabase({ connection: db.url, settings: { default_transaction_read_only: "off" } });
      await writer.execute(sql`alter database ${name} reset default_transaction_read_only`);
      await writer.close();
      await other.execute(sql`insert into notes values (913, 'after')`);
      assert.deepEqual(await db.query(sql`select id from notes where id between 910 and 919`), [{ id: 913 }]);
    } finally {
      await other.close();
    }
  });

  test("a connection that is ended inside a transaction is an answer, not a crash", async () => {
    const other = openDatabase({ connection: db.url });
    try {
      const doomed = other.transaction(async (tx) => {
        const [me] = await tx.query<{ pid: number }>(sql`select pg_backend_pid() as pid`);
        await db.query(sql`select pg_terminate_backend(${me?.pid})`);
        await tx.execute(sql`insert into notes values (900, 'lost')`);
      });
      await assert.rejects(doomed, (error) => isUnavailable(error) && !(error instanceof CommitUnknown));
      assert.deepEqual(await db.query(sql`select id from notes where id = 900`), []);
    } finally {
      await other.close();
    }
  });

  test("behind a pooler nothing is prepared by name and nothing is asked at connecting", async () => {
    const pooled = openDatabase({ connection: db.url, behindPooler: true, limits: { statementMs: 1234 } });
    try {
      await pooled.query(sql`select ${1}::int as one`);
      await pooled.transaction(async (tx) => {
        const [row] = await tx.query<{ inside: string; prepared: number }>(sql`
          select current_setting('statement_timeout') as inside,
            (select count(*)::int from pg_prepared_statements) as prepared`);
        assert.deepEqual(row, { inside: "1234ms", prepared: 0 });
      });
      const [outside] = await pooled.query<{ value: string }>(
        sql`select current_setting('statement_timeout') as value`,
      );
      assert.equal(outside?.value, "1234ms", "a statement alone has its limits, too");
    } finally {
      await pooled.close();
    }
  });
});

describe("a transaction", () => {
  let db: TestDatabase;
  before(async () => {
    db = await testDatabase();
    await db.execute(sql`create table accounts (id int primary key, amount int not null)`);
    await db.execute(sql`insert into accounts select n, 100 from generate_series(1, 4) n`);
  });
  after(() => db.close());

  test("is committed whole or not at all", async () => {
    const failing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into accounts values (50, 1)`);
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await db.query(sql`select 1 from accounts where id = 50`), []);
  });

  test("that swallowed an error is not reported as committed", async () => {
    const swallowing = db.transaction(async (tx) => {
      await tx.execute(sql`insert into accounts values (60, 1)`);
      await tx.execute(sql`select 1 / 0`).catch(() => {});
    });
    await assert.rejects(swallowing, /rolled back/);
    assert.deepEqual(await db.query(sql`select 1 from accounts where id = 60`), []);
  });

  test("runs its statements in the order in which they were asked for, without waiting for answers", async () => {
    const amounts = await db.transaction(async (tx) => {
      const amount = () => tx.query<{ amount: number }>(sql`select amount from accounts where id = 4 for update`);
      const add = (some: number) => tx.execute(sql`update accounts set amount = amount + ${some} where id = 4`);
      const answers = [amount(), add(5), amount(), add(-5), amount()];
      return (await Promise.all(answers)).map((answer) => (Array.isArray(answer) ? answer[0]?.amount : "changed"));
    });
    assert.deepEqual(amounts, [100, "changed", 105, "changed", 100]);
  });

  test("cannot be used after it has ended", async () => {
    let escaped: { query: typeof db.query } | undefined;
    await db.transaction(async (tx) => {
      escaped = tx;
    });
    await assert.rejects(async () => escaped?.query(sql`select 1`), /has ended/);
  });

  test("that PostgreSQL gave up for a deadlock runs again, and no amount is lost", async () => {
    let runs = 0;
    let locked = 0;
    const bothHaveOne = Promise.withResolvers<void>();
    const transfer = (from: number, to: number) =>
      db.transaction(async (tx) => {
        runs++;
        await tx.execute(sql`set local deadlock_timeout = '10ms'`);
        await tx.execute(sql`update accounts set amount = amount - 1 where id = ${from}`);
        if (++locked === 2) bothHaveOne.resolve();
        await bothHaveOne.promise;
        await tx.execute(sql`update accounts set amount = amount + 1 where id = ${to}`);
      });
    await Promise.all([transfer(1, 2), transfer(2, 1)]);
    assert.ok(runs > 2, "a deadlock was provoked");
    const [sum] = await db.query<{ sum: string }>(sql`select sum(amount) as sum from accounts where id <= 4`);
    assert.equal(sum?.sum, "400");
  });

  test("that keeps losing is given up after five retries", async () => {
    let runs = 0;
    const losing = db.transaction(async (tx) => {
      runs++;
      await tx.execute(sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`);
    });
    await assert.rejects(losing, (error) => errorCode(error) === "40001");
    assert.equal(runs, 6);
  });

  test("does not take an error from elsewhere for one of the database", async () => {
    const refused = Object.assign(new Error("the partner is away"), { code: "ECONNREFUSED" });
    await assert.rejects(
      db.transaction(async () => {
        throw refused;
      }),
      (error) => error === refused,
    );
  });

  test("leaves its connection clean for the next one", async () => {
    const narrow = openDatabase({ connection: db.url, poolSize: 1, readers: 0 });
    try {
      await assert.rejects(narrow.transaction((tx) => tx.query(sql`select 1 / 0`)));
      assert.deepEqual(await narrow.query(sql`select 1 as one`), [{ one: 1 }]);
      await assert.rejects(
        narrow.execute(sql`insert into accounts values (1, 1)`),
        (error) => errorCode(error) === "23505",
      );
      assert.deepEqual(await narrow.query(sql`select 2 as two`), [{ two: 2 }]);
    } finally {
      await narrow.close();
    }
  });
});

test("closing leaves no connection behind", async () => {
  const db = await testDatabase();
  const counter = new Client({ connectionString: db.url });
  await counter.connect();
  try {
    const other = openDatabase({ connection: db.url, applicationName: "to-be-closed" });
    await Promise.all([other.query(sql`select 1`), other.execute(sql`select 1`), other.transaction(async () => {})]);
    await other.close();
    await other.close();
    await untilTrue(async () => {
      const { rows } = await counter.query("select 1 from pg_stat_activity where application_name = 'to-be-closed'");
      return rows.length === 0;
    });
  } finally {
    await counter.end();
    await db.close();
  }
});

function isUnavailable(error: unknown): boolean {
  return error instanceof Fault && error.code === "service_unavailable" && error.retryAfterSeconds === 1;
}

function isBusy(error: unknown): boolean {
  return isUnavailable(error) && error instanceof Error && /busy/.test(error.message);
}

async function untilTrue(condition: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 6_000; tries++) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("the condition did not come true in time");
}
