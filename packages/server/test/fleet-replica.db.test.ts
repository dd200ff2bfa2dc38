// Lists from a standby (ATELIER_DATABASE_REPLICA_URL): everything acknowledged at any gateway is in every list requested
// afterwards, while the standby follows, while its replay is paused, while it is away, and after it was promoted.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";
import { hasPostgresPair, type PostgresPair, postgresPair, sayAt } from "./support/test-postgres-pair.ts";

const lists = [
  "/api/v2/assets",
  "/v1/requests",
  "/account/usage",
  "/account/usage/daily",
  "/account/usage/series",
  "/account/errors",
  "/account/models/stats",
  "/account/webhooks/deliveries",
];

describe("lists from a standby", {
  skip: !hasPostgresPair && "this machine has no pg_basebackup",
  timeout: 900_000,
}, () => {
  let pair: PostgresPair;
  let database: TestDatabase;
  let here: TestApp;
  let there: TestApp;
  const closing: (() => Promise<unknown>)[] = [];
  // The database by name, on one server of the pair, as a read-only user.
  const readerAt = (port: number) => {
    const url = new URL(database.url);
    return `postgres://reader@127.0.0.1:${port}${url.pathname}`;
  };
  const open = async (env: Readonly<Record<string, string>>, beside?: TestApp) => {
    const { pathname } = new URL(database.url);
    const both = pair.url.replace("/atelier?", `${pathname}?`);
    const app = await testApp({
      database,
      ...(beside ? { beside } : {}),
      env: { DATABASE_URL: both, ATELIER_METRICS_PORT: "0", ...env },
    });
    closing.push(async () => {
      await app.stop();
      if (!beside) await rm(app.home, { recursive: true, force: true });
    });
    return app;
  };
  before(async () => {
    pair = await postgresPair();
    closing.push(() => pair.close());
    database = await testDatabase({ adminUrl: `postgres://atelier@127.0.0.1:${pair.writing()}/postgres` });
    closing.push(() => database.close().catch(() => undefined));
    await sayAt(pair.writing(), "create role reader login");
    await sayAt(pair.writing(), "grant pg_read_all_data to reader");
    const env = { ATELIER_DATABASE_REPLICA_URL: readerAt(pair.following()) };
    here = await open(env);
    there = await open(env, here);
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  let made = 0;
  const upload = async (): Promise<string> => {
    made += 1;
    const form = new FormData();
    form.set("content_type", "text/plain");
    form.set("file_path", `${made}.txt`);
    form.set("file", new Blob([`text ${made}`]), "a.txt");
    const answer = await fetch(`${here.baseUrl}/api/v2/assets`, {
      method: "POST",
      headers: bearer(here.key),
      body: form,
    });
    assert.equal(answer.status, 201);
    return textOf(await answer.json(), "id");
  };
  const newestAt = async (app: TestApp): Promise<string> => {
    const answer = await app.call({ path: "/api/v2/assets?limit=1", headers: bearer(here.key) });
    assert.equal(answer.status, 200, answer.text);
    return textOf(listOf(answer.json(), "data")[0], "id");
  };
  const figure = async ({ monitoringPort }: TestApp, name: string): Promise<number> => {
    const page = await (await fetch(`http://127.0.0.1:${monitoringPort}/metrics`)).text();
    const line = page.split("\n").find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  };
  const byReplica = (app: TestApp) => figure(app, 'atelier_list_reads_total{server="replica"}');
  const byPrimary = (app: TestApp) => figure(app, 'atelier_list_reads_total{server="primary"}');
  const check = async (app: TestApp) => {
    const answer = await fetch(`${app.baseUrl}/readyz`);
    const { status, message } = Object(await answer.json()).checks.replica;
    return [answer.status, status, message];
  };

  test("a write that one gateway acknowledged is in the next list of another, and the standby answers", async () => {
    await upload();
    await until("the standby answers", async () => {
      await newestAt(there);
      return (await byReplica(there)) > 0;
    });
    for (let round = 0; round < 60; round += 1) assert.equal(await upload(), await newestAt(there));
    assert.ok((await byReplica(there)) > 30);
    await until("it answers every list", async () => {
      const before = await byPrimary(there);
      for (const path of lists) {
        const answer = await there.call({ path, headers: bearer(here.key) });
        assert.equal(answer.status, 200, `${path}: ${answer.text}`);
      }
      return (await byPrimary(there)) === before;
    });
    assert.deepEqual(await check(there), [200, "ok", undefined]);
  });

  test("a standby that lags is skipped, reported, and used again when it has caught up", async () => {
    await sayAt(pair.following(), "select pg_wal_replay_pause()");
    const before = await byReplica(there);
    for (let round = 0; round < 5; round += 1) assert.equal(await upload(), await newestAt(there));
    assert.equal(await byReplica(there), before);
    assert.equal(await figure(there, "atelier_database_replica_in_use"), 0);
    const remark = "Lists are read from the primary: It lags behind.";
    // A verdict is cached for half a second.
    const verdict = await until("it is told", async () => (await check(there)).includes(remark) && check(there));
    assert.deepEqual(verdict, [200, "ok", remark]);
    assert.ok(there.logged.some((line) => line.includes("the replica is not used")));
    await sayAt(pair.following(), "select pg_wal_replay_resume()");
    await until("it is taken again", async () => {
      await newestAt(there);
      return (await figure(there, "atelier_database_replica_in_use")) === 1;
    });
    assert.equal(await upload(), await newestAt(there));
  });

  test("a standby that is down costs only its help", async () => {
    const app = await open({ ATELIER_DATABASE_REPLICA_URL: readerAt(9) }, here);
    assert.equal(await upload(), await newestAt(app));
    assert.deepEqual(await check(app), [200, "ok", "Lists are read from the primary: It does not respond."]);
    assert.equal(await byReplica(app), 0);
  });

  test("a standby of another installation is never read", async () => {
    const other = await postgresPair();
    closing.push(() => other.close());
    const url = `postgres://atelier@127.0.0.1:${other.following()}/atelier`;
    const app = await open({ ATELIER_DATABASE_REPLICA_URL: url }, here);
    assert.equal(await upload(), await newestAt(app));
    assert.deepEqual(await check(app), [
      200,
      "ok",
      "Lists are read from the primary: It is a standby of another database.",
    ]);
  });

  test("a promoted standby is the primary and no longer a replica; the one that follows it is", async () => {
    await pair.failOver();
    await until("a write is taken", async () => (await upload().catch(() => null)) !== null);
    const newest = await upload();
    assert.equal(await until("the list is answered", () => newestAt(there)), newest);
    await until("it is known", async () => {
      await newestAt(there);
      return /not a standby/.test(String((await check(there))[2]));
    });
    await pair.rebuild();
    const app = await open({ ATELIER_DATABASE_REPLICA_URL: readerAt(pair.following()) }, here);
    await until("the new standby answers", async () => {
      assert.equal(await upload(), await newestAt(app));
      return (await byReplica(app)) > 0;
    });
  });
});
