import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openScratchFolder } from "./scratch-folder.ts";

test("a scratch folder is empty, ends with its process, and takes with it what dead processes left", () => {
  const parent = mkdtempSync(join(tmpdir(), "atelier-scratch-"));
  // The first pid is larger than any kernel assigns.
  const kept = [`${process.pid}-aaaaaa`, `${process.ppid}-bbbbbb`, "notes"];
  for (const name of ["999999999-cccccc", ...kept]) {
    mkdirSync(join(parent, name));
    writeFileSync(join(parent, name, "left.png"), "");
  }
  const scratch = openScratchFolder(parent);
  assert.deepEqual(readdirSync(scratch.path), []);
  assert.equal(readdirSync(parent).length, kept.length + 1);
  scratch.remove();
  assert.deepEqual(readdirSync(parent).sort(), kept.sort());
  rmSync(parent, { recursive: true });
});
