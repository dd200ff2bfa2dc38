import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { parsed, readJsonFile } from "./json-file.ts";

test("invalid JSON is reported with its line and column", () => {
  const said = (text: string) => {
    try {
      return parsed("a.json", text);
    } catch (error) {
      return error instanceof Error ? error.message : "";
    }
  };
  assert.match(String(said('{\n  "a": 1\n  "b": 2\n}')), /a\.json is not JSON: line 3, column 3: expected/);
  assert.match(String(said("")), /it is empty/);
  assert.match(String(said("{")), /a\.json is not JSON: /);
  assert.deepEqual(said('{"a": 1}'), { a: 1 });
});

test("a pointer gives its line, and a missing one the line of its nearest parent", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-json-"));
  try {
    const path = join(home, "ü.json");
    await writeFile(path, '{\n  "ü": {\n    "b": [1,\n 2]\n  }\n}\n');
    const file = await readJsonFile(path);
    assert.deepEqual(
      ["", "/ü", "/ü/b/1", "/ü/b/7", "/ü/c/d", "/x"].map((pointer) => file.lineOf(pointer)),
      [1, 2, 4, 3, 2, 1],
    );
    await assert.rejects(readJsonFile(join(home, "none.json")), /Cannot read /);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
