import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ClientProblem } from "../server/client-problem.ts";
import { makeFolder, requireFile, requireFolder } from "./output-path.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-place-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const isRefused = (pattern: RegExp) => (error: unknown) =>
  error instanceof ClientProblem && pattern.test(error.message);

test("a place is tested without leaving anything there", () => {
  assert.equal(requireFolder(join(folder, "a/b/c")), join(folder, "a/b/c"));
  assert.equal(requireFile(join(folder, "a/b.png")), join(folder, "a/b.png"));
  assert.equal(requireFolder(folder), folder);
  assert.deepEqual(readdirSync(folder), []);
});

test("an empty path, a file for a folder and a folder for a file are refused", () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  assert.throws(() => requireFolder(""), isRefused(/-o needs a value/));
  assert.throws(() => requireFile(""), isRefused(/-o needs a value/));
  assert.throws(() => requireFolder(file), isRefused(/is not a folder/));
  assert.throws(() => requireFolder(join(file, "below")), isRefused(/is not a folder/));
  assert.throws(() => requireFile(join(file, "below")), isRefused(/is not a folder/));
  assert.throws(() => requireFile(folder), isRefused(/is a folder/));
});

test("a place where nothing can be created although permissions allow it is reported at once", {
  skip: !existsSync("/proc/self"),
}, () => {
  for (const path of ["/proc/x", "/proc/x/y/z"]) {
    assert.throws(() => requireFolder(path), isRefused(/Cannot write to \/proc /));
    assert.throws(() => requireFile(join(path, "a.png")), isRefused(/Cannot write to \/proc /));
    assert.throws(() => makeFolder(path), { code: "ENOENT" });
  }
});

test("nested folders are created with the wanted permissions, once", () => {
  const deep = join(folder, "one/two/three");
  makeFolder(deep, 0o700);
  makeFolder(deep);
  assert.equal(statSync(deep).mode & 0o777, 0o700);
});
