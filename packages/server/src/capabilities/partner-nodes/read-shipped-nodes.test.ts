import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { shippedNodeFiles } from "./read-nodes.ts";
import { readShippedNodes } from "./read-shipped-nodes.ts";

test("every shipped file gives the same classes in pieces as when it is parsed whole", async () => {
  for (const path of await shippedNodeFiles()) {
    const whole = readExactJson(await readFile(path, "utf8"));
    assert.ok(isRecord(whole) && Array.isArray(whole["classes"]));
    const read = await readShippedNodes(path);
    assert.deepEqual(
      read.map((each) => each.read()),
      whole["classes"],
      path,
    );
    for (const { name, provider, read: once } of read) {
      assert.deepEqual([name, provider], [once().name, whole["provider"]]);
      assert.equal(once(), once(), "parsed once");
    }
  }
});

test("a class is not parsed before it is read, and a file in another format is parsed whole", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "atelier-shipped-nodes-"));
  context.after(() => rm(folder, { recursive: true }));
  const classes = ["One", "Two"].map((name) => ({ name, outputs: [], note: `{"name": "Three"} of ${name}` }));
  const [usual, narrow] = [join(folder, "usual.json"), join(folder, "narrow.json")];
  const value = { provider: "mine", classes };
  await writeFile(narrow, JSON.stringify(value));
  // Broken inside the second class: only reading that one can notice.
  await writeFile(usual, `${JSON.stringify(value, null, 2)}\n`.replace('of Two"', "of Two"));
  const [one, two] = await readShippedNodes(usual);
  assert.deepEqual([one?.name, one?.provider, two?.name], ["One", "mine", "Two"]);
  assert.deepEqual(one?.read(), classes[0]);
  assert.throws(() => two?.read(), SyntaxError);
  assert.deepEqual(
    (await readShippedNodes(narrow)).map((each) => [each.name, each.provider, each.read()]),
    classes.map((each) => [each.name, "mine", each]),
  );
});
