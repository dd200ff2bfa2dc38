import assert from "node:assert/strict";
import { test } from "node:test";
import { craftZip, manifestText } from "../../../../test/support/craft-zip.ts";
import { checkNodeArchive } from "./check-node-archive.ts";

test("a publisher can see the registry's verdict in advance", async () => {
  const node = { publisherId: "acme", nodeId: "pack", version: "v1.2" };
  const manifest = { name: "pyproject.toml", bytes: manifestText({ ...node, version: "1.2.0" }) };
  assert.deepEqual(await checkNodeArchive(craftZip([manifest]), node), []);
  const found = await checkNodeArchive(craftZip([manifest, { name: "a.py", bytes: "eval(x)" }]), node);
  assert.deepEqual(
    found.map(({ code, file, line }) => `${code} ${file}:${line}`),
    ["python_eval a.py:1"],
  );
});
