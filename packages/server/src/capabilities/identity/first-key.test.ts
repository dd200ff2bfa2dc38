import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { addSignInLink, findUnshownKey, keepFirstKey } from "./first-key.ts";

test("a copy of the first key left by a killed start is removed by a later start; one being written is not", async (t) => {
  const home = await mkdtemp(join(tmpdir(), "atelier-first-key-"));
  t.after(() => rm(home, { recursive: true }));
  await keepFirstKey(home, "service-first");
  for (const name of ["first-key.txt.left", "first-key.txt.coming", "notes.txt"])
    await writeFile(join(home, name), "API key:  service-first\n");
  const before = new Date(Date.now() - 2 * 60_000);
  for (const name of ["first-key.txt", "first-key.txt.left", "notes.txt"])
    await utimes(join(home, name), before, before);
  assert.equal(await findUnshownKey(home), "service-first");
  assert.deepEqual((await readdir(home)).sort(), ["first-key.txt", "first-key.txt.coming", "notes.txt"]);
  await addSignInLink(home, "service-first", "http://127.0.0.1/sign-in/x");
  assert.equal(await findUnshownKey(home), null);
});
