import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ClientProblem } from "../server/client-problem.ts";
import { expandFiles } from "./expand-files.ts";

const folder = mkdtempSync(join(tmpdir(), "atelier-files-"));
after(() => rmSync(folder, { recursive: true, force: true }));
for (const name of ["p10.png", "p2.png", "p1.jpg", ".hidden", "odd[1].png"]) writeFileSync(join(folder, name), "");
mkdirSync(join(folder, "below.png"));
const named = (pattern: string) => expandFiles(join(folder, pattern)).map((path) => path.slice(folder.length + 1));

test("a file is itself, a folder is its files, a pattern is its matches, in natural order", () => {
  assert.deepEqual(named("p2.png"), ["p2.png"]);
  assert.deepEqual(named("odd[1].png"), ["odd[1].png"], "also a name that looks like a pattern");
  assert.deepEqual(named("."), ["odd[1].png", "p1.jpg", "p2.png", "p10.png"]);
  assert.deepEqual(named("p*.png"), ["p2.png", "p10.png"]);
  assert.deepEqual(named("*.png"), ["odd[1].png", "p2.png", "p10.png"], "folders are none");
});

test("a word that matches no file is refused", () => {
  for (const absent of ["nothing.png", "*.gif", "below.png"]) assert.throws(() => named(absent), ClientProblem);
});
