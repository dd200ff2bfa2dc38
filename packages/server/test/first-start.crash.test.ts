// First starts that are interrupted, on the server as `npm start` runs it: the owner must still get the first key, and
// `ready` must be true.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { mkdtemp, readFile, rm, unlink } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { bearer } from "./support/app-client.ts";
import { freePort } from "./support/free-port.ts";
import { collectOutput, postgresPid, runAtelier, startServerProcess, until } from "./support/server-process.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";

// Twenty on demand: ATELIER_TEST_FIRST_STARTS=20 (npm run torture -- first-start).
const asked = process.env["ATELIER_TEST_FIRST_STARTS"];
const timedKills = Number(asked ?? 3);
// A start with the embedded database takes seconds.
const embeddedKills = Number(asked ?? 1);

const opened: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const close of opened.reverse()) await close();
});

interface FirstStart {
  readonly home: string;
  readonly file: string;
  readonly database: TestDatabase;
  readonly env: Readonly<Record<string, string>>;
}

async function aHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "atelier-first-"));
  opened.push(() => rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  return home;
}

async function aFirstStart(): Promise<FirstStart> {
  const home = await aHome();
  const database = await testDatabase();
  opened.push(() => database.close());
  const env = {
    ATELIER_HOME: home,
    DATABASE_URL: database.url,
    ATELIER_PORT: "0",
    ATELIER_SANDBOX: "off",
    ATELIER_ENGINE_SLOTS: "0",
  };
  return { home, file: join(home, "first-key.txt"), database, env };
}

async function isBootstrapped({ database }: FirstStart): Promise<boolean> {
  const rows = await database.query(sql`select 1 from installation`);
  return rows.length === 1;
}

// A first start, killed when the condition holds, or after it was ready.
async function killedWhen(start: Pick<FirstStart, "env">, look: () => Promise<boolean> | boolean): Promise<void> {
  const child = runAtelier(["serve"], start.env);
  child.stdout?.resume();
  child.stderr?.resume();
  const exited = once(child, "exit");
  // Often enough to strike between two steps, while leaving the processor to the start being watched.
  while (child.exitCode === null && !(await look())) await new Promise((resolve) => setTimeout(resolve, 1));
  child.kill("SIGKILL");
  await exited;
}

async function requireWorkingKey(start: FirstStart): Promise<void> {
  const server = await startServerProcess({ home: start.home, env: start.env });
  try {
    const text = await readFile(start.file, "utf8");
    assert.equal(statSync(start.file).mode & 0o777, 0o600);
    const [key, link] = [/^API key: {2}(\S+)$/m.exec(text)?.[1], /^Sign in: {2}(\S+)/m.exec(text)?.[1]];
    assert.ok(key && link, text);
    assert.equal((await fetch(`${server.baseUrl}/account`, { headers: bearer(key) })).status, 200);
    const page = await fetch(new URL(new URL(link).pathname, server.baseUrl));
    assert.equal(page.status, 200, "the link leads somewhere");
    const rows = await start.database.query(sql`select 1 from api_keys`);
    assert.equal(rows.length, 1, "one key and no other");
  } finally {
    await server.kill("SIGKILL");
  }
}

const embedded = { ATELIER_SANDBOX: "off", ATELIER_ENGINE_SLOTS: "0", ATELIER_PORT: "0", ATELIER_CONTENT_PORT: "0" };

async function measureEmbeddedStart(): Promise<number> {
  const began = performance.now();
  const server = await startServerProcess({ home: await aHome(), env: embedded, isFirstStart: true });
  const tookMs = performance.now() - began;
  await server.kill("SIGTERM");
  return tookMs;
}

async function requireOnlyKey(home: string): Promise<void> {
  const server = await startServerProcess({ home, env: embedded, isFirstStart: true });
  try {
    const text = await readFile(join(home, "first-key.txt"), "utf8");
    assert.match(text, /^Sign in: {2}\S+/m);
    const key = /^API key: {2}(\S+)$/m.exec(text)?.[1] ?? "";
    const listed = await fetch(`${server.baseUrl}/account/keys`, { headers: bearer(key) });
    assert.equal(listed.status, 200, "the key works");
    const { data } = (await listed.json()) as { data: unknown[] };
    assert.equal(data.length, 1, "one key and no other");
  } finally {
    assert.equal(await server.kill("SIGTERM"), 0);
    assert.equal(postgresPid(home), null);
  }
}

describe("after an interrupted first start, the next start leaves a key that its owner has and that works", () => {
  test("killed as soon as the file exists, and as soon as the key is in the database", {
    timeout: 900_000,
  }, async () => {
    const early = await aFirstStart();
    await killedWhen(early, () => existsSync(early.file));
    const late = await aFirstStart();
    await killedWhen(late, () => isBootstrapped(late));
    assert.ok(existsSync(late.file), "the file was there before the key was");
    for (const start of [early, late]) await requireWorkingKey(start);
  });

  test(`killed at ${timedKills} moments spread over the start`, { timeout: 900_000 }, async () => {
    const measured = await aFirstStart();
    const began = performance.now();
    await (await startServerProcess({ home: measured.home, env: measured.env })).kill("SIGKILL");
    const wholeMs = performance.now() - began;
    for (let each = 1; each <= timedKills; each++) {
      const start = await aFirstStart();
      const dueMs = performance.now() + (wholeMs * each) / (timedKills + 1);
      await killedWhen(start, () => performance.now() >= dueMs);
      await requireWorkingKey(start);
    }
  });

  // One of each costs seconds; the torture does both, as often as asked.
  for (const isWhole of asked === undefined ? [true] : [true, false]) {
    const who = isWhole ? "with its PostgreSQL" : "alone, its PostgreSQL left behind,";
    test(`killed ${who} in a start with the embedded database, ${embeddedKills} times`, {
      timeout: 900_000,
    }, async () => {
      const wholeMs = embeddedKills === 1 ? null : await measureEmbeddedStart();
      for (let each = 1; each <= embeddedKills; each++) {
        const home = await aHome();
        const dueMs = performance.now() + ((wholeMs ?? 0) * each) / (embeddedKills + 1);
        const isDue = () => (wholeMs === null ? postgresPid(home) !== null : performance.now() >= dueMs);
        await killedWhen({ env: { ...embedded, ATELIER_HOME: home } }, isDue);
        const postgres = isWhole ? postgresPid(home) : null;
        if (postgres !== null) process.kill(postgres, "SIGKILL");
        await requireOnlyKey(home);
      }
    });
  }

  test("with its port taken, the one for bytes or both", { timeout: 900_000 }, async () => {
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    opened.push(async () => taken.close());
    const port = String((taken.address() as AddressInfo).port);
    for (const ports of [{ ATELIER_CONTENT_PORT: port }, { ATELIER_PORT: port, ATELIER_CONTENT_PORT: port }]) {
      const start = await aFirstStart();
      const { code, err } = await collectOutput(runAtelier(["serve"], { ...start.env, ...ports }));
      assert.notEqual(code, 0, err);
      await requireWorkingKey(start);
    }
  });

  test("a key that its owner removed does not come back", { timeout: 900_000 }, async () => {
    const start = await aFirstStart();
    await killedWhen(start, () => isBootstrapped(start));
    await unlink(start.file);
    const server = await startServerProcess({ home: start.home, env: start.env });
    await server.kill("SIGKILL");
    assert.equal(existsSync(start.file), false);
  });
});

test("it says ready only when /readyz is 200; with another key ring it says what is wrong and how to fix it", {
  timeout: 900_000,
}, async () => {
  const start = await aFirstStart();
  const first = await startServerProcess({ home: start.home, env: start.env });
  await first.kill("SIGKILL");
  // The same database under a home without a key ring: it creates one.
  const other = await aFirstStart();
  const env = { ...start.env, ATELIER_HOME: other.home, ATELIER_PORT: String(await freePort()) };
  const child = runAtelier(["serve"], env);
  const ended = collectOutput(child);
  let [out, said] = ["", ""];
  child.stdout?.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr?.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  try {
    await until("it says what is wrong", () => said.includes("atelier secrets adopt"));
    assert.match(said, /Not ready yet; \/readyz answers 503:\n {2}key ring: .*differs/);
    const url = `http://127.0.0.1:${env.ATELIER_PORT}/readyz`;
    assert.equal((await fetch(url)).status, 503);
    assert.equal(out, "");
    assert.equal((await collectOutput(runAtelier(["secrets", "adopt", "--yes"], env))).code, 0);
    await until("it is ready", () => /^ready /m.test(out));
    assert.equal((await fetch(url)).status, 200);
  } finally {
    child.kill("SIGTERM");
    assert.equal((await ended).code, 0);
  }
});
