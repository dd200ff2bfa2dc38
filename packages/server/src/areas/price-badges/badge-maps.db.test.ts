import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import { type HandClock, handClock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import type { Statement } from "../../foundation/database/sql.ts";
import { Fault } from "../../foundation/fault.ts";
import { silentLog } from "../../foundation/log.ts";
import { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
import { advanceRevision, insertBadgeRow, removeBadgeRow } from "./badge-store.ts";
import { badgeRow } from "./generated-rows.test.ts";
import { seedBadges } from "./seed.ts";
import { seedBadgeList } from "./seed-badges.ts";

describe("the map a process serves", () => {
  let database: TestDatabase;
  let clock: HandClock;
  let isAway: boolean;
  let queries: number;
  let maps: BadgeMaps;
  let stop: () => Promise<void>;

  beforeEach(async () => {
    database = await testDatabase();
    clock = handClock();
    isAway = false;
    queries = 0;
    const watched: Queryable = {
      async query<Row extends object>(statement: Statement) {
        try {
          if (isAway) throw new Error("the database is away");
          return await database.query<Row>(statement);
        } finally {
          queries++;
        }
      },
      execute: (statement) => database.execute(statement),
    };
    maps = createBadgeMaps({ database: watched, cacheControl: "public" });
    stop = async () => undefined;
  });
  afterEach(async () => {
    await stop();
    await database.close();
  });

  // As a process runs it.
  const start = async () => {
    const stopping = new AbortController();
    await maps.start();
    const running = maps.run(createBackground({ clock, log: silentLog }), stopping.signal);
    stop = () => {
      stopping.abort();
      return running;
    };
  };
  const served = () => {
    const { body } = maps.current().find("latest", "cloud").identity.full;
    return Object.keys(JSON.parse(Buffer.from(body instanceof Uint8Array ? body : "").toString()));
  };
  // Another process: it writes and bumps the revision, and tells nobody.
  const writeElsewhere = (nodeId: string) =>
    database.transaction(async (tx) => {
      await advanceRevision(tx);
      await insertBadgeRow(tx, badgeRow({ nodeId }));
    });
  const until = async (condition: () => boolean) => {
    for (let tries = 0; !condition() && tries < 6_000; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(condition());
  };

  test("before it was read there is none, and that is a Fault", () => {
    assert.throws(() => maps.current(), Fault);
  });

  test("what another process wrote is served after the next look, and not before", async () => {
    await start();
    await writeElsewhere("Elsewhere");
    await clock.advance(1999);
    assert.deepEqual(served(), []);
    await clock.advance(1);
    await until(() => served().includes("Elsewhere"));
  });

  test("while nothing changes a look is one small query", async () => {
    await start();
    const before = queries;
    for (let look = 1; look <= 3; look++) {
      await clock.advance(2000);
      await until(() => queries >= before + look);
      await clock.advance(0);
    }
    assert.equal(queries, before + 3);
  });

  test("while the database is away the last map is served, and afterwards the new one", async () => {
    await writeElsewhere("First");
    await start();
    await writeElsewhere("Second");
    isAway = true;
    const before = queries;
    await clock.advance(2000);
    await until(() => queries > before);
    assert.deepEqual(served(), ["First"]);
    isAway = false;
    await until(() => {
      void clock.advance(2000);
      return served().length === 2;
    });
  });

  test("a refresh asked for after a write always shows that write, however many are under way", async () => {
    await start();
    const written = Array.from({ length: 10 }, async (_, at) => {
      await writeElsewhere(`Node${at}`);
      await maps.refresh();
      assert.ok(served().includes(`Node${at}`));
    });
    await Promise.all(written);
  });

  test("a process that stops looks no more", async () => {
    await start();
    await stop();
    const before = queries;
    await clock.advance(10_000);
    assert.equal(queries, before);
  });

  test("a fresh table is seeded once, by one of the processes that start together", async () => {
    const deps = { database, clock };
    const written = await Promise.all([seedBadges(deps), seedBadges(deps), seedBadges(deps)]);
    assert.deepEqual(
      written.filter((rows) => rows > 0),
      [seedBadgeList.length],
    );
    assert.equal(await seedBadges(deps), 0);
    await start();
    assert.ok(served().includes("PartnerARelightNode"));
    assert.ok(!served().includes("SandboxRetiredImageNode"));
  });

  test("what an operator removed never comes back with the seed", async () => {
    const row = badgeRow({ nodeId: "Mine" });
    await database.transaction(async (tx) => {
      await advanceRevision(tx);
      await insertBadgeRow(tx, row);
      await removeBadgeRow(tx, row.id);
    });
    assert.equal(await seedBadges({ database, clock }), 0);
  });
});
