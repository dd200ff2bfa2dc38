import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createBackground } from "../../foundation/background.ts";
import type { Queryable } from "../../foundation/database/database.ts";
import type { Statement } from "../../foundation/database/sql.ts";
import { Fault } from "../../foundation/fault.ts";
import { type HandClock, handClock } from "../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../foundation/log.ts";
import { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";
import type { BadgeRow, ServedRow } from "./badge-row.ts";
import { advanceRevision, findSnapshot, insertBadgeRow } from "./badge-store.ts";
import { badgeRow } from "./generated-rows.test.ts";
import { withPriced } from "./priced-rows.ts";
import { retireSeed } from "./retire-seed.ts";

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

  // Runs it as a process would.
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
  // Another process: it writes and bumps the revision without notifying us.
  const writeElsewhere = (nodeId: string) =>
    database.transaction(async (tx) => {
      await advanceRevision(tx);
      await insertBadgeRow(tx, badgeRow({ nodeId }));
    });
  const until = async (condition: () => boolean) => {
    for (let tries = 0; !condition() && tries < 6_000; tries++) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.ok(condition());
  };

  test("before the first read there is none, and that is a Fault", () => {
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

  const priced = (nodeId: string, more: Partial<ServedRow> = {}): ServedRow => badgeRow({ nodeId, ...more });

  test("badges of prices are served besides what operators wrote, and change when prices do", async () => {
    await writeElsewhere("Written");
    await start();
    await maps.follow([priced("Priced")]);
    assert.deepEqual(served(), ["Priced", "Written"]);
    await maps.follow([priced("Other")]);
    assert.deepEqual(served(), ["Other", "Written"]);
  });

  test("a node that an operator wrote a badge for is the operator's, ended or not, on that platform", async () => {
    await database.transaction(async (tx) => {
      await advanceRevision(tx);
      await insertBadgeRow(tx, badgeRow({ nodeId: "Ended", ended: true }));
      await insertBadgeRow(tx, badgeRow({ nodeId: "OnCloud", platforms: ["cloud"], badgeText: `{"own":1}` }));
    });
    await start();
    await maps.follow([priced("Ended"), priced("OnCloud"), priced("Priced")]);
    assert.deepEqual(served(), ["OnCloud", "Priced"]);
    const local = maps.current().find("latest", "local").identity.full.body;
    assert.deepEqual(Object.keys(JSON.parse(Buffer.from(local instanceof Uint8Array ? local : "").toString())), [
      "OnCloud",
      "Priced",
    ]);
    const cloud = maps.current().find("latest", "cloud").identity.full.body;
    assert.deepEqual(JSON.parse(Buffer.from(cloud instanceof Uint8Array ? cloud : "").toString())["OnCloud"], {
      own: 1,
    });
  });

  test("prices that change while the database is away are shown after the next look", async () => {
    await start();
    isAway = true;
    await assert.rejects(maps.follow([priced("Priced")]));
    isAway = false;
    await until(() => {
      void clock.advance(2000);
      return served().includes("Priced");
    });
  });
});

describe("the seed of release 0.1.0", () => {
  let database: TestDatabase;
  const clock = handClock();
  const relight = (usd: string) =>
    `{"depends_on":{"input_groups":[],"inputs":[],"widgets":[]},"engine":"jsonata","expr":"{\\"type\\": \\"usd\\", \\"usd\\": ${usd}}"}`;
  const write = (...rows: readonly BadgeRow[]) =>
    database.transaction(async (tx) => {
      await advanceRevision(tx);
      for (const row of rows) await insertBadgeRow(tx, row);
    });
  const nodes = async () => (await findSnapshot(database)).rows.map(({ nodeId, ended }) => `${nodeId} ${ended}`).sort();
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.close());

  test("gives way where nobody touched it, once", async () => {
    await write(badgeRow({ nodeId: "PartnerARelightNode", badgeText: relight("0.11") }), badgeRow({ nodeId: "Mine" }));
    assert.equal(await retireSeed({ database, clock }), 1);
    assert.ok((await nodes()).includes("Mine false"), "what an operator wrote stays");
    assert.ok(!(await nodes()).some((node) => node.startsWith("PartnerARelightNode")));
    const { revision } = await findSnapshot(database);
    assert.equal(await retireSeed({ database, clock }), 0);
    assert.equal((await findSnapshot(database)).revision, revision, "a second start changes nothing");
  });

  test("stays where an operator changed or ended it, and what was removed of it does not come back", async () => {
    await write(
      badgeRow({ nodeId: "PartnerAStyleTransferNode", badgeText: relight("0.11") }),
      badgeRow({ nodeId: "PartnerARelightNode", badgeText: relight("0.2"), updatedAt: new Date(5) }),
      badgeRow({ nodeId: "SandboxImageFastNode", badgeText: relight("0.03"), ended: true, updatedAt: new Date(5) }),
    );
    assert.equal(await retireSeed({ database, clock }), 1);
    const left = await nodes();
    assert.ok(left.includes("PartnerARelightNode false"));
    assert.ok(left.includes("SandboxImageFastNode true"));
    assert.ok(left.includes("PartnerBTextToVideoNode true"), "removed by the operator: an ended row keeps its node");
    const { rows } = await findSnapshot(database);
    assert.deepEqual(withPriced(rows, [badgeRow({ nodeId: "PartnerBTextToVideoNode" })]), rows);
  });

  test("a table that never had it is left alone", async () => {
    await write(badgeRow({ nodeId: "Mine" }));
    assert.equal(await retireSeed({ database, clock }), 0);
    assert.deepEqual(await nodes(), ["Mine false"]);
  });
});
