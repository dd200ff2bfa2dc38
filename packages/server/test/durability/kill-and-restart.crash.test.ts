// The crash smoke test: real processes, kill -9, the embedded PostgreSQL, backup under load and restore into a new home.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { FormData, request } from "undici";
import {
  collectOutput,
  postgresPid,
  runAtelier,
  type ServerProcess,
  startServerProcess,
  until,
} from "../support/server-process.ts";
import { beginUploads, finishUploads, type UnfinishedUploads } from "./unfinished-uploads.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-crash-"));
const home = join(folder, "home");
const restored = join(folder, "restored");
const adminToken = "admin-token-of-the-crash-smoke";
const env = { ATELIER_ADMIN_TOKEN: adminToken };
const running: ServerProcess[] = [];

after(async () => {
  for (const server of running) if (server.process.exitCode === null) await server.kill("SIGKILL");
  for (const folder of [home, restored]) {
    const pid = postgresPid(folder);
    if (pid !== null) process.kill(pid, "SIGQUIT");
    await until("PostgreSQL ended", () => postgresPid(folder) === null);
  }
  rmSync(folder, { recursive: true, force: true });
});

async function start(folder: string): Promise<ServerProcess> {
  const server = await startServerProcess({ home: folder, env });
  running.push(server);
  return server;
}

async function createToken(server: ServerProcess, name: string): Promise<number> {
  const answer = await request(`${server.baseUrl}/admin/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  await answer.body.dump();
  return answer.statusCode;
}

async function tokenNames(server: ServerProcess): Promise<string[]> {
  const answer = await request(`${server.baseUrl}/admin/tokens`, {
    headers: { authorization: `Bearer ${adminToken}` },
  });
  const page = (await answer.body.json()) as { data: { name: string }[] };
  return page.data.map((token) => token.name).sort();
}

const getAccount = async (server: ServerProcess, key: string) => {
  const answer = await request(`${server.baseUrl}/account`, { headers: { "x-api-key": key } });
  await answer.body.dump();
  return answer.statusCode;
};

async function uploadAsset(server: ServerProcess, key: string, text: string): Promise<string> {
  const form = new FormData();
  form.set("content_type", "text/plain");
  form.set("file_path", "note.txt");
  form.set("file", new Blob([text], { type: "text/plain" }), "note.txt");
  const answer = await request(`${server.baseUrl}/api/v2/assets`, {
    method: "POST",
    headers: { "x-api-key": key },
    body: form,
  });
  const asset = (await answer.body.json()) as { id: string };
  assert.equal(answer.statusCode, 201, JSON.stringify(asset));
  return asset.id;
}

async function downloadAsset(server: ServerProcess, key: string, id: string): Promise<string> {
  const answer = await request(`${server.baseUrl}/api/v2/assets/${id}`, { headers: { "x-api-key": key } });
  const asset = (await answer.body.json()) as { url: string };
  const bytes = await request(asset.url);
  assert.equal(bytes.statusCode, 200);
  return bytes.body.text();
}

describe("a killed server", { timeout: 900_000 }, () => {
  let key = "";
  let asset = "";
  let uploads: UnfinishedUploads | null = null;
  const acknowledged: string[] = [];

  test("the first start writes its key to a file that only its owner can read, when there is no terminal", async () => {
    const server = await start(home);
    const file = join(home, "first-key.txt");
    assert.equal(statSync(file).mode & 0o777, 0o600);
    key = /API key: +(\S+)/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
    assert.equal(await getAccount(server, key), 200);
    assert.ok(!server.log().includes(key));
    for (const name of ["one", "two"]) {
      assert.equal(await createToken(server, name), 201);
      acknowledged.push(name);
    }
    asset = await uploadAsset(server, key, "kept bytes");
    uploads = await beginUploads({ ...server, key });
  });

  test("kill -9: the next start needs no manual step, finds no stale PostgreSQL, and has every acknowledged write", async () => {
    await running.at(-1)?.kill("SIGKILL");
    const server = await start(home);
    assert.deepEqual(await tokenNames(server), ["environment", ...acknowledged].sort());
    assert.equal(await downloadAsset(server, key, asset), "kept bytes");
    assert.equal(await getAccount(server, key), 200);
    assert.ok(!server.log().includes("first start"), "the bootstrap key is written once");
  });

  test("uploads of unknown length and partial uploads resume where they were when the server was killed", async () => {
    const server = running.at(-1);
    assert.ok(server && uploads);
    const [deferred = "", joined = ""] = await finishUploads({ ...server, key }, uploads);
    assert.equal(await downloadAsset(server, key, deferred), "acknowledged, finished");
    assert.equal(await downloadAsset(server, key, joined), "first second");
  });

  test("kill -9 of PostgreSQL under the running server: it answers 503 at worst, recovers by itself, loses nothing", async () => {
    const server = running.at(-1);
    assert.ok(server);
    const pid = await until("PostgreSQL runs", () => postgresPid(home));
    process.kill(pid, "SIGKILL");
    const statuses = new Set<number>();
    await until("writes work again", async () => {
      const name = `after-${acknowledged.length}`;
      const status = await createToken(server, name);
      statuses.add(status);
      if (status === 201) acknowledged.push(name);
      // A backend of the killed PostgreSQL may serve one more write before it notices.
      const now = postgresPid(home);
      return status === 201 && now !== null && now !== pid;
    });
    for (const status of statuses) assert.ok([201, 503].includes(status), `answered ${status}`);
    const badges = await request(`${server.baseUrl}/nodes/pricing/badges?app_version=1.2.3&platform=local`);
    assert.equal(badges.statusCode, 200);
    await badges.body.dump();
    const names = await tokenNames(server);
    for (const name of acknowledged) assert.ok(names.includes(name), name);
  });

  test("a backup under load restores into a new home with everything acknowledged before it", async () => {
    const server = running.at(-1);
    assert.ok(server);
    const before = [...acknowledged];
    let stop = false;
    const load = (async () => {
      for (let n = 0; !stop; n++) if ((await createToken(server, `load-${n}`)) === 201) acknowledged.push(`load-${n}`);
    })();
    const backup = join(folder, "backup");
    const made = await collectOutput(runAtelier(["backup", backup, "--json"], { ATELIER_HOME: home }));
    stop = true;
    await load;
    assert.equal(made.code, 0, made.err);
    assert.equal(JSON.parse(made.out).ok, true);
    const loaded = await collectOutput(runAtelier(["restore", backup, "--json"], { ATELIER_HOME: restored }));
    assert.equal(loaded.code, 0, loaded.err);
    copyFileSync(join(home, "secrets.json"), join(restored, "secrets.json"));
    const second = await start(restored);
    const names = await tokenNames(second);
    for (const name of before) assert.ok(names.includes(name), name);
    assert.equal(await getAccount(second, key), 200);
    assert.equal(await downloadAsset(second, key, asset), "kept bytes");
    const ready = await request(`${second.baseUrl}/readyz`);
    assert.equal(ready.statusCode, 200, await ready.body.text());
    const refused = await collectOutput(runAtelier(["restore", backup], { ATELIER_HOME: restored }));
    assert.equal(refused.code, 2, "a database that holds something is not overwritten");
  });

  test("SIGTERM exits with 0 and stops PostgreSQL once nobody else uses it", async () => {
    for (const [index, folder] of [
      [running.length - 2, home],
      [running.length - 1, restored],
    ] as const) {
      assert.equal(await running[index]?.kill("SIGTERM"), 0);
      await until("PostgreSQL ended", () => postgresPid(folder) === null);
    }
  });
});
