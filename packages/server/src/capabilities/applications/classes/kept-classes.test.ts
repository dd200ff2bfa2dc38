import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openKeptClasses } from "./kept-classes.ts";

const url = "http://127.0.0.1:8188";
const at = new Date("2026-01-02T03:04:05.678Z");
const said = (text: string, version = "0.3.64") => ({ objectInfo: Buffer.from(text), version, at });
let folder: string;
let path: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "atelier-kept-classes-"));
  path = join(folder, "application.json");
});
after(() => rm(folder, { recursive: true, force: true }));

test("cached classes survive a restart in a private file, and writing leaves nothing else behind", async () => {
  assert.equal(await openKeptClasses(path, url).recall(), null);
  await openKeptClasses(path, url).keep(said('{"A":{"input":{}}}'));
  assert.deepEqual(await openKeptClasses(path, url).recall(), { A: { input: {} } });
  const kept = JSON.parse(await readFile(path, "utf8"));
  assert.deepEqual([kept.application_url, kept.version, kept.read_at], [url, "0.3.64", at.toISOString()]);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.deepEqual(await readdir(folder), ["application.json"]);
});

test("another application's classes and unreadable files are ignored", async () => {
  assert.equal(await openKeptClasses(path, "http://127.0.0.1:8199").recall(), null);
  for (const text of ["", "{", "[]", "null", '{"application_url":7}', `{"application_url":"${url}"}`]) {
    await writeFile(path, text);
    assert.equal(await openKeptClasses(path, url).recall(), null, text);
  }
});

test("the same again is not written again; another version is", async () => {
  const kept = openKeptClasses(path, url);
  await kept.keep(said('{"A":1}'));
  await writeFile(path, "touched");
  await kept.keep(said('{"A":1}'));
  assert.equal(await readFile(path, "utf8"), "touched");
  await kept.keep(said('{"A":1}', "0.3.65"));
  assert.deepEqual(await kept.recall(), { A: 1 });
});
