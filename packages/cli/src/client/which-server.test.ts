import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { forgetSignedIn, readSignedIn, signedInFile, writeSignedIn } from "./signed-in.ts";
import { whichServer } from "./which-server.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-which-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const home = join(folder, "data");
mkdirSync(home);
writeFileSync(join(home, "first-key.txt"), "API key:  service-first\nSign in:  x\n");
const studio = { baseUrl: "https://studio.example", key: "service-studio" };
const user = { XDG_CONFIG_HOME: join(folder, "config") };
const flags = (given: Readonly<Record<string, string>> = {}) => ({ text: (name: string) => given[name] });

test("a login is kept for its owner alone, used where nothing else was said, and forgotten", () => {
  const env = { XDG_CONFIG_HOME: join(folder, "other") };
  assert.deepEqual(whichServer(flags(), env), { baseUrl: "http://127.0.0.1:8080", key: undefined });
  assert.equal(writeSignedIn(env, studio), signedInFile(env));
  assert.equal(statSync(signedInFile(env)).mode & 0o777, 0o600);
  assert.deepEqual(whichServer(flags(), env), studio);
  assert.equal(forgetSignedIn(env), true);
  assert.deepEqual([readSignedIn(env), forgetSignedIn(env)], [null, false]);
});

test("flags come before the environment, the environment before a data folder, a data folder before the login", () => {
  writeSignedIn(user, studio);
  const local = { ...user, ATELIER_HOME: home };
  assert.deepEqual(whichServer(flags(), local), { baseUrl: "http://127.0.0.1:8080", key: "service-first" });
  const env = { ...local, ATELIER_URL: "http://127.0.0.1:9000/", ATELIER_API_KEY: "service-env" };
  assert.deepEqual(whichServer(flags(), env), { baseUrl: "http://127.0.0.1:9000", key: "service-env" });
  const said = flags({ "base-url": "http://[::1]:1", key: "service-flag" });
  assert.deepEqual(whichServer(said, env), { baseUrl: "http://[::1]:1", key: "service-flag" });
});

test("a key that was not meant for an address is not sent to it", () => {
  const elsewhere = flags({ "base-url": "https://elsewhere.example" });
  assert.equal(whichServer(elsewhere, user).key, undefined);
  assert.equal(whichServer(flags({ "base-url": "https://studio.example/" }), user).key, "service-studio");
  assert.throws(() => whichServer(flags({ "base-url": "studio.example" }), user), /no address of a server/);
});
