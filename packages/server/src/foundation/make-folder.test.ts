import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { makeFolder } from "./make-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-folder-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("all of them are made, for their owner alone, also by several at once", async () => {
  const deep = join(folder, "one/two/three");
  await Promise.all(Array.from({ length: 8 }, () => makeFolder(deep)));
  for (const path of [deep, join(folder, "one")]) assert.equal(statSync(path).mode & 0o777, 0o700);
});

test("an obstacle is reported", async () => {
  writeFileSync(join(folder, "file"), "");
  await assert.rejects(makeFolder(join(folder, "file")), { code: "EEXIST" });
  await assert.rejects(makeFolder(join(folder, "file/below")), { code: /EEXIST|ENOTDIR/ });
});

test("where nothing can be made it ends at once", { skip: !existsSync("/proc/self") }, async () => {
  await assert.rejects(makeFolder("/proc/x/y"), { code: "ENOENT" });
});
