// A whole server behind a transaction pooler: everything works with a connection that is a different one in each
// transaction, and with fewer connections than the server would open.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { readConfig } from "../src/config.ts";
import { openBus } from "../src/foundation/bus/open-bus.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { openDatabase, sql } from "../src/foundation/database/index.ts";
import { silentLog } from "../src/foundation/log.ts";
import { bearer } from "./support/app-client.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";
import { hasPgbouncer, type TestPooler, testPooler } from "./support/test-pgbouncer.ts";

const workflow = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

describe("behind a transaction pooler", { skip: !hasPgbouncer && "this machine has no pgbouncer" }, () => {
  let database: TestDatabase;
  let pooler: TestPooler;
  before(async () => {
    database = await testDatabase();
    pooler = await testPooler(database.url, 8);
  });
  after(async () => {
    await pooler.kill();
    await database.close();
  });

  test("a single statement and a transaction get their limits and settings, and leave none behind", async () => {
    const settings = { enable_seqscan: "off" };
    const pooled = openDatabase({
      connection: pooler.url,
      behindPooler: true,
      settings,
      limits: { statementMs: 4321 },
    });
    const plain = openDatabase({ connection: pooler.url, behindPooler: true });
    const asked = sql`select current_setting('statement_timeout') as timeout, current_setting('enable_seqscan') as scan`;
    try {
      const own = [{ timeout: "4321ms", scan: "off" }];
      assert.deepEqual(await pooled.query(asked), own);
      assert.deepEqual(await pooled.transaction((tx) => tx.query(asked)), own);
      assert.deepEqual(await plain.query(asked), [{ timeout: "5s", scan: "on" }]);
      await assert.rejects(pooled.execute(sql`select 1 / ${0}::int`), /division by zero/);
      assert.deepEqual(await pooled.query(asked), own);
    } finally {
      await pooled.close();
      await plain.close();
    }
  });

  describe("a server", () => {
    let app: TestApp;
    before(async () => {
      const env = { ATELIER_DATABASE_POOLER: "transaction", ATELIER_DATABASE_DIRECT_URL: database.url };
      app = await testApp({
        database,
        env: { DATABASE_URL: pooler.url, ...env, ATELIER_SANDBOX: "on", ATELIER_ENGINE_SLOTS: "1" },
      });
    });
    after(async () => {
      await app.stop();
      await rm(app.home, { recursive: true, force: true });
    });

    test("is ready, runs a paid call once, replays it from its record, and runs a job to its picture", async () => {
      assert.equal((await app.call({ path: "/readyz" })).status, 200);
      const headers = { ...bearer(app.key), "idempotency-key": randomUUID() };
      const call = {
        method: "POST",
        path: "/v1/models/sandbox/image-1",
        headers,
        body: { prompt: "a pooled picture" },
      };
      const [first, again] = [await app.call(call), await app.call(call)];
      assert.deepEqual([first.status, again.status], [200, 200], first.text);
      assert.equal(again.text, first.text);
      const submitted = await app.call({
        method: "POST",
        path: "/api/v2/jobs",
        headers: bearer(app.key),
        body: { workflow },
      });
      assert.equal(submitted.status, 201, submitted.text);
      const events = await fetch(`${app.baseUrl}/api/v2/jobs/${JSON.parse(submitted.text).id}/events`, {
        headers: bearer(app.key),
      });
      assert.match(await events.text(), /"status":"succeeded"/);
    });

    test("answers two hundred requests at once with eight connections to PostgreSQL", async () => {
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          app.call({
            method: "POST",
            path: "/v1/models/sandbox/text-1",
            headers: { ...bearer(app.key), "idempotency-key": randomUUID() },
            body: { prompt: `number ${index}` },
          }),
        ),
      );
      const statuses = new Map<number, number>();
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      // Beyond the workspace's slots a call is refused, which has nothing to do with the pooler.
      assert.deepEqual(
        [...statuses.keys()].filter((status) => status !== 200 && status !== 429),
        [],
      );
      assert.ok((statuses.get(200) ?? 0) > 0);
      assert.equal((await app.call({ path: "/readyz" })).status, 200);
    });
  });

  test("a bus on PostgreSQL needs its own connection, and says where to configure it", async () => {
    const { values } = readConfig({
      flags: {},
      env: { DATABASE_URL: pooler.url, ATELIER_DATABASE_POOLER: "transaction" },
      file: {},
    });
    const storage = { database, connection: pooler.url, isEmbedded: false };
    const opening = openBus({ config: values, storage, clock: systemClock, log: silentLog });
    await assert.rejects(opening, /ATELIER_DATABASE_DIRECT_URL/);
  });
});
