import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { forgetSignedIn, readSignedIn, signedInFile, writeSignedIn } from "./signed-in.ts";
import { whichServer } from "./which-server.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-which-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const studio = { baseUrl: "https://studio.example", key: "service-studio" };

test("a login is stored readable by its owner alone, used where nothing else is given, and forgotten", async () => {
  const env = { XDG_CONFIG_HOME: join(folder, "other") };
  const which = () => whichServer({ text: () => undefined }, env, undefined, folder);
  assert.deepEqual(await which(), { baseUrl: "http://127.0.0.1:8080", key: undefined, isNamed: false });
  assert.equal(writeSignedIn(env, studio), signedInFile(env));
  assert.equal(statSync(signedInFile(env)).mode & 0o777, 0o600);
  assert.deepEqual(await which(), { ...studio, isNamed: true });
  assert.equal(forgetSignedIn(env), true);
  assert.deepEqual([readSignedIn(env), forgetSignedIn(env)], [null, false]);
});
