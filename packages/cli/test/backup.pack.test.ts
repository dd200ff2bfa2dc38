// A backup is taken while requests change things. A new home restored from it holds everything that was answered before
// the backup began.
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { type ServerProcess, startServerProcess } from "../../server/test/support/server-process.ts";
import { atelier, dataOf, objectOf, temporaryFolder } from "./support/command-line.ts";

const folder = temporaryFolder();
const old = join(folder.path, "old");
const restored = join(folder.path, "restored");
const backup = join(folder.path, "monday");
const key = "service-the-first-key-of-this-backup-test";
const servers: ServerProcess[] = [];

after(async () => {
  await Promise.all(servers.map((server) => server.kill("SIGTERM")));
  folder.remove();
});

async function start(home: string): Promise<ServerProcess> {
  const server = await startServerProcess({ home, env: { ATELIER_BOOTSTRAP_KEY: key } });
  servers.push(server);
  return server;
}

const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };

async function createKey(server: ServerProcess, name: string): Promise<string> {
  const answer = await fetch(`${server.baseUrl}/account/keys`, {
    method: "POST",
    headers,
    body: JSON.stringify({ name }),
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  return name;
}

async function keyNames(server: ServerProcess): Promise<Set<string>> {
  const answer = await fetch(`${server.baseUrl}/account/keys`, { headers });
  assert.equal(answer.status, 200);
  return new Set([...(await answer.text()).matchAll(/"name":"([^"]+)"/g)].map((match) => match[1] ?? ""));
}

const badges = async (server: ServerProcess) =>
  (await fetch(`${server.baseUrl}/nodes/pricing/badges?app_version=1.2.3&platform=local`)).text();

test("a backup under load, restored into a new home, has everything answered before it", async () => {
  const first = await start(old);
  const before: string[] = [];
  for (let index = 0; index < 20; index++) before.push(await createKey(first, `before-${index}`));

  const making = { isDone: false, made: 0 };
  const load = (async () => {
    while (!making.isDone && making.made < 60) await createKey(first, `during-${making.made++}`);
  })();
  const ran = await atelier(["backup", backup, "--json"], { env: { ATELIER_HOME: old } });
  making.isDone = true;
  await load;
  assert.equal(ran.code, 0, ran.err);
  assert.ok(making.made > 0, "requests ran meanwhile");
  assert.equal(dataOf<{ directory: string }>(ran).directory, backup);
  const wanted = await badges(first);

  const back = await atelier(["restore", backup, "--home", restored, "--json"]);
  assert.equal(back.code, 0, back.err);
  assert.ok(dataOf<{ rows: number }>(back).rows > 20);
  // Operators keep the key ring apart, and bring it with them.
  mkdirSync(restored, { recursive: true });
  copyFileSync(join(old, "secrets.json"), join(restored, "secrets.json"));

  const second = await start(restored);
  const names = await keyNames(second);
  for (const name of before) assert.ok(names.has(name), name);
  assert.equal(await badges(second), wanted);
  assert.equal((await fetch(`${second.baseUrl}/readyz`)).status, 200);
});

test("a backup says how many files it has and how large they are", async () => {
  const first = servers[0] ?? assert.fail();
  const form = new FormData();
  form.set("content_type", "application/octet-stream");
  form.set("file_path", "large.bin");
  form.set("file", new Blob([new Uint8Array(3 * 1024 * 1024).fill(7)]));
  const { authorization } = headers;
  const put = await fetch(`${first.baseUrl}/api/v2/assets`, { method: "POST", headers: { authorization }, body: form });
  assert.equal(put.status, 201, await put.clone().text());
  const ran = await atelier(["backup", join(folder.path, "tuesday")], { env: { ATELIER_HOME: old } });
  assert.equal(ran.code, 0, ran.err);
  assert.match(ran.out, /^\d+ rows of \d+ tables, \d.*$/m);
  assert.match(ran.out, /^1 file, 3(\.\d)? MiB\.$/m, ran.out);
});

test("a restore never writes into a home that is not empty, and says so", async () => {
  const ran = await atelier(["restore", backup, "--home", restored, "--json"]);
  assert.equal(ran.code, 2, ran.err);
  assert.equal(objectOf(ran)["ok"], false);
});

test("a folder that is not a backup is refused", async () => {
  const ran = await atelier(["restore", folder.path, "--home", join(folder.path, "third")]);
  assert.equal(ran.code, 2, ran.err);
  assert.equal(ran.out, "");
});
